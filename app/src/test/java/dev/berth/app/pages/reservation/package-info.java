/** The page of Koordinator's reservations. */
@NullMarked
package dev.berth.app.pages.reservation;

import org.jspecify.annotations.NullMarked;
