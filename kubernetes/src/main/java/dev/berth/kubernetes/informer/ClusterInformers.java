package dev.berth.kubernetes.informer;

import dev.berth.core.cluster.Workload;
import dev.berth.engine.FactSink;
import dev.berth.kubernetes.api.ApiClient;
import dev.berth.kubernetes.format.StreamReaders;
import dev.berth.kubernetes.projection.MetadataProjection;
import dev.berth.kubernetes.projection.NamespaceProjection;
import dev.berth.kubernetes.projection.NodeProjection;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.PodProjection;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.SharedWorkloadProjection;
import dev.berth.kubernetes.projection.SharedWorkloadProjection.SharedView;
import dev.berth.kubernetes.projection.WorkloadProjection;
import dev.berth.kubernetes.time.TaskTimer;
import dev.berth.kubernetes.watch.ApiListerWatcher;
import dev.berth.kubernetes.watch.ApiResource;
import dev.berth.kubernetes.watch.OutageLog;
import dev.berth.kubernetes.watch.Reflector;
import dev.berth.kubernetes.watch.ResourceEventHandler;
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
 * Lists and watches nodes, pods, namespaces, workloads and the objects of doors and plugins, and publishes their
 * changes to the engine. Pods are watched without a selector: with one, a pod that finishes would arrive as a deletion.
 */
public final class ClusterInformers implements AutoCloseable {
    private final ApiClient client;
    private final InformerSettings settings;
    private final Reflector.Context context;
    private final StreamReaders readers = new StreamReaders();
    private final FactPublisher factPublisher;
    private final PodEventHandler podEventHandler;
    private final Reflector<ObservedPod> podReflector;
    private final List<Reflector<?>> otherReflectors = new ArrayList<>();
    private final Set<Workload.Kind> unsyncedWorkloads = EnumSet.allOf(Workload.Kind.class);
    private boolean namespacesSynced;
    private int unsyncedComponentResources;

    public ClusterInformers(
            ApiClient client,
            FactSink sink,
            PodObserver observer,
            InformerSettings settings,
            Reflector.Context context) {
        this(client, sink, observer, settings, context, ComponentInformers.NONE);
    }

    /** @param components the additional objects that doors and plugins read */
    public ClusterInformers(
            ApiClient client,
            FactSink sink,
            PodObserver observer,
            InformerSettings settings,
            Reflector.Context context,
            ComponentInformers components) {
        this.client = client;
        this.settings = settings;
        this.context = context;
        this.factPublisher = new FactPublisher(sink);
        this.podEventHandler = new PodEventHandler(factPublisher, observer);
        this.podReflector = reflector(ApiResource.PODS, new PodProjection(settings::keepsAnnotation), podEventHandler);
        otherReflectors.add(reflector(
                ApiResource.NODES,
                new NodeProjection(settings::keepsAnnotation),
                new NodeEventHandler(factPublisher, components.nodeReaders())));
        otherReflectors.add(reflector(
                ApiResource.NAMESPACES,
                new NamespaceProjection(),
                new NamespaceEventHandler(factPublisher, this::onNamespacesSynced)));
        for (Workload.Kind kind : Workload.Kind.values()) {
            otherReflectors.add(components.resources().stream()
                    .filter(watched -> isSharedWithWorkloads(watched, kind))
                    .findFirst()
                    .<Reflector<?>>map(watched -> reflector(kind, watched))
                    .orElseGet(() -> reflector(
                            ApiResource.forWorkload(kind), new WorkloadProjection(kind), workloadEventHandler(kind))));
        }
        unsyncedComponentResources = components.resources().size();
        components.resources().stream()
                .filter(watched ->
                        Stream.of(Workload.Kind.values()).noneMatch(kind -> isSharedWithWorkloads(watched, kind)))
                .forEach(watched -> otherReflectors.add(reflector(watched)));
    }

