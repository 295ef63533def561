package dev.berth.core.door.reserve;

import java.util.List;

/**
 * What came of a request for room, as callers of the Reserve API have known it for years.
 *
 * @param understood whether the request made sense; only then are there failed pods
 * @param failedPods the names of the pods that stood in the way, in the order of the request
 * @param error empty when everything is as asked, else why nothing is
 * @param details for the log: what stood in each pod's way, with amounts
 */
public record ReserveAnswer(boolean understood, List<String> failedPods, String error, List<String> details) {
    public static final String NO_NODE = "Node does not exist";
    public static final String NO_ROOM = "Node does not have enough resource";
    public static final String NO_SCHEDULER = "Scheduler name is not specified";
    public static final String NO_PORT = "Node does not have the host port free";

    public static final ReserveAnswer DONE = new ReserveAnswer(true, List.of(), "", List.of());

    public ReserveAnswer {
        failedPods = List.copyOf(failedPods);
        details = List.copyOf(details);
        if (error.isEmpty() && !failedPods.isEmpty()) {
            throw new IllegalArgumentException("failedPods %s without an error".formatted(failedPods));
        }
    }

    public static ReserveAnswer refused(List<String> failedPods, String error, List<String> details) {
        return new ReserveAnswer(true, failedPods, error, details);
    }

    public static ReserveAnswer notUnderstood(String error) {
        return new ReserveAnswer(false, List.of(), error, List.of());
    }

    public boolean done() {
        return error.isEmpty();
    }
}
