package dev.berth.core.reconcile;

import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.Hold;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What a door must say about its objects: the holds of an object and the write that it needs. The {@link
 * ObjectController} does the rest. No method may remove an object from the controller.
 *
 * @param <K> identifies an object
 * @param <S> the door's state of one object: the observed object, and what follows from it
 * @param <W> the door's writes
 */
public interface ObjectHandler<K, S, W extends Effect.Write> {
    /** The object of the events about this state. */
    EventTarget eventTarget(S state);

    /** The desired holds of the object. Also empty for a door whose holds have other keys than its objects. */
    default Collection<Hold> desiredHolds(S state, DoorHandle handle) {
        return List.of();
    }

    /** See {@link DesiredWrites#observedVersion}. */
    default String observedVersion(S state) {
        return "";
    }

    /** See {@link DesiredWrites#desiredWrite}. */
    default Optional<W> desiredWrite(S state, Handle handle) {
        return Optional.empty();
    }

    /** The key of the object that the write is about; called only for writes that {@link #desiredWrite} returned. */
    default K keyOf(W write) {
        throw new IllegalStateException("this door sends no writes, but got (%s)".formatted(write));
    }

    /** See {@link DesiredWrites#denialConsequence}. */
    default String denialConsequence(S state, W write) {
        return "";
    }

    /** Called before the holds and the write of a changed object are computed. All objects are listed by then. */
    default void beforeWrite(S state, DoorHandle handle) {}

    /**
     * Called after that, for events and for what depends on the write.
     *
     * @param sent the write that is sent; empty if none is needed or none may be sent yet
     */
    default void afterWrite(S state, Optional<W> sent, DoorHandle handle) {}

    /** When the object has to be reconciled again without any event. A time that is not in the future is ignored. */
    default Optional<Instant> nextCheck(S state, Handle handle) {
        return Optional.empty();
    }

    /** Whether the object counts as invalid; called when the object is observed. */
    default boolean isInvalid(S state) {
        return false;
    }
}
