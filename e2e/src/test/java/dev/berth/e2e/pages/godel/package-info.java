/** The page of Gödel's reservations, and a new leader who keeps its promises. */
@NullMarked
package dev.berth.e2e.pages.godel;

import org.jspecify.annotations.NullMarked;
