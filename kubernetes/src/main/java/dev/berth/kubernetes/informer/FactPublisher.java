package dev.berth.kubernetes.informer;

import dev.berth.core.effect.EventTarget;
import dev.berth.core.fact.Fact;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.cursor.ObjectReference;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The way into the engine, which may make its readers wait. Closing it wakes a reader that waits, so that a stop never
 * hangs on a full inbox.
 */
final class FactPublisher {
    private static final String REPORTER = "berth";

    private final FactSink sink;
    private final Object lock = new Object();
    // Both guarded by the lock.
    private @Nullable Thread blockedThread;
    private boolean closed;

    FactPublisher(FactSink sink) {
        this.sink = sink;
    }

    void publish(Fact fact) {
        enter();
        try {
            sink.accept(fact);
        } catch (InterruptedException stopping) {
            throw closedException();
        } finally {
            exit();
        }
    }

    /** An object of which too little can be read to write about it is in the log alone. */
    void publishUnreadable(ObjectReference objectReference, String problem) {
        if (objectReference.isComplete()) {
            publish(new Fact.UnreadableObject(
                    new EventTarget(
                            objectReference.apiVersion(),
                            objectReference.kind(),
                            objectReference.namespace(),
                            objectReference.name(),
                            objectReference.uid(),
                            REPORTER),
                    problem));
        }
    }

    void publishSynced(FactSink.ListedKind listedKind) {
        enter();
        try {
            sink.onListed(listedKind);
        } catch (InterruptedException stopping) {
            throw closedException();
        } finally {
            exit();
        }
    }

    void close() {
        synchronized (lock) {
            closed = true;
            if (blockedThread != null) {
                blockedThread.interrupt();
            }
        }
    }

    private void enter() {
        synchronized (lock) {
            if (closed) {
                throw closedException();
            }
            blockedThread = Thread.currentThread();
        }
    }

    /** An interrupt that came too late must not hit whatever the thread does next. */
    private void exit() {
        synchronized (lock) {
            blockedThread = null;
            if (closed) {
                Thread.interrupted();
            }
        }
    }

    private static CancellationException closedException() {
        return new CancellationException("the feed is closed");
    }
}
