/** The page of Koordinator's reservations. */
@NullMarked
package dev.berth.e2e.pages.koordinator;

import org.jspecify.annotations.NullMarked;
