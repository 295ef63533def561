package dev.berth.embedded.client.mirror;

import java.time.Duration;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs a {@link Stepper} on one named thread: steps while there is something to do, sleeps until the bell or the time. */
public final class StepperThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(StepperThread.class);
    private static final Duration LONGEST_SLEEP = Duration.ofMinutes(1);
    private static final Duration END_WITHIN = Duration.ofSeconds(10);

    private final Stepper work;
    private final Bell bell;
    private final InstantSource clock;
    private final Thread thread;
    private volatile boolean ending;

    private StepperThread(String name, Stepper work, Environment environment) {
        this.work = work;
        this.bell = environment.bell();
        this.clock = environment.clock();
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /** Starts the work; the bell must be the one that the work rings. */
    public static StepperThread start(String name, Stepper work, Environment environment) {
        StepperThread started = new StepperThread(name, work, environment);
        started.thread.start();
        return started;
    }

    private void run() {
        try {
            while (!ending) {
                if (!step()) {
                    bell.await(untilDue());
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("{} was interrupted", thread.getName());
        } finally {
            work.close();
        }
    }

    /** A failure here is a bug of the work, which handles the server's refusals itself; the others must go on. */
    private boolean step() {
        try {
            return work.step();
        } catch (RuntimeException e) {
            if (!ending) {
                LOG.error("{} goes on after an unexpected failure", thread.getName(), e);
            }
            return false;
        }
    }

    private Duration untilDue() {
        Duration until = work.nextDue()
                .map(due -> Duration.between(clock.instant(), due))
                .orElse(LONGEST_SLEEP);
        if (until.isNegative()) {
            return Duration.ofMillis(1);
        }
        return until.compareTo(LONGEST_SLEEP) > 0 ? LONGEST_SLEEP : until;
    }

    @Override
    public void close() {
        ending = true;
        bell.ring();
        try {
            thread.join(END_WITHIN.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        thread.interrupt();
    }
}
