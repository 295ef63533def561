package dev.berth.core.door.reserve;

import dev.berth.core.door.reserve.ReserveRequest.Seat;
import java.util.List;

/**
 * What came of a request for room, as callers of the Reserve API have known it for years.
 *
 * @param understood whether the request made sense; only then are there failed pods
 * @param failedPods the names of the pods that stood in the way, in the order of the request
 * @param error empty when everything is as asked, else why nothing is
 * @param details what stood in each pod's way, with amounts
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

    /** What another scheduler reserved is not released. */
    static ReserveAnswer notReleased(String scheduler, List<Seat> foreign) {
        List<String> details = foreign.stream()
                .map(seat -> "Pod %s: its place was reserved under another SchedulerName than %s, and stays"
                        .formatted(seat.pod(), scheduler))
                .toList();
        String others = foreign.size() == 1 ? "" : " (and %d more pods)".formatted(foreign.size() - 1);
        return refused(
                ReserveRequest.names(foreign),
                "Not released: %s%s. Send the SchedulerName that reserved it".formatted(details.get(0), others),
                details);
    }

    public static ReserveAnswer notUnderstood(String error) {
        return new ReserveAnswer(false, List.of(), error, List.of());
    }

    /** Whether the group would fit if others had less. */
    boolean isForLackOfRoom() {
        return error.equals(NO_ROOM) || error.equals(NO_PORT);
    }

    public boolean done() {
        return error.isEmpty();
    }
}
