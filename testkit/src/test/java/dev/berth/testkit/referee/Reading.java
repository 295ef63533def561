package dev.berth.testkit.referee;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.decision.Fact;
import dev.berth.kubernetes.cursor.Strings;
import dev.berth.kubernetes.door.preemption.Preemptions;
import dev.berth.kubernetes.feed.ObjectFeed;
import dev.berth.kubernetes.json.JsonCursor;
import dev.berth.kubernetes.projection.NamespaceProjection;
import dev.berth.kubernetes.projection.NodeProjection;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.WorkloadProjection;
import dev.berth.kubernetes.volume.VolumeObjects;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Berth's own reading of API objects, as its feeds do it. */
final class Reading {
    private final Strings strings = new Strings();
    private final PodProjection pods = new PodProjection(annotation -> true);
    private final NodeProjection nodes = new NodeProjection(annotation -> true);
    private final NamespaceProjection namespaces = new NamespaceProjection();
    private final List<ObjectFeed<?>> feeds = Stream.of(Preemptions.feeds(), VolumeObjects.feeds())
            .flatMap(door -> door.objects().stream())
            .toList();

    Pod pod(ObjectNode object) {
        return read(pods, object).map(ObservedPod::pod).orElseThrow();
    }

    Fact seen(ObjectNode object) {
        return switch (Objects.kind(object)) {
            case "Node" -> new Fact.NodeSeen(read(nodes, object).orElseThrow());
            case "Pod" -> new Fact.PodSeen(pod(object));
            case "Namespace" -> new Fact.NamespaceSeen(read(namespaces, object).orElseThrow());
            case "Service", "ReplicationController", "ReplicaSet", "StatefulSet" ->
                read(new WorkloadProjection(workload(object)), object)
                        .<Fact>map(Fact.WorkloadSeen::new)
                        .orElseGet(() -> gone(object));
            default -> seen(feed(object), object);
        };
    }

    Fact gone(ObjectNode object) {
        return switch (Objects.kind(object)) {
            case "Node" -> new Fact.NodeGone(new NodeUid(Objects.uid(object)));
            case "Pod" -> new Fact.PodGone(new PodUid(Objects.uid(object)));
            case "Namespace" -> new Fact.NamespaceGone(Objects.name(object));
            case "Service", "ReplicationController", "ReplicaSet", "StatefulSet" ->
                new Fact.WorkloadGone(
                        new Workload.Key(workload(object), Objects.namespace(object), Objects.name(object)));
            default -> feed(object).gone().apply(Objects.uid(object));
        };
    }

    private <T> Fact seen(ObjectFeed<T> feed, ObjectNode object) {
        return read(feed.projection(), object)
                .map(feed.seen())
                .orElseGet(() -> feed.gone().apply(Objects.uid(object)));
    }

    private ObjectFeed<?> feed(ObjectNode object) {
        String plural = plural(Objects.kind(object).toLowerCase(Locale.ROOT));
        return feeds.stream()
                .filter(feed -> feed.kind().plural().equals(plural))
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
        return switch (Objects.kind(object)) {
            case "Service" -> Workload.Kind.SERVICE;
            case "ReplicationController" -> Workload.Kind.REPLICATION_CONTROLLER;
            case "ReplicaSet" -> Workload.Kind.REPLICA_SET;
            case "StatefulSet" -> Workload.Kind.STATEFUL_SET;
            default -> throw new IllegalArgumentException("(%s) is no workload".formatted(Objects.kind(object)));
        };
    }

    /** Empty where there is nothing to know of the object. */
    private <T> Optional<T> read(Projection<T> projection, ObjectNode object) {
        byte[] json = Objects.bytes(object);
        try (JsonCursor in = new JsonCursor(strings, json, 0, json.length)) {
            var seen = projection.read(in);
            if (!seen.problem().isEmpty()) {
                throw new Referee.Mistrial(seen.problem());
            }
            return seen.view();
        }
    }
}
