/**
 * Reads and writes Berth's StoredHold objects, and reads the pods that callers of the Reserve API send. The package
 * documentation of {@code dev.berth.core.door.globalreserve} has the way of a request hop by hop.
 */
@NullMarked
package dev.berth.kubernetes.door.globalreserve;

import org.jspecify.annotations.NullMarked;
