package dev.berth.client;

import java.util.List;

/**
 * The result of a request.
 *
 * @param requestValid whether Berth could read the request; only then are there failed pods
 * @param failedPods the names of the pods that cannot be placed, in the order of the request
 * @param error empty if the request succeeded, else why nothing was reserved or released
 * @param details the reason for each pod, with amounts
 */
public record ReserveResponse(boolean requestValid, List<String> failedPods, String error, List<String> details) {
    /** What Berth answers to a request without a scheduler name. */
    static final String SCHEDULER_NAME_MISSING = "Scheduler name is not specified";

    public static final ReserveResponse SUCCESS = new ReserveResponse(true, List.of(), "", List.of());

    public ReserveResponse {
        failedPods = List.copyOf(failedPods);
        details = List.copyOf(details);
    }

    static ReserveResponse rejected(List<String> failedPods, String error, List<String> details) {
        return new ReserveResponse(true, failedPods, error, details);
    }

    public static ReserveResponse invalidRequest(String error) {
        return new ReserveResponse(false, List.of(), error, List.of());
    }

    public boolean succeeded() {
        return error.isEmpty();
    }
}
