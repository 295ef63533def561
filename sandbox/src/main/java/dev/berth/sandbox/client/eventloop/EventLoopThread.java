package dev.berth.sandbox.client.eventloop;

import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs an {@link EventLoopTask} on one named thread. The thread sleeps until a signal arrives or timed work is due. */
public final class EventLoopThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventLoopThread.class);
    private static final Duration MAX_WAIT = Duration.ofMinutes(1);
    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(10);

    private final EventLoopTask task;
    private final WakeSignal wakeSignal;
    private final InstantSource clock;
    private final Thread thread;
    private volatile boolean closing;

    private EventLoopThread(String name, EventLoopTask task, LoopEnvironment environment) {
        this.task = task;
        this.wakeSignal = environment.wakeSignal();
        this.clock = environment.clock();
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Starts the task. The task must signal the wake signal of the environment. */
    public static EventLoopThread start(String name, EventLoopTask task, LoopEnvironment environment) {
        EventLoopThread started = new EventLoopThread(name, task, environment);
        started.thread.start();
        return started;
    }

    private void run() {
        try {
            while (!closing) {
                if (!step()) {
                    wakeSignal.await(untilDue());
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("{} was interrupted", thread.getName());
        } finally {
            task.close();
        }
    }

    /** A failure here is a bug of the task. The thread continues, because other controllers share it. */
    private boolean step() {
        try {
            return task.step();
        } catch (RuntimeException e) {
            if (!closing) {
                LOG.error("{} goes on after an unexpected failure", thread.getName(), e);
            }
            return false;
        }
    }

    private Duration untilDue() {
        Duration until = task.nextDue()
                .map(due -> Duration.between(clock.instant(), due))
                .orElse(MAX_WAIT);
        if (until.isNegative()) {
            return Duration.ofMillis(1);
        }
        return until.compareTo(MAX_WAIT) > 0 ? MAX_WAIT : until;
    }

    @Override
    public void close() {
        closing = true;
        wakeSignal.signal();
        try {
            thread.join(SHUTDOWN_TIMEOUT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
