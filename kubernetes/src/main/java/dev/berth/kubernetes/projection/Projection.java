package dev.berth.kubernetes.projection;

import dev.berth.kubernetes.cursor.Cursor;

/** Reads the used parts of one kind of object. Not safe for several threads at once. */
public interface Projection<T> {
    /** Reads the object at the cursor. A malformed object is reported in the result. */
    ReadResult<T> read(Cursor in);
}
