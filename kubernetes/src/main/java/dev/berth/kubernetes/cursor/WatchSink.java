package dev.berth.kubernetes.cursor;

/** Receives a watch as it is read. */
public interface WatchSink {
    /** An event: its type as the server names it, and the object. The cursor is valid only during the call. */
    void onEvent(String type, Cursor object);

    /**
     * An event whose object cannot be read at all; the watch goes on behind it.
     *
     * @param type empty if the type cannot be read either
     */
    void onUnreadableEvent(String type, ObjectReference objectReference, String problem);
}
