package dev.berth.kubernetes.feed;

import dev.berth.core.decision.Fact;
import dev.berth.engine.FactSink;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The way into the engine, which may make its readers wait. Closing it wakes a reader that waits, so that a stop never
 * hangs on a full inbox.
 */
final class Facts {
    private final FactSink sink;
    private final Object lock = new Object();
    // Both guarded by the lock.
    private @Nullable Thread waiting;
    private boolean closed;

    Facts(FactSink sink) {
        this.sink = sink;
    }

    void accept(Fact fact) {
        enter();
        try {
            sink.accept(fact);
        } catch (InterruptedException stopping) {
            throw stopped();
        } finally {
            exit();
        }
    }

    void listed(FactSink.Source source) {
        enter();
        try {
            sink.listed(source);
        } catch (InterruptedException stopping) {
            throw stopped();
        } finally {
            exit();
        }
    }

    void close() {
        synchronized (lock) {
            closed = true;
            if (waiting != null) {
                waiting.interrupt();
            }
        }
    }

    private void enter() {
        synchronized (lock) {
            if (closed) {
                throw stopped();
            }
            waiting = Thread.currentThread();
        }
    }

    /** An interrupt that came too late must not hit whatever the thread does next. */
    private void exit() {
        synchronized (lock) {
            waiting = null;
            if (closed) {
                Thread.interrupted();
            }
        }
    }

    private static CancellationException stopped() {
        return new CancellationException("the feed is closed");
    }
}
