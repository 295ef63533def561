package dev.berth.client;

import java.util.List;

/**
 * A group of pods and the nodes that their scheduler wants to bind them to.
 *
 * @param schedulerName the requesting scheduler
 */
public record ReserveRequest(String schedulerName, List<PodAssignment> assignments) {
    /** One pod and its node. */
    public record PodAssignment(Pod pod, String nodeName) {}

    public ReserveRequest {
        assignments = List.copyOf(assignments);
    }
}
