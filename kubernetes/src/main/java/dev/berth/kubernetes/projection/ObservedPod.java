package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.Pod;
import java.util.Optional;

/**
 * A pod and what its status says about scheduling.
 *
 * @param generation of its specification, which conditions refer to
 * @param unscheduledCondition the condition PodScheduled where it is False
 */
public record ObservedPod(Pod pod, long generation, Optional<UnscheduledCondition> unscheduledCondition) {
    /** Why a pod is not scheduled, in the words of whoever wrote it. */
    public record UnscheduledCondition(String reason, String message, long lastTransitionMillis) {}
}
