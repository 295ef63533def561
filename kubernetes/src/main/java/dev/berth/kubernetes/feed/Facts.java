package dev.berth.kubernetes.feed;

import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Subject;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.cursor.Identity;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The way into the engine, which may make its readers wait. Closing it wakes a reader that waits, so that a stop never
 * hangs on a full inbox.
 */
final class Facts {
    private static final String REPORTER = "berth";

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

    /** An object of which too little can be read to write about it is in the log alone. */
    void unreadable(Identity identity, String problem) {
        if (identity.complete()) {
            accept(new Fact.Unreadable(
                    new Subject(
                            identity.apiVersion(),
                            identity.kind(),
                            identity.namespace(),
                            identity.name(),
                            identity.uid(),
                            REPORTER),
                    problem));
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
