/** The disruption controller: how many pods of a PodDisruptionBudget may be evicted now. */
@NullMarked
package dev.berth.embedded.workload.disruption;

import org.jspecify.annotations.NullMarked;
