package dev.berth.testkit.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.decision.Fact;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.Page;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.transport.WatchEvent;
import dev.berth.embedded.client.transport.WatchStream;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.feed.DoorFeeds;
import dev.berth.kubernetes.feed.ObjectFeed;
import dev.berth.kubernetes.format.Format;
import dev.berth.kubernetes.format.Readers;
import dev.berth.kubernetes.projection.NamespaceProjection;
import dev.berth.kubernetes.projection.NodeProjection;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Seen;
import dev.berth.kubernetes.projection.WorkloadProjection;
import dev.berth.kubernetes.watch.KindPath;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

/** Lists once, then polls the watches of everything Berth reads, through the same projections as over the network. */
final class SimulatedFeed {
    private static final Duration LIFE = Duration.ofDays(365);

    private record Kind<T>(
            Resource resource, Projection<T> projection, Function<T, Fact> seen, Function<ObjectNode, Fact> gone) {}

    /** A watch and what it has shown so far, by UID. */
    private static final class Open<T> {
        private final Kind<T> kind;
        private final Map<String, ObjectNode> shown = new TreeMap<>();
        private WatchStream stream;

        private Open(Kind<T> kind, WatchStream stream) {
            this.kind = kind;
            this.stream = stream;
        }
    }

    private final RandomGenerator dice;
    private final IntSupplier brokenWatches;
    private final ApiClient client;
    private final DoorFeeds doors;
    private final Readers readers = new Readers();
    private final List<Open<?>> watches = new ArrayList<>();

    SimulatedFeed(ApiClient client, DoorFeeds doors, RandomGenerator dice, IntSupplier brokenWatches) {
        this.client = client;
        this.doors = doors;
        this.dice = dice;
        this.brokenWatches = brokenWatches;
    }

    /** Nobody reads any more. */
    void close() {
        watches.forEach(open -> open.stream.close());
    }

    void start(FactSink sink) throws InterruptedException {
        for (Kind<?> kind : kinds()) {
            open(kind, sink);
        }
        for (FactSink.Source source : FactSink.Source.values()) {
            sink.listed(source);
        }
    }

    /** The facts of a fresh list, as a process that starts now would see them. */
    List<Fact> list() {
        List<Fact> facts = new ArrayList<>();
        kinds().forEach(kind -> list(kind, facts));
        return facts;
    }

    /**
     * Takes at most so many events of each watch.
     *
     * @return whether there were any
     */
    boolean step(FactSink sink, int most) throws InterruptedException {
        boolean any = false;
        for (Open<?> open : watches) {
            for (int i = 0; i < most && poll(open, sink); i++) {
                any = true;
            }
        }
        return any;
    }

    private List<Kind<?>> kinds() {
        List<Kind<?>> kinds = new ArrayList<>();
        kinds.add(new Kind<>(
                Resource.NODES,
                new NodeProjection(key -> true),
                this::nodeSeen,
                gone -> new Fact.NodeGone(new NodeUid(uid(gone)))));
        kinds.add(new Kind<>(
                Resource.PODS,
                new PodProjection(key -> true),
                seen -> new Fact.PodSeen(seen.pod()),
                gone -> new Fact.PodGone(new PodUid(uid(gone)))));
        kinds.add(new Kind<>(
                Resource.NAMESPACES,
                new NamespaceProjection(),
                Fact.NamespaceSeen::new,
                gone -> new Fact.NamespaceGone(
                        gone.path("metadata").path("name").asText())));
        kinds.add(workloads(Resource.REPLICA_SETS, Workload.Kind.REPLICA_SET));
        kinds.add(workloads(Resource.STATEFUL_SETS, Workload.Kind.STATEFUL_SET));
        doors.objects().forEach(feed -> kinds.add(ofDoor(feed)));
        return kinds;
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
                gone -> feed.gone().apply(uid(gone)));
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

    private <T> void open(Kind<T> kind, FactSink sink) throws InterruptedException {
        Page page = client.list(kind.resource(), Selection.ALL, 0, "");
        Open<T> open = new Open<>(kind, watch(kind, page));
        for (ObjectNode item : page.items()) {
            show(open, item, sink);
        }
        watches.add(open);
    }

    private WatchStream watch(Kind<?> kind, Page from) {
        return client.watch(kind.resource(), Selection.ALL, from.resourceVersion(), LIFE, () -> {});
    }

    private <T> void list(Kind<T> kind, List<Fact> into) {
        Page page = client.list(kind.resource(), Selection.ALL, 0, "");
        page.items().forEach(item -> project(kind, item).ifPresent(into::add));
    }

    /** The past is forgotten: what went meanwhile is known by its absence. */
    private <T> void listAgain(Open<T> open, FactSink sink) throws InterruptedException {
        open.stream.close();
        Page page = client.list(open.kind.resource(), Selection.ALL, 0, "");
        open.stream = watch(open.kind, page);
        Map<String, ObjectNode> before = new TreeMap<>(open.shown);
        page.items().forEach(item -> before.remove(uid(item)));
        for (ObjectNode gone : before.values()) {
            open.shown.remove(uid(gone));
            sink.accept(open.kind.gone().apply(gone));
        }
        for (ObjectNode item : page.items()) {
            show(open, item, sink);
        }
    }

    private <T> void show(Open<T> open, ObjectNode object, FactSink sink) throws InterruptedException {
        open.shown.put(uid(object), object);
        Optional<Fact> fact = project(open.kind, object);
        if (fact.isPresent()) {
            sink.accept(fact.get());
        }
    }

    private <T> boolean poll(Open<T> open, FactSink sink) throws InterruptedException {
        int broken = brokenWatches.getAsInt();
        if (broken > 0 && dice.nextInt(1_000) < broken) {
            listAgain(open, sink);
        }
        Optional<WatchEvent> event = open.stream.poll();
        if (event.isEmpty()) {
            return false;
        }
        ObjectNode object = event.get().object();
        switch (event.get().type()) {
            case ADDED, MODIFIED -> show(open, object, sink);
            case DELETED -> {
                open.shown.remove(uid(object));
                sink.accept(open.kind.gone().apply(object));
            }
            case BOOKMARK -> {}
            case ERROR -> throw new IllegalStateException("the watch failed: " + object);
        }
        return true;
    }

    private <T> Optional<Fact> project(Kind<T> kind, ObjectNode object) {
        List<Seen<T>> seen = new ArrayList<>(1);
        readers.object(
                Format.JSON,
                Json.bytes(object),
                cursor -> seen.add(kind.projection().read(cursor)));
        Seen<T> one = seen.get(0);
        if (!one.problem().isEmpty()) {
            throw new IllegalStateException(one.problem());
        }
        return one.view().map(kind.seen());
    }

    private static String uid(ObjectNode object) {
        return object.path("metadata").path("uid").asText();
    }
}
