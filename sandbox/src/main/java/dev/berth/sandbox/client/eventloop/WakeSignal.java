package dev.berth.sandbox.client.eventloop;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes the one thread that runs an {@link EventLoopTask}. Any thread may signal, and no signal is lost. A signal comes
 * after each write of each watched resource, and waking a thread is expensive. So the waiting thread spins for a moment
 * first. During this time a signal is cheap, and several signals count as one. Only a thread that sleeps must be woken.
 */
public final class WakeSignal {
    private static final long SPIN_NANOS = Duration.ofNanos(100_000).toNanos();

    private final AtomicBoolean signalled = new AtomicBoolean();
    private volatile @Nullable Thread waitingThread;

    /** The woken thread sees everything that was published before the signal. */
    public void signal() {
        if (!signalled.get() && signalled.compareAndSet(false, true)) {
            Thread sleeping = waitingThread;
            if (sleeping != null) {
                LockSupport.unpark(sleeping);
            }
        }
    }

    /** Waits for a signal since the last wait, at most for the given time. May return early without a signal. */
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
            throw new InterruptedException("interrupted while waiting for the wake signal");
        }
    }

    private void park(long nanos) {
        waitingThread = Thread.currentThread();
        try {
            // Checked again after the thread is published: a signal in between did not know which thread to wake.
            if (!signalled.get()) {
                LockSupport.parkNanos(this, nanos);
            }
        } finally {
            waitingThread = null;
        }
    }
}
