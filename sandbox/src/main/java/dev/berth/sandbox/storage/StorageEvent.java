package dev.berth.sandbox.storage;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One write to one object, as watchers see it. */
public final class StorageEvent {

    /** What a write did to the object. */
    public enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    private final long sequence;
    private final Type type;
    private final StoredObject object;
    private final @Nullable StoredObject previous;
    private final PersistentSortedMap<StoredObject> after;

    StorageEvent(
            long sequence,
            Type type,
            StoredObject object,
            @Nullable StoredObject previous,
            PersistentSortedMap<StoredObject> after) {
        this.sequence = sequence;
        this.type = type;
        this.object = object;
        this.previous = previous;
        this.after = after;
    }

    public Type type() {
        return type;
    }

    /** The object after the write; for a deletion its last state, under the revision of the deletion. */
    public StoredObject object() {
        return object;
    }

    /** The object before the write; empty for an addition. */
    public Optional<StoredObject> previous() {
        return Optional.ofNullable(previous);
    }

    public long revision() {
        return object.revision();
    }

    /** The position of the change in the history of its resource, counted from 0 without gaps. */
    long sequence() {
        return sequence;
    }

    /** The content of the resource after this change. */
    PersistentSortedMap<StoredObject> after() {
        return after;
    }

    @Override
    public String toString() {
        return type + " " + object.key() + " at " + revision();
    }
}
