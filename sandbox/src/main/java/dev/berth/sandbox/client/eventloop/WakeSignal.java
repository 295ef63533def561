package dev.berth.sandbox.client.eventloop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the one thread that runs a {@link EventLoopTask}. Ringing may be done by anybody and is never lost. It is done after
 * each write of each followed resource, and to wake a thread costs more than most of what it is woken for: so who waits
 * naps for a moment first, in which a ring costs one look and rings come together, and only who then sleeps is woken.
 */
public final class WakeSignal {
    private static final long SPIN_NANOS = Duration.ofNanos(100_000).toNanos();

    private final AtomicBoolean signalled = new AtomicBoolean();
    private volatile @Nullable Thread waitingThread;

    /** What the ringer published before, the woken one sees after its wait. */
    public void signal() {
        if (!signalled.get() && signalled.compareAndSet(false, true)) {
            Thread sleeping = waitingThread;
            if (sleeping != null) {
                LockSupport.unpark(sleeping);
            }
        }
    }

    /** Waits for a ring since the last wait, at most for the given time; may come back early for no reason. */
    void await(Duration timeout) throws InterruptedException {
        long nanos = timeout.toNanos();
        if (!signalled.get()) {
            LockSupport.parkNanos(this, Math.min(SPIN_NANOS, nanos));
        }
        if (!signalled.get()) {
            park(nanos);
        }
        signalled.set(false);
        if (Thread.interrupted()) {
            throw new InterruptedException("interrupted while waiting for the bell");
        }
    }

    private void park(long nanos) {
        waitingThread = Thread.currentThread();
        try {
            // Looked at again after the name was given: whoever rang in between did not know whom to wake.
            if (!signalled.get()) {
                LockSupport.parkNanos(this, nanos);
            }
        } finally {
            waitingThread = null;
        }
    }
}
