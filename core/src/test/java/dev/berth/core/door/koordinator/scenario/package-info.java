/** One test for each numbered scenario of Koordinator's Reservation. */
@NullMarked
package dev.berth.core.door.koordinator.scenario;

import org.jspecify.annotations.NullMarked;
