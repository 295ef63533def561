/** How the cost of holds grows with their number: each load at three sizes in one run. */
@NullMarked
package dev.berth.bench.holds;

import org.jspecify.annotations.NullMarked;
