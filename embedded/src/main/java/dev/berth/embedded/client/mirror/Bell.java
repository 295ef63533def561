package dev.berth.embedded.client.mirror;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the one thread that runs a {@link Stepper}. Ringing may be done by anybody and is never lost. It is done after
 * each write of each followed resource, and to wake a thread costs more than most of what it is woken for: so who waits
 * naps for a moment first, in which a ring costs one look and rings come together, and only who then sleeps is woken.
 */
public final class Bell {
    private static final long NAP = Duration.ofNanos(100_000).toNanos();

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
        long most = longest.toNanos();
        if (!rung.get()) {
            LockSupport.parkNanos(this, Math.min(NAP, most));
        }
        if (!rung.get()) {
            sleep(most);
        }
        rung.set(false);
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while waiting for the bell");
        }
    }

    private void sleep(long most) {
        sleeper = Thread.currentThread();
        try {
            // Looked at again after the name was given: whoever rang in between did not know whom to wake.
            if (!rung.get()) {
                LockSupport.parkNanos(this, most);
            }
        } finally {
            sleeper = null;
        }
    }
}
