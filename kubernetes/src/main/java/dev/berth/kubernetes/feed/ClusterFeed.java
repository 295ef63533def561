package dev.berth.kubernetes.feed;

import dev.berth.core.cluster.Workload;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.format.Readers;
import dev.berth.kubernetes.projection.JointProjection;
import dev.berth.kubernetes.projection.JointProjection.Joint;
import dev.berth.kubernetes.projection.MetadataProjection;
import dev.berth.kubernetes.projection.NamespaceProjection;
import dev.berth.kubernetes.projection.NodeProjection;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.WorkloadProjection;
import dev.berth.kubernetes.time.Timer;
import dev.berth.kubernetes.watch.KindPath;
import dev.berth.kubernetes.watch.KindSource;
import dev.berth.kubernetes.watch.Listener;
import dev.berth.kubernetes.watch.OutageLog;
import dev.berth.kubernetes.watch.Reflector;
import dev.berth.kubernetes.watch.WatchHealth;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Reads nodes, pods, namespaces and workloads for ever and tells the engine what it sees. Pods are watched without a selector: with
 * one, a pod that finishes would arrive as a deletion.
 */
public final class ClusterFeed implements AutoCloseable {
    private final ApiClient client;
    private final FeedSettings settings;
    private final Reflector.Surroundings surroundings;
    private final Readers readers = new Readers();
    private final Facts facts;
    private final PodListener podListener;
    private final Reflector<ObservedPod> pods;
    private final List<Reflector<?>> others = new ArrayList<>();
    private final Set<Workload.Kind> unlisted = EnumSet.allOf(Workload.Kind.class);
    private boolean namespacesListed;
    private int doorsUnlisted;

    public ClusterFeed(
            ApiClient client,
            FactSink sink,
            PodObserver observer,
            FeedSettings settings,
            Reflector.Surroundings surroundings) {
        this(client, sink, observer, settings, surroundings, DoorFeeds.NONE);
    }

    /** @param doors what the doors read besides */
    public ClusterFeed(
            ApiClient client,
            FactSink sink,
            PodObserver observer,
            FeedSettings settings,
            Reflector.Surroundings surroundings,
            DoorFeeds doors) {
        this.client = client;
        this.settings = settings;
        this.surroundings = surroundings;
        this.facts = new Facts(sink);
        this.podListener = new PodListener(facts, observer);
        this.pods = reflector(KindPath.PODS, new PodProjection(settings::wantsAnnotation), podListener);
        others.add(reflector(
                KindPath.NODES,
                new NodeProjection(settings::wantsAnnotation),
                new NodeListener(facts, doors.onNodes())));
        others.add(reflector(
                KindPath.NAMESPACES, new NamespaceProjection(), new NamespaceListener(facts, this::namespacesListed)));
        for (Workload.Kind kind : Workload.Kind.values()) {
            others.add(doors.objects().stream()
                    .filter(door -> isRead(door, kind))
                    .findFirst()
                    .<Reflector<?>>map(door -> reflector(kind, door))
                    .orElseGet(() -> reflector(KindPath.of(kind), new WorkloadProjection(kind), listener(kind))));
        }
        doorsUnlisted = doors.objects().size();
        doors.objects().stream()
                .filter(door -> Stream.of(Workload.Kind.values()).noneMatch(kind -> isRead(door, kind)))
                .forEach(door -> others.add(reflector(door)));
    }

    /** Whether the watch of the workloads shows all that the door wants to know of them. */
    private static boolean isRead(ObjectFeed<?> door, Workload.Kind kind) {
        return door.kind().equals(KindPath.of(kind)) && door.projection() instanceof MetadataProjection<?>;
    }

    private WorkloadListener listener(Workload.Kind kind) {
        return new WorkloadListener(facts, () -> listed(kind));
    }

    private <T> Reflector<Joint<T>> reflector(Workload.Kind kind, ObjectFeed<T> door) {
        ObjectListener<T> ofDoor = new ObjectListener<>(door, facts, this::doorListed);
        return reflector(
                door.kind(),
                new JointProjection<>(kind, (MetadataProjection<T>) door.projection()),
                new JointListener<>(listener(kind), ofDoor));
    }

    private <T> Reflector<T> reflector(ObjectFeed<T> door) {
        return reflector(door.kind(), door.projection(), new ObjectListener<>(door, facts, this::doorListed));
    }

    /** With the timer on the thread on which the client's streams are read, where everything here happens. */
    public static Reflector.Surroundings surroundings(ApiClient client, InstantSource clock, RandomGenerator random) {
        Timer timer = Timer.on(client.streamThread());
        return new Reflector.Surroundings(timer, clock, random, new OutageLog(timer, client.server()));
    }

    /**
     * Begins to read.
     *
     * @param podsAfter where given, deletions of pods between this version and the first list are told as well
     */
    public void start(Optional<String> podsAfter) {
        if (doorsUnlisted == 0) {
            surroundings.timer().after(Duration.ZERO, () -> facts.listed(FactSink.Source.DOORS));
        }
        others.forEach(Reflector::start);
        podsAfter.ifPresentOrElse(pods::startAfter, pods::start);
    }

    /** How the watch of each kind goes, from any thread. */
    public List<WatchHealth.State> watches() {
        return Stream.concat(Stream.of(pods), others.stream())
                .map(kind -> kind.health().state())
                .sorted(Comparator.comparing(WatchHealth.State::kind))
                .toList();
    }

    /** The version up to which the engine was told of pods; empty at first. */
    public String podsReached() {
        return podListener.version();
    }

    /** Ends the reading, even while the engine makes it wait. The client stays open. */
    @Override
    public void close() {
        others.forEach(Reflector::stop);
        pods.stop();
        facts.close();
    }

    private void listed(Workload.Kind kind) {
        if (unlisted.remove(kind)) {
            tellWhenListed();
        }
    }

    private void namespacesListed() {
        if (!namespacesListed) {
            namespacesListed = true;
            tellWhenListed();
        }
    }

    /** Namespaces are listed together with workloads: what pods are to each other depends on both. */
    private void tellWhenListed() {
        if (namespacesListed && unlisted.isEmpty()) {
            facts.listed(FactSink.Source.WORKLOADS);
        }
    }

    private void doorListed() {
        doorsUnlisted--;
        if (doorsUnlisted == 0) {
            facts.listed(FactSink.Source.DOORS);
        }
    }

    private <T> Reflector<T> reflector(KindPath kind, Projection<T> projection, Listener<T> listener) {
        KindSource<T> source =
                new KindSource<>(client, kind, projection, readers, settings.partSize(), surroundings.random());
        return new Reflector<>(kind.plural(), source, listener, surroundings, settings.reflector());
    }
}
