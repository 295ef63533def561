package dev.berth.kubernetes.cursor;

/** Receives a watch as it is read. */
public interface WatchSink {
    /** An event: its type as the server names it, and the object, in which the cursor is, during the call alone. */
    void onEvent(String type, Cursor object);

    /**
     * An event whose object cannot even be begun to read; the watch goes on behind it.
     *
     * @param type empty where not even that can be read
     */
    void onUnreadableEvent(String type, ObjectReference objectReference, String problem);
}
