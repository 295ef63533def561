/** The page of Gödel's reservations, and a new leader who keeps its promises. */
@NullMarked
package dev.berth.app.pages.comeback;

import org.jspecify.annotations.NullMarked;
