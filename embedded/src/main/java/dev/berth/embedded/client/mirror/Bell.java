package dev.berth.embedded.client.mirror;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Wakes the thread that runs a {@link Stepper}. Ringing is quick, may be done by anybody, and is never lost. */
public final class Bell {
    private final Semaphore rung = new Semaphore(0);

    public void ring() {
        rung.release();
    }

    /** Waits for a ring since the last wait, at most for the given time. */
    void await(Duration longest) throws InterruptedException {
        if (rung.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS)) {
            rung.drainPermits();
        }
    }
}
