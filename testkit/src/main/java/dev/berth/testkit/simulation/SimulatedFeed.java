package dev.berth.testkit.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.decision.Fact;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.Page;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.transport.WatchEvent;
import dev.berth.embedded.client.transport.WatchStream;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.feed.DoorFeeds;
import dev.berth.kubernetes.format.Readers;
import dev.berth.kubernetes.projection.ObservedPod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import java.util.random.RandomGenerator;

/** Lists once, then polls the watches of everything Berth reads, through the same projections as over the network. */
final class SimulatedFeed {
    private static final Duration LIFE = Duration.ofDays(365);

    /** A watch and what it has shown so far, by UID. */
    private static final class Open<T> {
        private final Kind<T> kind;
        private final Map<String, ObjectNode> shown = new TreeMap<>();
        private WatchStream stream;
        /** Up to where it has been read. */
        private String version;

        private Open(Kind<T> kind, WatchStream stream, String version) {
            this.kind = kind;
            this.stream = stream;
            this.version = version;
        }
    }

    private final RandomGenerator dice;
    private final IntSupplier brokenWatches;
    private final ApiClient client;
    private final Kinds kinds;
    private final Readers readers = new Readers();
    private final List<Open<?>> watches = new ArrayList<>();

    SimulatedFeed(ApiClient client, DoorFeeds doors, RandomGenerator dice, IntSupplier brokenWatches) {
        this.client = client;
        this.kinds = new Kinds(client, doors);
        this.dice = dice;
        this.brokenWatches = brokenWatches;
    }

    /** Nobody reads any more. */
    void close() {
        watches.forEach(open -> open.stream.close());
    }

    /**
     * Lists everything.
     *
     * @param past the version of pods after which deletions are replayed; empty when they are forgotten
     */
    void start(Optional<String> past, FactSink sink) throws InterruptedException {
        for (Kind<?> kind : kinds.all()) {
            open(kind, sink);
        }
        if (past.isPresent()) {
            replay(past.get(), sink);
        }
        for (FactSink.Source source : FactSink.Source.values()) {
            sink.listed(source);
        }
    }

    /** The version up to which pods have been read. */
    String podsReached() {
        return watches.stream()
                .filter(open -> open.kind.resource().equals(Resource.PODS))
                .findFirst()
                .orElseThrow()
                .version;
    }

    /** The facts of a fresh list, as a process that starts now would see them. */
    List<Fact> list() {
        List<Fact> facts = new ArrayList<>();
        kinds.all().forEach(kind -> list(kind, facts));
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

    private <T> void open(Kind<T> kind, FactSink sink) throws InterruptedException {
        Page page = client.list(kind.resource(), Selection.ALL, 0, "");
        Open<T> open = new Open<>(kind, watch(kind, page), page.resourceVersion());
        for (ObjectNode item : page.items()) {
            show(open, item, sink);
        }
        watches.add(open);
    }

    private WatchStream watch(Kind<?> kind, Page from) {
        return watch(kind.resource(), from.resourceVersion());
    }

    private WatchStream watch(Resource resource, String version) {
        return client.watch(resource, Selection.ALL, version, LIFE, () -> {});
    }

    /** Tells of the pods that were deleted after the version: nothing happens between the list and this. */
    private void replay(String past, FactSink sink) throws InterruptedException {
        Kind<ObservedPod> pods = Kinds.pods();
        try (WatchStream stream = watch(Resource.PODS, past)) {
            for (Optional<WatchEvent> event = stream.poll(); event.isPresent(); event = stream.poll()) {
                ObjectNode object = event.get().object();
                if (event.get().type() == WatchEvent.Type.ERROR) {
                    throw new IllegalStateException("the replay failed: " + object);
                }
                if (event.get().type() == WatchEvent.Type.DELETED) {
                    sink.accept(pods.read(object, readers).orElseThrow());
                    sink.accept(pods.gone().apply(object));
                }
            }
        }
        sink.accept(new Fact.DeletionsReplayed());
    }

    private <T> void list(Kind<T> kind, List<Fact> into) {
        Page page = client.list(kind.resource(), Selection.ALL, 0, "");
        page.items().forEach(item -> kind.read(item, readers).ifPresent(into::add));
    }

    /** The past is forgotten: what went meanwhile is known by its absence. */
    private <T> void listAgain(Open<T> open, FactSink sink) throws InterruptedException {
        open.stream.close();
        Page page = client.list(open.kind.resource(), Selection.ALL, 0, "");
        open.stream = watch(open.kind, page);
        open.version = page.resourceVersion();
        Map<String, ObjectNode> before = new TreeMap<>(open.shown);
        page.items().forEach(item -> before.remove(Kind.uid(item)));
        for (ObjectNode gone : before.values()) {
            open.shown.remove(Kind.uid(gone));
            sink.accept(open.kind.gone().apply(gone));
        }
        for (ObjectNode item : page.items()) {
            show(open, item, sink);
        }
    }

    private <T> void show(Open<T> open, ObjectNode object, FactSink sink) throws InterruptedException {
        open.shown.put(Kind.uid(object), object);
        Optional<Fact> fact = open.kind.read(object, readers);
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
        open.version = object.path("metadata").path("resourceVersion").asText();
        switch (event.get().type()) {
            case ADDED, MODIFIED -> show(open, object, sink);
            case DELETED -> {
                open.shown.remove(Kind.uid(object));
                sink.accept(open.kind.gone().apply(object));
            }
            case BOOKMARK -> {}
            case ERROR -> throw new IllegalStateException("the watch failed: " + object);
        }
        return true;
    }
}
