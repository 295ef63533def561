package dev.berth.sandbox.client.transport;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** One message of a watch. The object may be shared and must not be changed. */
public record WatchEvent(Type type, ObjectNode object) {

    /** What happened. An {@code ERROR} carries a Status and ends the watch. */
    public enum Type {
        ADDED,
        MODIFIED,
        DELETED,
        BOOKMARK,
        ERROR
    }
}
