/** What the loop counts of its own work, for metrics: on its thread, and read there. */
@NullMarked
package dev.berth.engine.metrics;

import org.jspecify.annotations.NullMarked;
