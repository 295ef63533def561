/**
 * {@link dev.berth.kubernetes.cursor.Cursor}: reads the objects of lists and watches field by field while they arrive,
 * in protobuf or JSON. The packages {@code protobuf} and {@code json} implement it.
 */
@NullMarked
package dev.berth.kubernetes.cursor;

import org.jspecify.annotations.NullMarked;
