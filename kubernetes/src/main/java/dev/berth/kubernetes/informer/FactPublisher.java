package dev.berth.kubernetes.informer;

import dev.berth.core.effect.EventTarget;
import dev.berth.core.fact.Fact;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.cursor.ObjectReference;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Publishes facts to the engine, which may block. Closing it unblocks a blocked reader, so that a stop never hangs on a
 * full inbox.
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

    /** An object without a readable identity is only logged, because no event can refer to it. */
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

    /** A late interrupt must not affect what the thread does next. */
    private void exit() {
        synchronized (lock) {
            blockedThread = null;
            if (closed) {
                Thread.interrupted();
            }
        }
    }

    private static CancellationException closedException() {
        return new CancellationException("the informers are closed");
    }
}
