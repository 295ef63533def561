package dev.berth.engine;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that calls {@link LedgerLoop#turn}. Closing it stops scheduling, waits for writes in flight up to the drain
 * timeout, and ends the thread.
 *
 * <p>An exception in a turn is a bug, and the ledger may be wrong after it: the thread ends and reports it. A restart of
 * the process rebuilds the ledger from a list.
 */
public final class LoopThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoopThread.class);
    /** How long the loop may sleep if nothing is due. It notices a stop after this time at the latest. */
    private static final Duration MAX_SLEEP = Duration.ofSeconds(1);

    private static final Duration JOIN_TIMEOUT = Duration.ofSeconds(2);

    private final LedgerLoop loop;
    private final EngineSettings settings;
    private final Thread thread;
    private final CountDownLatch drained = new CountDownLatch(1);
    private volatile boolean stopping;
    private volatile boolean abandoned;

    public LoopThread(LedgerLoop loop, EngineSettings settings, Consumer<Throwable> broken) {
        this.loop = loop;
        this.settings = settings;
        this.thread = new Thread(() -> run(broken), "berth-ledger");
    }

    public LoopThread start() {
        thread.start();
        return this;
    }

    private void run(Consumer<Throwable> broken) {
        IllegalStateException why = ended();
        try {
            while (!abandoned && !(stopping && loop.pendingWrites() == 0)) {
                if (!loop.turn()) {
                    loop.await(MAX_SLEEP);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error bug) {
            LOG.error("the ledger's loop failed and ends", bug);
            why = new IllegalStateException("the ledger's loop failed (%s): restart Berth".formatted(bug), bug);
            broken.accept(bug);
        } finally {
            loop.end(why);
            drained.countDown();
        }
    }

    private static IllegalStateException ended() {
        return new IllegalStateException("the ledger's loop has ended: Berth was asked to stop");
    }

    /** Waits for writes in flight. An interrupt ends the wait, and the caller's interrupt flag is set again. */
    @Override
    public void close() {
        loop.stopScheduling();
        stopping = true;
        if (thread.getState() == Thread.State.NEW) {
            loop.end(ended());
            return;
        }
        boolean interrupted = false;
        try {
            if (!drained.await(settings.drainTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("{} writes were still in flight after {}", loop.pendingWrites(), settings.drainTimeout());
            }
        } catch (InterruptedException interruptedWait) {
            interrupted = true;
        }
        abandoned = true;
        thread.interrupt();
        interrupted |= !join();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the thread without waiting for writes in flight. */
    public void abandon() {
        loop.stopScheduling();
        abandoned = true;
        thread.interrupt();
        if (!join()) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the thread has ended with no bind and no write of a component in flight: then no late write can follow. */
    public boolean endedCleanly() {
        return !thread.isAlive() && loop.bindsAndWritesInFlight() == 0;
    }

    private boolean join() {
        try {
            thread.join(JOIN_TIMEOUT.toMillis());
            if (thread.isAlive()) {
                LOG.warn(
                        "thread {} is still running {} s after it was stopped",
                        thread.getName(),
                        JOIN_TIMEOUT.toSeconds());
            }
            return true;
        } catch (InterruptedException interruptedWait) {
            return false;
        }
    }
}
