/** Koordinator's Reservations on the wire. */
@NullMarked
package dev.berth.kubernetes.door.reservation;

import org.jspecify.annotations.NullMarked;
