/**
 * Reads and writes Koordinator's Reservations. The package documentation of {@code dev.berth.core.door.koordinator} has
 * the way of a Reservation hop by hop.
 */
@NullMarked
package dev.berth.kubernetes.door.koordinator;

import org.jspecify.annotations.NullMarked;
