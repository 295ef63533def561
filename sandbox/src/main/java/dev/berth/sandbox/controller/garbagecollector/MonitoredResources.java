package dev.berth.sandbox.controller.garbagecollector;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.DiscoveryClient;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.SharedInformerFactory;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.client.reconcile.KeyReconciler;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.OwnerReference;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Watches every kind that the server serves, including kinds that are defined later. */
public final class MonitoredResources implements KeyReconciler<String> {
    private static final Duration RESYNC_INTERVAL = Duration.ofSeconds(30);
    private static final String DISCOVERY = "discovery";

    /** What is known about an owner. */
    enum OwnerState {
        PRESENT,
        /** Being deleted in the foreground: it waits for its dependents. */
        DELETING_DEPENDENTS,
        ABSENT,
        /** Its kind is not served now, so its state is unknown. */
        UNKNOWN
    }

    private final ControllerContext controllerContext;
    private final SharedInformerFactory sharedInformerFactory;
    private final Map<String, RestMapping> byGroupAndKind = new HashMap<>();
    private final Set<RestMapping> monitored = new TreeSet<>();
    private Consumer<InformerCache> listener = cache -> {};

    public MonitoredResources(ControllerContext controllerContext) {
        this.controllerContext = controllerContext;
        this.sharedInformerFactory = controllerContext.sharedInformerFactory();
    }

    /** Reads discovery periodically, and at once after a new definition. */
    public Controller<String> newController(RestMapping definitions) {
        Controller<String> controller = controllerContext.newController(this);
        sharedInformerFactory.startInformer(definitions).addListener((before, after) -> controller.enqueue(DISCOVERY));
        controller.enqueue(DISCOVERY);
        return controller;
    }

    void onMonitorStarted(Consumer<InformerCache> listener) {
        this.listener = listener;
    }

    @Override
    public String name() {
        return "garbage-collector-discovery";
    }

    @Override
    public Optional<Instant> reconcile(String key) {
        DiscoveryClient.ServerResources serverResources =
                new DiscoveryClient(controllerContext.environment().client()).discover();
        Set<RestMapping> served = new TreeSet<>(serverResources.withVerbs("list", "watch", "delete"));
        // There are many Events, and no object depends on them.
        served.removeIf(restMapping -> restMapping.plural().equals("events"));
        for (RestMapping resource : served) {
            byGroupAndKind.put(resource.group() + "/" + resource.kind(), resource);
            if (monitored.add(resource)) {
                listener.accept(sharedInformerFactory.startInformer(resource));
            }
        }
        if (serverResources.complete()) {
            Set<RestMapping> ended = new TreeSet<>(monitored);
            ended.removeAll(served);
            ended.forEach(this::stopMonitoring);
        }
        return Optional.of(controllerContext.now().plus(RESYNC_INTERVAL));
    }

    private void stopMonitoring(RestMapping restMapping) {
        monitored.remove(restMapping);
        byGroupAndKind.remove(restMapping.group() + "/" + restMapping.kind());
        sharedInformerFactory.stopInformer(restMapping);
    }

    /** Reads an unknown owner from the server: it may be newer than the last watch event. */
    OwnerState ownerState(OwnerReference owner, GraphNode dependent, DependencyGraph graph) {
        Optional<ObjectNode> heardOf = graph.findOwner(owner, dependent.key().namespace())
                .flatMap(graphNode -> sharedInformerFactory
                        .findCache(graphNode.restMapping())
                        .flatMap(cache -> cache.get(graphNode.key())));
        if (heardOf.isPresent()) {
            return presentOrDeleting(heardOf.get());
        }
        RestMapping restMapping = byGroupAndKind.get(owner.group() + "/" + owner.kind());
        if (restMapping == null
                || (restMapping.namespaced() && dependent.key().namespace().isEmpty())) {
            return OwnerState.UNKNOWN;
        }
        ObjectLocation objectLocation = new ObjectLocation(
                restMapping, restMapping.namespaced() ? dependent.key().namespace() : "", owner.name());
        return controllerContext
                .environment()
                .client()
                .find(objectLocation)
                .filter(found -> ObjectMetaReader.uid(found).equals(owner.uid()))
                .map(MonitoredResources::presentOrDeleting)
                .orElse(OwnerState.ABSENT);
    }

    private static OwnerState presentOrDeleting(ObjectNode owner) {
        boolean waiting = ObjectMetaReader.isTerminating(owner)
                && ObjectMetaReader.finalizers(owner).contains("foregroundDeletion");
        return waiting ? OwnerState.DELETING_DEPENDENTS : OwnerState.PRESENT;
    }
}