    /** Whether the watch of the workloads also has everything that the component reads of them. */
    private static boolean isSharedWithWorkloads(WatchedResource<?> watched, Workload.Kind kind) {
        return watched.resource().equals(ApiResource.forWorkload(kind))
                && watched.projection() instanceof MetadataProjection<?>;
    }

    private WorkloadEventHandler workloadEventHandler(Workload.Kind kind) {
        return new WorkloadEventHandler(factPublisher, () -> onWorkloadsSynced(kind));
    }

    private <T> Reflector<SharedView<T>> reflector(Workload.Kind kind, WatchedResource<T> watched) {
        WatchedResourceEventHandler<T> watchedHandler =
                new WatchedResourceEventHandler<>(watched, factPublisher, this::onComponentResourceSynced);
        return reflector(
                watched.resource(),
                new SharedWorkloadProjection<>(kind, (MetadataProjection<T>) watched.projection()),
                new SharedWorkloadEventHandler<>(workloadEventHandler(kind), watchedHandler));
    }

    private <T> Reflector<T> reflector(WatchedResource<T> watched) {
        return reflector(
                watched.resource(),
                watched.projection(),
                new WatchedResourceEventHandler<>(watched, factPublisher, this::onComponentResourceSynced));
    }

    /** With a timer on the thread on which the client's streams are read: all work happens there. */
    public static Reflector.Context reflectorContext(ApiClient client, InstantSource clock, RandomGenerator random) {
        TaskTimer timer = TaskTimer.onExecutor(client.streamExecutor());
        return new Reflector.Context(timer, clock, random, new OutageLog(timer, client.server()));
    }

    /**
     * Starts to list and watch.
     *
     * @param replayPodsFrom if present, deletions of pods between this version and the first list are published as well
     */
    public void start(Optional<String> replayPodsFrom) {
        if (unsyncedComponentResources == 0) {
            context.timer().schedule(Duration.ZERO, () -> factPublisher.publishSynced(FactSink.ListedKind.COMPONENTS));
        }
        otherReflectors.forEach(Reflector::start);
        replayPodsFrom.ifPresentOrElse(podReflector::startWithReplay, podReflector::start);
    }

    /** The status of the watch of each kind. Safe from any thread. */
    public List<WatchHealth.WatchStatus> watchStatuses() {
        return Stream.concat(Stream.of(podReflector), otherReflectors.stream())
                .map(kind -> kind.health().watchStatus())
                .sorted(Comparator.comparing(WatchHealth.WatchStatus::kind))
                .toList();
    }

    /** The version up to which pod events were published to the engine; empty at first. */
    public String podResourceVersion() {
        return podEventHandler.resourceVersion();
    }

    /** Stops all watches, even while the engine blocks them. The client stays open. */
    @Override
    public void close() {
        otherReflectors.forEach(Reflector::stop);
        podReflector.stop();
        factPublisher.close();
    }

    private void onWorkloadsSynced(Workload.Kind kind) {
        if (unsyncedWorkloads.remove(kind)) {
            publishWhenSynced();
        }
    }

    private void onNamespacesSynced() {
        if (!namespacesSynced) {
            namespacesSynced = true;
            publishWhenSynced();
        }
    }

    /** Namespaces are synced together with workloads: inter-pod constraints depend on both. */
    private void publishWhenSynced() {
        if (namespacesSynced && unsyncedWorkloads.isEmpty()) {
            factPublisher.publishSynced(FactSink.ListedKind.WORKLOADS);
        }
    }

    private void onComponentResourceSynced() {
        unsyncedComponentResources--;
        if (unsyncedComponentResources == 0) {
            factPublisher.publishSynced(FactSink.ListedKind.COMPONENTS);
        }
    }

    private <T> Reflector<T> reflector(
            ApiResource kind, Projection<T> projection, ResourceEventHandler<T> resourceEventHandler) {
        ApiListerWatcher<T> source =
                new ApiListerWatcher<>(client, kind, projection, readers, settings.pageSize(), context.random());
        return new Reflector<>(kind.plural(), source, resourceEventHandler, context, settings.reflectorSettings());
    }
}
