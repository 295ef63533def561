package dev.berth.kubernetes.projection;

import dev.berth.kubernetes.cursor.Cursor;

/** Reads what matters of one kind of object. Not safe for several threads at once. */
public interface Projection<T> {
    /** Reads the object that the cursor is in. An object that makes no sense is reported in what is returned. */
    ReadResult<T> read(Cursor in);
}
