package dev.berth.sandbox.endpoints;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Supplier;

/** One event of a watch: a tree for callers in the process, encoded bytes for the network. */
public final class EncodedWatchEvent {

    /** The type of an event. An {@code ERROR} has a Status and is the last event. */
    public enum Type {
        ADDED,
        MODIFIED,
        DELETED,
        BOOKMARK,
        ERROR
    }

    private final Type type;
    private final Supplier<ObjectNode> object;
    private final Supplier<List<byte[]>> frame;

    public EncodedWatchEvent(Type type, Supplier<ObjectNode> object, Supplier<List<byte[]>> frame) {
        this.type = type;
        this.object = object;
        this.frame = frame;
    }

    public Type type() {
        return type;
    }

    /** The object; shared, read only. */
    public ObjectNode object() {
        return object.get();
    }

    /** The encoded event in consecutive parts; shared, read only. */
    public List<byte[]> frame() {
        return frame.get();
    }

    @Override
    public String toString() {
        return type + " " + object();
    }
}
