package dev.berth.embedded.workload.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import java.time.Instant;
import java.util.List;

/** Counts the pods of a StatefulSet. */
record StatefulSetStatus(StatefulSetView set, List<ObjectNode> pods, int ready, int available) {

    static StatefulSetStatus count(StatefulSetView set, List<ObjectNode> pods, Instant now) {
        List<ObjectNode> ready = pods.stream()
                .filter(pod -> Pods.phase(pod).equals("Running") && Pods.ready(pod))
                .toList();
        int available = (int) ready.stream()
                .filter(pod -> Pods.available(pod, set.minReady(), now))
                .count();
        return new StatefulSetStatus(set, List.copyOf(pods), ready.size(), available);
    }

    private int at(Revision revision) {
        return (int) pods.stream()
                .filter(pod -> !Meta.terminating(pod))
                .filter(pod -> Identity.revision(pod).equals(revision.name()))
                .count();
    }

    ObjectNode toJson(Revision current, Revision update) {
        int updated = at(update);
        boolean complete = !set.updatesOnDelete()
                && updated == set.replicas()
                && ready == set.replicas()
                && pods.size() == set.replicas();
        ObjectNode status = Json.object();
        status.put("observedGeneration", Meta.generation(set.object()));
        status.put("replicas", pods.size());
        count(status, "readyReplicas", ready);
        count(status, "currentReplicas", complete ? updated : at(current));
        count(status, "updatedReplicas", updated);
        status.put("currentRevision", complete ? update.name() : current.name());
        status.put("updateRevision", update.name());
        status.put("availableReplicas", available);
        return status;
    }

    /** The API leaves counts of nothing out. */
    private static void count(ObjectNode status, String field, int count) {
        if (count > 0) {
            status.put(field, count);
        }
    }
}
