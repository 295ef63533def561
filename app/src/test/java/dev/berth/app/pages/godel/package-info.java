/** The page of Gödel's reservations, and a new leader who keeps its promises. */
@NullMarked
package dev.berth.app.pages.godel;

import org.jspecify.annotations.NullMarked;
