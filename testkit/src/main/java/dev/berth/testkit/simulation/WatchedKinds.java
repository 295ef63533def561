package dev.berth.testkit.simulation;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.fact.Fact;
import dev.berth.kubernetes.informer.ComponentInformers;
import dev.berth.kubernetes.informer.WatchedResource;
import dev.berth.kubernetes.projection.NamespaceProjection;
import dev.berth.kubernetes.projection.NodeProjection;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.WorkloadProjection;
import dev.berth.kubernetes.watch.ApiResource;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.RestMapping;
import java.util.ArrayList;
import java.util.List;

/** The kinds that Berth reads. */
final class WatchedKinds {
    private final DynamicClient client;
    private final ComponentInformers components;

    WatchedKinds(DynamicClient client, ComponentInformers components) {
        this.client = client;
        this.components = components;
    }

    List<WatchedKind<?>> all() {
        List<WatchedKind<?>> kinds = new ArrayList<>();
        kinds.add(new WatchedKind<>(
                RestMapping.NODES,
                new NodeProjection(key -> true),
                this::nodeSeen,
                deleted -> new Fact.NodeDeleted(new NodeUid(WatchedKind.uid(deleted)))));
        kinds.add(pods());
        kinds.add(new WatchedKind<>(
                RestMapping.NAMESPACES,
                new NamespaceProjection(),
                Fact.NamespaceUpserted::new,
                deleted -> new Fact.NamespaceDeleted(
                        deleted.path("metadata").path("name").asText())));
        kinds.add(workloads(RestMapping.REPLICA_SETS, Workload.Kind.REPLICA_SET));
        kinds.add(workloads(RestMapping.STATEFUL_SETS, Workload.Kind.STATEFUL_SET));
        components.resources().stream()
                .filter(watched -> !watched.resource().optional() || isOffered(watched.resource()))
                .forEach(watched -> kinds.add(ofDoor(watched)));
        return kinds;
    }

    static WatchedKind<ObservedPod> pods() {
        return new WatchedKind<>(
                RestMapping.PODS,
                new PodProjection(key -> true),
                seen -> new Fact.PodUpserted(seen.pod()),
                deleted -> new Fact.PodDeleted(new PodUid(WatchedKind.uid(deleted))));
    }

    /** If a server does not have a kind, there is nothing to read, as over the network. */
    private boolean isOffered(ApiResource kind) {
        try {
            client.list(resource(kind), ListScope.ALL, 1, "");
            return true;
        } catch (ApiException refused) {
            if (refused.isNotFound()) {
                return false;
            }
            throw refused;
        }
    }

    /** The facts that doors read from a node come with the node. */
    private Fact nodeSeen(Node node) {
        List<Fact> read = new ArrayList<>();
        read.add(new Fact.NodeUpserted(node));
        components.nodeReaders().forEach(reader -> read.add(reader.apply(node)));
        return new Fact.Batch(read);
    }

    private static <T> WatchedKind<T> ofDoor(WatchedResource<T> watched) {
        return new WatchedKind<>(
                resource(watched.resource()),
                watched.projection(),
                watched.upsertFact(),
                deleted -> watched.deleteFact().apply(WatchedKind.uid(deleted)));
    }

    private static RestMapping resource(ApiResource kind) {
        String[] parts = kind.path().substring(1).split("/", -1);
        boolean core = parts[0].equals("api");
        return new RestMapping(core ? "" : parts[1], parts[core ? 1 : 2], parts[core ? 2 : 3], kind.plural(), true);
    }

    private static WatchedKind<Workload> workloads(RestMapping restMapping, Workload.Kind kind) {
        return new WatchedKind<>(
                restMapping,
                new WorkloadProjection(kind),
                Fact.WorkloadUpserted::new,
                deleted -> new Fact.WorkloadDeleted(new Workload.WorkloadKey(
                        kind,
                        deleted.path("metadata").path("namespace").asText(),
                        deleted.path("metadata").path("name").asText())));
    }
}
