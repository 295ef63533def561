/**
 * Koordinator's Reservation: an object of the cluster that asks for a place like a pod, keeps it for the pods of its
 * owners, and says in its status what has become of it.
 */
@NullMarked
package dev.berth.core.door.koordinator;

import org.jspecify.annotations.NullMarked;
