package dev.berth.embedded.store;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One write to one object, as watchers see it. */
public final class Change {

    /** What a write did to the object. */
    public enum Type {
        ADDED,
        MODIFIED,
        DELETED
    }

    private final long sequence;
    private final Type type;
    private final Stored object;
    private final @Nullable Stored previous;
    private final SortedTree<Stored> after;

    Change(long sequence, Type type, Stored object, @Nullable Stored previous, SortedTree<Stored> after) {
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
    public Stored object() {
        return object;
    }

    /** The object before the write; empty for an addition. */
    public Optional<Stored> previous() {
        return Optional.ofNullable(previous);
    }

    public long revision() {
        return object.revision();
    }

    /** The place of the change in the history of its resource, counted from 0 without gaps. */
    long sequence() {
        return sequence;
    }

    /** Everything the resource held right after this change. */
    SortedTree<Stored> after() {
        return after;
    }

    @Override
    public String toString() {
        return type + " " + object.key() + " at " + revision();
    }
}
