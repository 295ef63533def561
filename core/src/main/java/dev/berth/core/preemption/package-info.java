/**
 * DefaultPreemption, a PostFilter plugin: {@code VictimSearch} finds the victims, a {@code Nomination} holds their
 * resources for the preemptor, {@code NominationReconciler} writes the nominated node, and {@code Evictions} deletes
 * the victims. PodDisruptionBudgets and denied evictions restrict the choice of victims.
 */
@NullMarked
package dev.berth.core.preemption;

import org.jspecify.annotations.NullMarked;
