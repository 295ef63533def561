package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.Pod;
import java.util.Optional;

/**
 * A pod and what its status says about scheduling.
 *
 * @param generation of its specification, which conditions refer to
 * @param unscheduled the condition PodScheduled where it is False
 */
public record ObservedPod(Pod pod, long generation, Optional<Unscheduled> unscheduled) {
    /** Why a pod is not scheduled, in the words of whoever wrote it. */
    public record Unscheduled(String reason, String message, long sinceMillis) {}
}
