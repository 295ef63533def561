/** All doors at once, and what is left of them after a kill. */
@NullMarked
package dev.berth.e2e.pages.alldoors;

import org.jspecify.annotations.NullMarked;
