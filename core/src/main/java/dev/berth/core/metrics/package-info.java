/** Plain counters for one thread: an observation costs a few additions, and whoever reads takes a copy. */
@NullMarked
package dev.berth.core.metrics;

import org.jspecify.annotations.NullMarked;
