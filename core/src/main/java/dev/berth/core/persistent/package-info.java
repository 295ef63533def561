/** Immutable collections. A changed copy shares the unchanged parts with the original, so that a snapshot is cheap. */
@NullMarked
package dev.berth.core.persistent;

import org.jspecify.annotations.NullMarked;
