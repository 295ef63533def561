package dev.berth.embedded.client.mirror;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the one thread that runs a {@link Stepper}. Ringing is quick, may be done by anybody, and is never lost. It is
 * done after each write of each followed resource, mostly by the very thread that it is meant for and while that is at
 * work, so a bell that has rung already costs one look, and only a sleeper is woken.
 */
public final class Bell {
    private final AtomicBoolean rung = new AtomicBoolean();
    private volatile @Nullable Thread sleeper;

    /** What the ringer published before, the woken one sees after its wait. */
    public void ring() {
        if (!rung.get() && rung.compareAndSet(false, true)) {
            Thread sleeping = sleeper;
            if (sleeping != null) {
                LockSupport.unpark(sleeping);
            }
        }
    }

    /** Waits for a ring since the last wait, at most for the given time; may come back early for no reason. */
    void await(Duration longest) throws InterruptedException {
        if (rung.getAndSet(false)) {
            return;
        }
        sleeper = Thread.currentThread();
        try {
            // Looked at again after the name was given: whoever rang in between did not know whom to wake.
            if (!rung.get()) {
                LockSupport.parkNanos(this, longest.toNanos());
            }
        } finally {
            sleeper = null;
            rung.set(false);
        }
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while waiting for the bell");
        }
    }
}
