/** The disruption controller: how many pods of a PodDisruptionBudget may be evicted now. */
@NullMarked
package dev.berth.sandbox.controller.disruption;

import org.jspecify.annotations.NullMarked;
