/** Reads what Berth serves at {@code /metrics}. */
@NullMarked
package dev.berth.testkit.metrics;

import org.jspecify.annotations.NullMarked;
