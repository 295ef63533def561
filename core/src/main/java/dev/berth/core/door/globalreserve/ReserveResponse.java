package dev.berth.core.door.globalreserve;

import dev.berth.core.door.globalreserve.ReserveRequest.PodAssignment;
import java.util.List;

/**
 * The response to a reserve or unreserve request, in the established format of the Reserve API.
 *
 * @param requestValid whether the request is valid; only then are there failed pods
 * @param failedPods the names of the pods that do not fit, in the order of the request
 * @param error empty on success, else the reason of the failure
 * @param details for each failed pod the reason, with amounts
 */
public record ReserveResponse(boolean requestValid, List<String> failedPods, String error, List<String> details) {
    public static final String NODE_NOT_FOUND = "Node does not exist";
    public static final String INSUFFICIENT_RESOURCES = "Node does not have enough resource";
    public static final String SCHEDULER_NAME_MISSING = "Scheduler name is not specified";
    public static final String HOST_PORT_CONFLICT = "Node does not have the host port free";

    public static final ReserveResponse SUCCESS = new ReserveResponse(true, List.of(), "", List.of());

    public ReserveResponse {
        failedPods = List.copyOf(failedPods);
        details = List.copyOf(details);
        if (error.isEmpty() && !failedPods.isEmpty()) {
            throw new IllegalArgumentException("failedPods %s without an error".formatted(failedPods));
        }
    }

    public static ReserveResponse rejected(List<String> failedPods, String error, List<String> details) {
        return new ReserveResponse(true, failedPods, error, details);
    }

    /** What another scheduler reserved is not released. */
    static ReserveResponse notReleased(String scheduler, List<PodAssignment> foreign) {
        List<String> details = foreign.stream()
                .map(podAssignment -> "Pod %s: its place stays, because it was not reserved under the SchedulerName %s"
                        .formatted(podAssignment.pod(), scheduler))
                .toList();
        String others = foreign.size() == 1 ? "" : " (and %d more pods)".formatted(foreign.size() - 1);
        return rejected(
                ReserveRequest.podNames(foreign),
                "Not released: %s%s. Send the SchedulerName that reserved it".formatted(details.get(0), others),
                details);
    }

    public static ReserveResponse invalidRequest(String error) {
        return new ReserveResponse(false, List.of(), error, List.of());
    }

    /** Whether the group would fit if other pods or holds used less. */
    boolean isInsufficientRoom() {
        return error.equals(INSUFFICIENT_RESOURCES) || error.equals(HOST_PORT_CONFLICT);
    }

    public boolean succeeded() {
        return error.isEmpty();
    }
}
