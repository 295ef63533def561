/** Pods whose turn has not come, or that are not Berth's to place, asked of a whole cluster. */
@NullMarked
package dev.berth.e2e.scenario.gates;

import org.jspecify.annotations.NullMarked;
