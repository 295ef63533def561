/** The loop's counts of scheduling attempts, for metrics. They are updated and read on the loop's thread. */
@NullMarked
package dev.berth.engine.metrics;

import org.jspecify.annotations.NullMarked;
