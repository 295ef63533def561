package dev.berth.kubernetes.time;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;

/** Runs tasks later, all on one thread. */
@FunctionalInterface
public interface TaskTimer {
    /** A task that has not run yet. */
    @FunctionalInterface
    interface ScheduledTask {
        ScheduledTask NONE = () -> {};

        /** Cancels it; does nothing if it has run. */
        void cancel();
    }

    ScheduledTask schedule(Duration delay, Runnable task);

    /** On the thread of an executor; after its shutdown no task runs. */
    static TaskTimer onExecutor(ScheduledExecutorService thread) {
        return (delay, task) -> {
            try {
                Future<?> scheduled = thread.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
                return () -> scheduled.cancel(false);
            } catch (RejectedExecutionException ended) {
                LoggerFactory.getLogger(TaskTimer.class).trace("the timer is closed", ended);
                return ScheduledTask.NONE;
            }
        };
    }
}
