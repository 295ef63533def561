package dev.berth.kubernetes.cursor;

/** Receives one object. The cursor is inside it, and valid only during the call. */
@FunctionalInterface
public interface ObjectSink {
    void onObject(Cursor in);
}
