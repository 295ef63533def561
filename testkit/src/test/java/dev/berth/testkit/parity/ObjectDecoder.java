package dev.berth.testkit.parity;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.fact.Fact;
import dev.berth.kubernetes.cursor.StringInterner;
import dev.berth.kubernetes.informer.WatchedResource;
import dev.berth.kubernetes.json.JsonCursor;
import dev.berth.kubernetes.preemption.PreemptionApi;
import dev.berth.kubernetes.projection.NamespaceProjection;
import dev.berth.kubernetes.projection.NodeProjection;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.WorkloadProjection;
import dev.berth.kubernetes.volumebinding.VolumeBindingApi;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Berth's own reading of API objects, as its watches do it. */
final class ObjectDecoder {
    private final StringInterner stringInterner = new StringInterner();
    private final PodProjection pods = new PodProjection(annotation -> true);
    private final NodeProjection nodes = new NodeProjection(annotation -> true);
    private final NamespaceProjection namespaces = new NamespaceProjection();
    private final List<WatchedResource<?>> resources = Stream.of(
                    PreemptionApi.informers(), VolumeBindingApi.informers())
            .flatMap(door -> door.resources().stream())
            .toList();

    Pod pod(ObjectNode object) {
        return read(pods, object).map(ObservedPod::pod).orElseThrow();
    }

    Fact upsertFact(ObjectNode object) {
        return switch (ApiObjects.kind(object)) {
            case "Node" -> new Fact.NodeUpserted(read(nodes, object).orElseThrow());
            case "Pod" -> new Fact.PodUpserted(pod(object));
            case "Namespace" ->
                new Fact.NamespaceUpserted(read(namespaces, object).orElseThrow());
            case "Service", "ReplicationController", "ReplicaSet", "StatefulSet" ->
                read(new WorkloadProjection(workload(object)), object)
                        .<Fact>map(Fact.WorkloadUpserted::new)
                        .orElseGet(() -> deleteFact(object));
            default -> upsertFact(watched(object), object);
        };
    }

    Fact deleteFact(ObjectNode object) {
        return switch (ApiObjects.kind(object)) {
            case "Node" -> new Fact.NodeDeleted(new NodeUid(ApiObjects.uid(object)));
            case "Pod" -> new Fact.PodDeleted(new PodUid(ApiObjects.uid(object)));
            case "Namespace" -> new Fact.NamespaceDeleted(ApiObjects.name(object));
            case "Service", "ReplicationController", "ReplicaSet", "StatefulSet" ->
                new Fact.WorkloadDeleted(new Workload.WorkloadKey(
                        workload(object), ApiObjects.namespace(object), ApiObjects.name(object)));
            default -> watched(object).deleteFact().apply(ApiObjects.uid(object));
        };
    }

    private <T> Fact upsertFact(WatchedResource<T> watched, ObjectNode object) {
        return read(watched.projection(), object)
                .map(watched.upsertFact())
                .orElseGet(() -> watched.deleteFact().apply(ApiObjects.uid(object)));
    }

    private WatchedResource<?> watched(ObjectNode object) {
        String plural = plural(ApiObjects.kind(object).toLowerCase(Locale.ROOT));
        return resources.stream()
                .filter(watched -> watched.resource().plural().equals(plural))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nobody reads (%s)".formatted(plural)));
    }

    private static String plural(String word) {
        if (word.endsWith("y")) {
            return word.substring(0, word.length() - 1) + "ies";
        }
        return word + (word.endsWith("s") ? "es" : "s");
    }

    private static Workload.Kind workload(ObjectNode object) {
        return switch (ApiObjects.kind(object)) {
            case "Service" -> Workload.Kind.SERVICE;
            case "ReplicationController" -> Workload.Kind.REPLICATION_CONTROLLER;
            case "ReplicaSet" -> Workload.Kind.REPLICA_SET;
            case "StatefulSet" -> Workload.Kind.STATEFUL_SET;
            default -> throw new IllegalArgumentException("(%s) is no workload".formatted(ApiObjects.kind(object)));
        };
    }

    /** Empty where there is nothing to know of the object. */
    private <T> Optional<T> read(Projection<T> projection, ObjectNode object) {
        byte[] json = ApiObjects.bytes(object);
        try (JsonCursor in = new JsonCursor(stringInterner, json, 0, json.length)) {
            var readResult = projection.read(in);
            if (!readResult.problem().isEmpty()) {
                throw new KubeSchedulerReferee.InvalidTraceException(readResult.problem());
            }
            return readResult.view();
        }
    }
}
