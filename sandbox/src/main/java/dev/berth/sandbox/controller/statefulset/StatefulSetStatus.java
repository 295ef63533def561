package dev.berth.sandbox.controller.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import java.time.Instant;
import java.util.List;

/** Counts the pods of a StatefulSet. */
record StatefulSetStatus(StatefulSetView set, List<ObjectNode> pods, int ready, int available) {

    static StatefulSetStatus count(StatefulSetView set, List<ObjectNode> pods, Instant now) {
        List<ObjectNode> ready = pods.stream()
                .filter(pod -> Pods.phase(pod).equals("Running") && Pods.isReady(pod))
                .toList();
        int available = (int) ready.stream()
                .filter(pod -> Pods.isAvailable(pod, set.minReady(), now))
                .count();
        return new StatefulSetStatus(set, List.copyOf(pods), ready.size(), available);
    }

    private int countAtRevision(ControllerRevision revision) {
        return (int) pods.stream()
                .filter(pod -> !ObjectMetaReader.isTerminating(pod))
                .filter(pod -> PodIdentity.revision(pod).equals(revision.name()))
                .count();
    }

    ObjectNode toJson(ControllerRevision current, ControllerRevision update) {
        int updated = countAtRevision(update);
        boolean complete = !set.updatesOnDelete()
                && updated == set.replicas()
                && ready == set.replicas()
                && pods.size() == set.replicas();
        ObjectNode status = NestedFields.newObject();
        status.put("observedGeneration", ObjectMetaReader.generation(set.object()));
        status.put("replicas", pods.size());
        count(status, "readyReplicas", ready);
        count(status, "currentReplicas", complete ? updated : countAtRevision(current));
        count(status, "updatedReplicas", updated);
        status.put("currentRevision", complete ? update.name() : current.name());
        status.put("updateRevision", update.name());
        status.put("availableReplicas", available);
        return status;
    }

    /** The API omits counts of zero. */
    private static void count(ObjectNode status, String field, int count) {
        if (count > 0) {
            status.put(field, count);
        }
    }
}
