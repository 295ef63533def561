package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.JsonNode;

/** The differences that stay and cannot be kept out of trials. docs/parity.md has them all, with the reasons. */
final class Known {
    private Known() {}

    /**
     * Whether a pod is to be spread, and would have to send others away, among pods that are leaving: those do not count as
     * there, but kube-scheduler counts one less for each of them that it imagines away.
     */
    static boolean explains(Trial trial, Difference difference) {
        boolean leaving = trial.steps().subList(0, difference.step()).stream()
                .map(Step::object)
                .anyMatch(object -> object.path("metadata").has("deletionTimestamp"));
        return difference.kind() == Difference.Kind.VICTIMS
                && leaving
                && spreads(trial.steps().get(difference.step()).object());
    }

    private static boolean spreads(JsonNode pod) {
        for (JsonNode constraint : pod.path("spec").path("topologySpreadConstraints")) {
            if (constraint.path("whenUnsatisfiable").asText().equals("DoNotSchedule")) {
                return true;
            }
        }
        return false;
    }
}
