/**
 * Pod topology spread: counts of pods by node and by topology domain. {@link
 * dev.berth.core.placement.topologyspread.SpreadIndex} counts for the default constraints, and {@link
 * dev.berth.core.placement.topologyspread.TopologySpreadState} evaluates the constraints of one pod.
 */
@NullMarked
package dev.berth.core.placement.topologyspread;

import org.jspecify.annotations.NullMarked;
