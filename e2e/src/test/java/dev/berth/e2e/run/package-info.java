/** Berth processes: leader election among several, kubectl, and helpers that start Berth. */
@NullMarked
package dev.berth.e2e.run;

import org.jspecify.annotations.NullMarked;
