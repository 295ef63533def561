/** How many pods of the same workloads are where: the counts that the default topology spread is made from. */
@NullMarked
package dev.berth.core.placement.topologyspread;

import org.jspecify.annotations.NullMarked;
