package dev.berth.embedded.client.object;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What a pod's spec and status say to controllers and kubelets. */
public final class Pods {
    private Pods() {}

    public static String node(JsonNode pod) {
        return Json.text(pod, "spec", "nodeName");
    }

    public static String phase(JsonNode pod) {
        return Json.text(pod, "status", "phase");
    }

    /** Succeeded or Failed: it will not run again. */
    public static boolean terminal(JsonNode pod) {
        String phase = phase(pod);
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /** Neither finished nor being deleted. */
    public static boolean active(JsonNode pod) {
        return !terminal(pod) && !Meta.terminating(pod);
    }

    public static boolean ready(JsonNode pod) {
        return Conditions.isTrue(pod, "Ready");
    }

    /** Since when the pod is ready; empty when it is not or does not say. */
    public static Optional<Instant> readySince(JsonNode pod) {
        return Conditions.of(pod, "Ready")
                .filter(condition -> Conditions.is(condition, "True"))
                .flatMap(condition -> Timestamps.read(condition.path("lastTransitionTime")));
    }

    /** Whether the pod has been ready for at least that long. */
    public static boolean available(JsonNode pod, Duration minReady, Instant now) {
        return availableAt(pod, minReady).filter(at -> !at.isAfter(now)).isPresent();
    }

    /** When a pod that stays ready counts as available. */
    public static Optional<Instant> availableAt(JsonNode pod, Duration minReady) {
        if (!ready(pod)) {
            return Optional.empty();
        }
        if (minReady.isZero()) {
            return Optional.of(Instant.MIN);
        }
        return readySince(pod).map(since -> since.plus(minReady));
    }

    /** The most restarts of any one of its containers. */
    public static int restarts(JsonNode pod) {
        int most = 0;
        for (JsonNode container : Json.at(pod, "status", "containerStatuses")) {
            most = Math.max(most, container.path("restartCount").asInt(0));
        }
        return most;
    }
}
