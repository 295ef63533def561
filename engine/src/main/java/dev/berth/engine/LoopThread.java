package dev.berth.engine;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that turns a {@link LedgerLoop}. Closing it stops deciding, carries what is on its way to its end within
 * the drain timeout, and ends the thread.
 *
 * <p>An exception in a turn is a bug, and after it nobody can say that the ledger is right: the thread ends and says so,
 * and the process is to be started anew, which rebuilds the ledger from a list.
 */
public final class LoopThread implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LoopThread.class);
    /** How long the loop may sleep when nothing is due: only how soon it notices a stop depends on it. */
    private static final Duration LONGEST_SLEEP = Duration.ofSeconds(1);

    private static final Duration JOIN_WITHIN = Duration.ofSeconds(2);

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
            while (!abandoned && !(stopping && loop.unfinished() == 0)) {
                if (!loop.turn()) {
                    loop.await(LONGEST_SLEEP);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error bug) {
            LOG.error("the ledger's loop broke and ends", bug);
            why = new IllegalStateException(
                    "the ledger's loop broke (%s): Berth must be started anew".formatted(bug), bug);
            broken.accept(bug);
        } finally {
            loop.end(why);
            drained.countDown();
        }
    }

    private static IllegalStateException ended() {
        return new IllegalStateException("the ledger's loop has ended: Berth was asked to stop");
    }

    /** Waits for the end of what is on its way; an interrupt cuts the waiting short and is kept for the caller. */
    @Override
    public void close() {
        loop.stopDeciding();
        stopping = true;
        if (thread.getState() == Thread.State.NEW) {
            loop.end(ended());
            return;
        }
        boolean interrupted = false;
        try {
            if (!drained.await(settings.drainTimeout().toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("{} writes were still on their way after {}", loop.unfinished(), settings.drainTimeout());
            }
        } catch (InterruptedException cutShort) {
            interrupted = true;
        }
        abandoned = true;
        thread.interrupt();
        interrupted |= !joined();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the thread and carries nothing to its end. */
    public void abandon() {
        loop.stopDeciding();
        abandoned = true;
        thread.interrupt();
        if (!joined()) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether the thread is at its end and left nothing on its way that binds: only then is nothing of ours still to come. */
    public boolean endedCleanly() {
        return !thread.isAlive() && loop.promisesInFlight() == 0;
    }

    private boolean joined() {
        try {
            thread.join(JOIN_WITHIN.toMillis());
            if (thread.isAlive()) {
                LOG.warn("{} still runs {} s after it was told to end", thread.getName(), JOIN_WITHIN.toSeconds());
            }
            return true;
        } catch (InterruptedException cutShort) {
            return false;
        }
    }
}
