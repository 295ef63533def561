package dev.berth.kubernetes.cursor;

/** Receives a list as it is read. */
public interface ListSink {
    /** One object of the list. The cursor is inside it, and valid only during the call. */
    void onItem(Cursor in);

    /** One object of the list that cannot be read at all; the list goes on behind it. */
    void onUnreadableItem(ObjectReference objectReference, String problem);

    /** The list's own metadata; it may come before or after the items. */
    void onListMeta(String resourceVersion, String continueToken);
}
