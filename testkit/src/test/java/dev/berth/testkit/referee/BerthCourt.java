package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.NodeVerdict;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.kubernetes.cursor.Strings;
import dev.berth.kubernetes.json.JsonCursor;
import dev.berth.kubernetes.projection.NamespaceProjection;
import dev.berth.kubernetes.projection.NodeProjection;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Seen;
import dev.berth.kubernetes.projection.WorkloadProjection;
import java.util.SortedMap;
import java.util.TreeMap;

/** Berth's ledger and placement, fed through Berth's own reading of the API objects. */
final class BerthCourt {
    private final Strings strings = new Strings();
    private final Ledger ledger = new Ledger();
    private final Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
    private final PodProjection pods = new PodProjection(annotation -> true);
    private final NodeProjection nodes = new NodeProjection(annotation -> true);

    void tell(ObjectNode object) {
        switch (Objects.kind(object)) {
            case "Node" -> read(nodes, object).view().ifPresent(ledger::put);
            case "Pod" -> ledger.put(pod(object));
            case "Namespace" -> read(new NamespaceProjection(), object).view().ifPresent(ledger::put);
            default ->
                read(new WorkloadProjection(workload(object)), object)
                        .view()
                        .ifPresentOrElse(ledger::put, () -> forget(object));
        }
    }

    void forget(ObjectNode object) {
        switch (Objects.kind(object)) {
            case "Node" -> ledger.removeNode(new NodeUid(Objects.uid(object)));
            case "Pod" -> ledger.removePod(new PodUid(Objects.uid(object)));
            case "Namespace" -> ledger.removeNamespace(Objects.name(object));
            default ->
                ledger.remove(new Workload.Key(workload(object), Objects.namespace(object), Objects.name(object)));
        }
    }

    /** What Berth says of the pod; where it would put it is {@link Ruling#bound}. */
    Ruling rule(ObjectNode probe) {
        Pod pod = pod(probe);
        Placement placement = placer.place(pod);
        if (placement instanceof Placement.Refused refused) {
            return Ruling.refused(refused.summary());
        }
        SortedMap<String, Long> feasible = new TreeMap<>();
        for (NodeVerdict verdict : placer.explain(pod, HoldUse.PREFERRED)) {
            verdict.score().ifPresent(score -> feasible.put(verdict.node(), score));
        }
        return Ruling.placed(feasible, ((Placement.Placed) placement).nodeName());
    }

    private Pod pod(ObjectNode object) {
        return read(pods, object).view().map(ObservedPod::pod).orElseThrow();
    }

    private static Workload.Kind workload(ObjectNode object) {
        return switch (Objects.kind(object)) {
            case "Service" -> Workload.Kind.SERVICE;
            case "ReplicationController" -> Workload.Kind.REPLICATION_CONTROLLER;
            case "ReplicaSet" -> Workload.Kind.REPLICA_SET;
            case "StatefulSet" -> Workload.Kind.STATEFUL_SET;
            default -> throw new IllegalArgumentException("nobody reads a (%s)".formatted(Objects.kind(object)));
        };
    }

    private <T> Seen<T> read(Projection<T> projection, ObjectNode object) {
        byte[] json = Objects.bytes(object);
        try (JsonCursor in = new JsonCursor(strings, json, 0, json.length)) {
            Seen<T> seen = projection.read(in);
            if (!seen.problem().isEmpty()) {
                throw new Referee.Mistrial(seen.problem());
            }
            return seen;
        }
    }
}
