/** Berth's own StoredHold objects on the wire, and pods as callers of the Reserve API send them. */
@NullMarked
package dev.berth.kubernetes.door.globalreserve;

import org.jspecify.annotations.NullMarked;
