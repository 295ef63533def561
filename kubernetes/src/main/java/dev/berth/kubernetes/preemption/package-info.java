/** Reads PodDisruptionBudgets, and writes the conditions and deletions of preemption victims. */
@NullMarked
package dev.berth.kubernetes.preemption;

import org.jspecify.annotations.NullMarked;
