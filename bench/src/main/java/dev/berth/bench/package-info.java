/** Benchmarks, each with a baseline in the same run. */
@NullMarked
package dev.berth.bench;

import org.jspecify.annotations.NullMarked;
