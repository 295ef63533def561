/** The speed of placement, and the memory of a large cluster. */
@NullMarked
package dev.berth.bench.placement;

import org.jspecify.annotations.NullMarked;
