/**
 * The settings of the door, with the keys and defaults of Koordinator's ReservationArgs. The package depends on no other
 * part of the door, so every part can use it.
 */
@NullMarked
package dev.berth.core.door.koordinator.settings;

import org.jspecify.annotations.NullMarked;
