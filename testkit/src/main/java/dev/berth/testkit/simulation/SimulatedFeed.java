package dev.berth.testkit.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.fact.Fact;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.format.StreamReaders;
import dev.berth.kubernetes.informer.ComponentInformers;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ListPage;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.transport.WatchEvent;
import dev.berth.sandbox.client.transport.WatchStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

/**
 * Lists once, then polls the watches of everything that Berth reads, through the same projections as over the network.
 */
final class SimulatedFeed {
    private static final Duration WATCH_TIMEOUT = Duration.ofDays(365);

    /** A watch with the objects that it has shown so far, by UID. */
    private static final class OpenWatch<T> {
        private final WatchedKind<T> kind;
        private final Map<String, ObjectNode> shown = new TreeMap<>();
        private WatchStream stream;
        /** The version up to which it has been read. */
        private String version;

        private OpenWatch(WatchedKind<T> kind, WatchStream stream, String version) {
            this.kind = kind;
            this.stream = stream;
            this.version = version;
        }
    }

    private final RandomGenerator random;
    private final IntSupplier brokenWatches;
    private final DynamicClient client;
    private final WatchedKinds kinds;
    private final StreamReaders readers = new StreamReaders();
    private final List<OpenWatch<?>> watches = new ArrayList<>();

    SimulatedFeed(
            DynamicClient client, ComponentInformers components, RandomGenerator random, IntSupplier brokenWatches) {
        this.client = client;
        this.kinds = new WatchedKinds(client, components);
        this.random = random;
        this.brokenWatches = brokenWatches;
    }

    /** Stops reading. */
    void close() {
        watches.forEach(openWatch -> openWatch.stream.close());
    }

    /**
     * Lists everything.
     *
     * @param resumeVersion the pod resourceVersion after which deletions are replayed; empty if they are lost
     */
    void start(Optional<String> resumeVersion, FactSink sink) throws InterruptedException {
        for (WatchedKind<?> kind : kinds.all()) {
            open(kind, sink);
        }
        if (resumeVersion.isPresent()) {
            replay(resumeVersion.get(), sink);
        }
        for (FactSink.ListedKind listedKind : FactSink.ListedKind.values()) {
            sink.onListed(listedKind);
        }
    }

    /** The version up to which pods have been read. */
    String podsReached() {
        return watches.stream()
                .filter(openWatch -> openWatch.kind.restMapping().equals(RestMapping.PODS))
                .findFirst()
                .orElseThrow()
                .version;
    }

    /** The facts of a fresh list, as a process that starts now would read them. */
    List<Fact> list() {
        List<Fact> facts = new ArrayList<>();
        kinds.all().forEach(kind -> list(kind, facts));
        return facts;
    }

    /**
     * Reads at most so many events of each watch.
     *
     * @return whether there were any
     */
    boolean step(FactSink sink, int maxEvents) throws InterruptedException {
        boolean any = false;
        for (OpenWatch<?> openWatch : watches) {
            for (int i = 0; i < maxEvents && poll(openWatch, sink); i++) {
                any = true;
            }
        }
        return any;
    }

    private <T> void open(WatchedKind<T> kind, FactSink sink) throws InterruptedException {
        ListPage page = client.list(kind.restMapping(), ListScope.ALL, 0, "");
        OpenWatch<T> openWatch = new OpenWatch<>(kind, watch(kind, page), page.resourceVersion());
        for (ObjectNode item : page.items()) {
            applyUpsert(openWatch, item, sink);
        }
        watches.add(openWatch);
    }

    private WatchStream watch(WatchedKind<?> kind, ListPage from) {
        return watch(kind.restMapping(), from.resourceVersion());
    }

    private WatchStream watch(RestMapping restMapping, String version) {
        return client.watch(restMapping, ListScope.ALL, version, WATCH_TIMEOUT, () -> {});
    }

    /** Publishes the pods that were deleted after the version: nothing happens between the list and this. */
    private void replay(String resumeVersion, FactSink sink) throws InterruptedException {
        WatchedKind<ObservedPod> pods = WatchedKinds.pods();
        try (WatchStream stream = watch(RestMapping.PODS, resumeVersion)) {
            for (Optional<WatchEvent> event = stream.poll(); event.isPresent(); event = stream.poll()) {
                ObjectNode object = event.get().object();
                if (event.get().type() == WatchEvent.Type.ERROR) {
                    throw new IllegalStateException("the replay failed: " + object);
                }
                if (event.get().type() == WatchEvent.Type.DELETED) {
                    sink.accept(pods.read(object, readers).orElseThrow());
                    sink.accept(pods.toDeleteFact().apply(object));
                }
            }
        }
        sink.accept(new Fact.DeletionsReplayed());
    }

    private <T> void list(WatchedKind<T> kind, List<Fact> into) {
        ListPage page = client.list(kind.restMapping(), ListScope.ALL, 0, "");
        page.items().forEach(item -> kind.read(item, readers).ifPresent(into::add));
    }

    /** The version is expired: deletions in between are found by comparing lists. */
    private <T> void relist(OpenWatch<T> openWatch, FactSink sink) throws InterruptedException {
        openWatch.stream.close();
        ListPage page = client.list(openWatch.kind.restMapping(), ListScope.ALL, 0, "");
        openWatch.stream = watch(openWatch.kind, page);
        openWatch.version = page.resourceVersion();
        Map<String, ObjectNode> before = new TreeMap<>(openWatch.shown);
        page.items().forEach(item -> before.remove(WatchedKind.uid(item)));
        for (ObjectNode deleted : before.values()) {
            openWatch.shown.remove(WatchedKind.uid(deleted));
            sink.accept(openWatch.kind.toDeleteFact().apply(deleted));
        }
        for (ObjectNode item : page.items()) {
            applyUpsert(openWatch, item, sink);
        }
    }

    private <T> void applyUpsert(OpenWatch<T> openWatch, ObjectNode object, FactSink sink) throws InterruptedException {
        openWatch.shown.put(WatchedKind.uid(object), object);
        Optional<Fact> fact = openWatch.kind.read(object, readers);
        if (fact.isPresent()) {
            sink.accept(fact.get());
        }
    }

    private <T> boolean poll(OpenWatch<T> openWatch, FactSink sink) throws InterruptedException {
        int broken = brokenWatches.getAsInt();
        if (broken > 0 && random.nextInt(1_000) < broken) {
            relist(openWatch, sink);
        }
        Optional<WatchEvent> event = openWatch.stream.poll();
        if (event.isEmpty()) {
            return false;
        }
        ObjectNode object = event.get().object();
        openWatch.version = object.path("metadata").path("resourceVersion").asText();
        switch (event.get().type()) {
            case ADDED, MODIFIED -> applyUpsert(openWatch, object, sink);
            case DELETED -> {
                openWatch.shown.remove(WatchedKind.uid(object));
                sink.accept(openWatch.kind.toDeleteFact().apply(object));
            }
            case BOOKMARK -> {}
            case ERROR -> throw new IllegalStateException("the watch failed: " + object);
        }
        return true;
    }
}
