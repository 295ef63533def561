/** The clusters that scenarios play on, and what a scenario has of them: nodes and pods of its own, and nobody else's. */
@NullMarked
package dev.berth.e2e.scenario.testcluster;

import org.jspecify.annotations.NullMarked;
