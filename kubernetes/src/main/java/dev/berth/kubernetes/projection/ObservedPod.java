package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.Pod;
import java.util.Optional;

/**
 * A pod with the scheduling part of its status.
 *
 * @param generation of its spec, which conditions refer to
 * @param unscheduledCondition the condition PodScheduled if it is False
 */
public record ObservedPod(Pod pod, long generation, Optional<UnscheduledCondition> unscheduledCondition) {
    /** The reason and message of the condition. */
    public record UnscheduledCondition(String reason, String message, long lastTransitionMillis) {}
}
