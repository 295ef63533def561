/** All doors at once, and what is left of them after a kill. */
@NullMarked
package dev.berth.app.pages.together;

import org.jspecify.annotations.NullMarked;
