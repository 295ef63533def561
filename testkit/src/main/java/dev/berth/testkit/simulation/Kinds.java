package dev.berth.testkit.simulation;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.decision.Fact;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.kubernetes.feed.DoorFeeds;
import dev.berth.kubernetes.feed.ObjectFeed;
import dev.berth.kubernetes.projection.NamespaceProjection;
import dev.berth.kubernetes.projection.NodeProjection;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.WorkloadProjection;
import dev.berth.kubernetes.watch.KindPath;
import java.util.ArrayList;
import java.util.List;

/** The kinds that Berth reads. */
final class Kinds {
    private final ApiClient client;
    private final DoorFeeds doors;

    Kinds(ApiClient client, DoorFeeds doors) {
        this.client = client;
        this.doors = doors;
    }

    List<Kind<?>> all() {
        List<Kind<?>> kinds = new ArrayList<>();
        kinds.add(new Kind<>(
                Resource.NODES,
                new NodeProjection(key -> true),
                this::nodeSeen,
                gone -> new Fact.NodeGone(new NodeUid(Kind.uid(gone)))));
        kinds.add(pods());
        kinds.add(new Kind<>(
                Resource.NAMESPACES,
                new NamespaceProjection(),
                Fact.NamespaceSeen::new,
                gone -> new Fact.NamespaceGone(
                        gone.path("metadata").path("name").asText())));
        kinds.add(workloads(Resource.REPLICA_SETS, Workload.Kind.REPLICA_SET));
        kinds.add(workloads(Resource.STATEFUL_SETS, Workload.Kind.STATEFUL_SET));
        doors.objects().stream()
                .filter(feed -> !feed.kind().optional() || isOffered(feed.kind()))
                .forEach(feed -> kinds.add(ofDoor(feed)));
        return kinds;
    }

    static Kind<ObservedPod> pods() {
        return new Kind<>(
                Resource.PODS,
                new PodProjection(key -> true),
                seen -> new Fact.PodSeen(seen.pod()),
                gone -> new Fact.PodGone(new PodUid(Kind.uid(gone))));
    }

    /** Where a server is without a kind there is nothing to read, as over the network. */
    private boolean isOffered(KindPath kind) {
        try {
            client.list(resource(kind), Selection.ALL, 1, "");
            return true;
        } catch (ApiException refused) {
            if (refused.notFound()) {
                return false;
            }
            throw refused;
        }
    }

    /** What doors read on a node comes with the node. */
    private Fact nodeSeen(Node node) {
        List<Fact> read = new ArrayList<>();
        read.add(new Fact.NodeSeen(node));
        doors.onNodes().forEach(reader -> read.add(reader.apply(node)));
        return new Fact.Together(read);
    }

    private static <T> Kind<T> ofDoor(ObjectFeed<T> feed) {
        return new Kind<>(
                resource(feed.kind()),
                feed.projection(),
                feed.seen(),
                gone -> feed.gone().apply(Kind.uid(gone)));
    }

    private static Resource resource(KindPath kind) {
        String[] parts = kind.path().substring(1).split("/", -1);
        boolean core = parts[0].equals("api");
        return new Resource(core ? "" : parts[1], parts[core ? 1 : 2], parts[core ? 2 : 3], kind.plural(), true);
    }

    private static Kind<Workload> workloads(Resource resource, Workload.Kind kind) {
        return new Kind<>(
                resource,
                new WorkloadProjection(kind),
                Fact.WorkloadSeen::new,
                gone -> new Fact.WorkloadGone(new Workload.Key(
                        kind,
                        gone.path("metadata").path("namespace").asText(),
                        gone.path("metadata").path("name").asText())));
    }
}
