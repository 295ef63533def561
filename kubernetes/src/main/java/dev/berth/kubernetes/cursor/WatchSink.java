package dev.berth.kubernetes.cursor;

/** Receives a watch as it is read. */
@FunctionalInterface
public interface WatchSink {
    /** An event: its type as the server names it, and the object, in which the cursor is, during the call alone. */
    void event(String type, Cursor object);
}
