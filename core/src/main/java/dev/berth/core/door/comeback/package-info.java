/**
 * The door of return: a pod that asked for it leaves its place behind when it is deleted, for the one that comes in its
 * stead. Its words on the wire are those of Gödel's resource reservation.
 */
@NullMarked
package dev.berth.core.door.comeback;

import org.jspecify.annotations.NullMarked;
