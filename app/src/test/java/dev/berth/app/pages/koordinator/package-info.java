/** The page of Koordinator's reservations. */
@NullMarked
package dev.berth.app.pages.koordinator;

import org.jspecify.annotations.NullMarked;
