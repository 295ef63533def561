package dev.berth.core.reconcile;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.framework.Handle;
import java.util.Optional;

/**
 * The desired writes of a component's objects. A {@link Reconciler} calls it again each time, and remembers no result
 * longer than the write that follows from it.
 *
 * @param <K> identifies an object, or a write that creates one
 * @param <W> the component's writes
 */
public interface DesiredWrites<K, W extends Effect.Write> {
    /**
     * The version of the object as it was last observed, if its writes have that version as a precondition. Empty if
     * they have none: then a write that differs from the one in flight is sent without waiting for it.
     */
    String observedVersion(K key);

    /** The write that changes the object from its observed to its desired state; empty if they are equal. */
    Optional<W> desiredWrite(K key, Handle handle);

    /** The object of the events about a denied write. */
    EventTarget eventTarget(W write);

    /** The consequence of the denial, as one sentence for that event. Empty if there is nothing to add. */
    default String denialConsequence(W write) {
        return "";
    }
}
