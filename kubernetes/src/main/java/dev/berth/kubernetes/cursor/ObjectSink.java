package dev.berth.kubernetes.cursor;

/** Receives one object; the cursor is inside it, and of use only during the call. */
@FunctionalInterface
public interface ObjectSink {
    void onObject(Cursor in);
}
