package dev.berth.kubernetes.time;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** Runs tasks later, all on one thread: that of whoever is timed. */
@FunctionalInterface
public interface Timer {
    /** A task that has not run yet. */
    @FunctionalInterface
    interface Task {
        Task NONE = () -> {};

        /** Takes it back; does nothing when it has run. */
        void cancel();
    }

    Task after(Duration delay, Runnable task);

    /** On the thread of an executor; when that has ended nothing runs any more. */
    static Timer on(ScheduledExecutorService thread) {
        return (delay, task) -> {
            try {
                Future<?> scheduled = thread.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
                return () -> scheduled.cancel(false);
            } catch (RejectedExecutionException ended) {
                LoggerFactory.getLogger(Timer.class).trace("nothing runs any more", ended);
                return Task.NONE;
            }
        };
    }
}
