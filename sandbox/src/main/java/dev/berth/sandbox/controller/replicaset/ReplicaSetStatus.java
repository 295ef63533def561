package dev.berth.sandbox.controller.replicaset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import dev.berth.sandbox.unstructured.StatusConditions;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Counts the pods of a replica set. */
final class ReplicaSetStatus {
    private static final String FAILURE = "ReplicaFailure";

    private final ObjectNode set;
    private final List<ObjectNode> active;
    private final int terminating;
    private final Instant now;

    ReplicaSetStatus(ObjectNode set, Collection<ObjectNode> active, int terminating, Instant now) {
        this.set = set;
        this.active = List.copyOf(active);
        this.terminating = terminating;
        this.now = now;
    }

    /** The status to write; a failure to create or delete pods is part of it. */
    ObjectNode calculateStatus(Optional<RuntimeException> failure) {
        Map<String, String> template = NestedFields.map(set, "spec", "template", "metadata", "labels");
        ObjectNode status = NestedFields.copyOf(set, "status");
        status.put("replicas", active.size());
        count(
                status,
                "fullyLabeledReplicas",
                active.stream()
                        .filter(pod -> ObjectMetaReader.labels(pod).entrySet().containsAll(template.entrySet()))
                        .count());
        count(status, "readyReplicas", active.stream().filter(Pods::isReady).count());
        count(
                status,
                "availableReplicas",
                active.stream()
                        .filter(pod -> Pods.isAvailable(pod, minReady(), now))
                        .count());
        status.put("terminatingReplicas", terminating);
        status.put("observedGeneration", ObjectMetaReader.generation(set));
        setReplicaFailure(status, failure);
        return status;
    }

    /** The API omits counts of zero. */
    private static void count(ObjectNode status, String field, long count) {
        if (count == 0) {
            status.remove(field);
        } else {
            status.put(field, (int) count);
        }
    }

    private void setReplicaFailure(ObjectNode status, Optional<RuntimeException> failure) {
        boolean noted = StatusConditions.findInStatus(status, FAILURE).isPresent();
        if (failure.isEmpty()) {
            StatusConditions.remove(status, FAILURE);
        } else if (!noted) {
            int missing = NestedFields.intValue(set, 1, "spec", "replicas") - active.size();
            ObjectNode condition = NestedFields.newObject().put("type", FAILURE).put("status", "True");
            condition.put("lastTransitionTime", TimestampFormat.formatTime(now));
            condition.put("reason", missing > 0 ? "FailedCreate" : "FailedDelete");
            condition.put("message", String.valueOf(failure.get().getMessage()));
            StatusConditions.replaceAtEnd(status, condition);
        }
    }

    private Duration minReady() {
        return Duration.ofSeconds(NestedFields.intValue(set, 0, "spec", "minReadySeconds"));
    }

    /** When the next ready pod becomes available. */
    Optional<Instant> nextAvailable() {
        return active.stream()
                .flatMap(pod -> Pods.availableAt(pod, minReady()).stream())
                .filter(at -> at.isAfter(now))
                .min(Comparator.naturalOrder());
    }
}
