/** Comparisons of times and durations that the JDK does not have. */
@NullMarked
package dev.berth.core.time;

import org.jspecify.annotations.NullMarked;
