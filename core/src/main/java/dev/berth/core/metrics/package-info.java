/** Histograms for one thread. An observation costs a few additions, and readers get a copy. */
@NullMarked
package dev.berth.core.metrics;

import org.jspecify.annotations.NullMarked;
