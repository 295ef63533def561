/** Pods that take the place of others: who goes, how, for whom, and for whom nobody does. */
@NullMarked
package dev.berth.e2e.scenario.preemption;

import org.jspecify.annotations.NullMarked;
