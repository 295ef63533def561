/** Immutable collections that share what did not change, so that a snapshot of everything costs next to nothing. */
@NullMarked
package dev.berth.core.persistent;

import org.jspecify.annotations.NullMarked;
