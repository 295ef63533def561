package dev.berth.sandbox.unstructured;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reads the spec and the status of pods. */
public final class Pods {
    private Pods() {}

    public static String nodeName(JsonNode pod) {
        return NestedFields.text(pod, "spec", "nodeName");
    }

    public static String phase(JsonNode pod) {
        return NestedFields.text(pod, "status", "phase");
    }

    /** Succeeded or Failed: it will not run again. */
    public static boolean isTerminal(JsonNode pod) {
        String phase = phase(pod);
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    /** Neither finished nor being deleted. */
    public static boolean isActive(JsonNode pod) {
        return !isTerminal(pod) && !ObjectMetaReader.isTerminating(pod);
    }

    public static boolean isReady(JsonNode pod) {
        return StatusConditions.isTrue(pod, "Ready");
    }

    /** Since when the pod is ready; empty when it is not or does not say. */
    public static Optional<Instant> readySince(JsonNode pod) {
        return StatusConditions.findInObject(pod, "Ready")
                .filter(condition -> StatusConditions.hasStatus(condition, "True"))
                .flatMap(condition -> TimestampFormat.parse(condition.path("lastTransitionTime")));
    }

    /** Whether the pod has been ready for at least that long. */
    public static boolean isAvailable(JsonNode pod, Duration minReady, Instant now) {
        return availableAt(pod, minReady).filter(at -> !at.isAfter(now)).isPresent();
    }

    /** When a pod that stays ready counts as available. */
    public static Optional<Instant> availableAt(JsonNode pod, Duration minReady) {
        if (!isReady(pod)) {
            return Optional.empty();
        }
        if (minReady.isZero()) {
            return Optional.of(Instant.MIN);
        }
        return readySince(pod).map(since -> since.plus(minReady));
    }

    /** The most restarts of any one of its containers. */
    public static int maxRestartCount(JsonNode pod) {
        int limit = 0;
        for (JsonNode container : NestedFields.at(pod, "status", "containerStatuses")) {
            limit = Math.max(limit, container.path("restartCount").asInt(0));
        }
        return limit;
    }
}
