package dev.berth.core.reconcile;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.framework.Handle;
import java.util.Optional;

/**
 * What a door knows of its objects. A {@link Reconciler} asks it afresh each time: nothing that it answers is remembered
 * longer than the write that follows from it.
 *
 * @param <K> names an object, or a write that creates one
 * @param <W> the door's writes
 */
public interface DesiredWrites<K, W extends Effect.Write> {
    /**
     * The version of the object as it was last seen, when its writes have that version as a precondition. Empty when
     * they have none: then a write that differs from the one under way is sent without waiting for it.
     */
    String observedVersion(K key);

    /** The write that brings the object from what was last seen to what it should be; empty when it is so. */
    Optional<W> desiredWrite(K key, Handle handle);

    /** The object whose events say that the API server denied the write. */
    EventTarget eventTarget(W write);

    /** What the denial means to the reader of that event, in one sentence. Empty when there is nothing to add. */
    default String denialConsequence(W write) {
        return "";
    }
}
