package dev.berth.sandbox.endpoints;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Supplier;

/** One message of a watch, as a tree for callers in the process and as the bytes of its frame for those outside. */
public final class EncodedWatchEvent {

    /** What a message says. An {@code ERROR} carries a Status and is the last one. */
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

    /** The bytes of the message in pieces that follow each other; shared, read only. */
    public List<byte[]> frame() {
        return frame.get();
    }

    @Override
    public String toString() {
        return type + " " + object();
    }
}
