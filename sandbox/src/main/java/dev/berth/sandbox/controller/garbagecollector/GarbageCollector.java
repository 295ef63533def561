package dev.berth.sandbox.controller.garbagecollector;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.DeleteOptions.Propagation;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.client.reconcile.KeyReconciler;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.OwnerReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Deletes objects whose owners are all deleted. An owner that is deleted in the foreground waits for the dependents that
 * block it. For a deletion with {@code Orphan}, the owner references are removed first.
 */
public final class GarbageCollector implements KeyReconciler<GraphNode> {
    private static final String FOREGROUND = "foregroundDeletion";
    private static final String ORPHAN = "orphan";

    private final ControllerContext controllerContext;
    private final MonitoredResources monitoredResources;
    private final DependencyGraph graph = new DependencyGraph();
    private final Controller<GraphNode> controller;

    private GarbageCollector(ControllerContext controllerContext, MonitoredResources monitoredResources) {
        this.controllerContext = controllerContext;
        this.monitoredResources = monitoredResources;
        this.controller = controllerContext.newController(this);
    }

    /** A controller that watches every kind of {@code monitoredResources}. */
    public static Controller<GraphNode> newController(
            ControllerContext controllerContext, MonitoredResources monitoredResources) {
        GarbageCollector collector = new GarbageCollector(controllerContext, monitoredResources);
        monitoredResources.onMonitorStarted(collector::monitor);
        return collector.controller;
    }

    private void monitor(InformerCache cache) {
        RestMapping restMapping = cache.restMapping();
        cache.list().forEach(object -> onChange(restMapping, Optional.empty(), Optional.of(object)));
        cache.addListener((before, after) -> onChange(restMapping, before, after));
    }

    private void onChange(RestMapping restMapping, Optional<ObjectNode> before, Optional<ObjectNode> after) {
        before.ifPresent(object -> graph.remove(restMapping, object));
        after.ifPresent(object -> graph.add(restMapping, object));
        after.filter(object -> needsProcessing(object))
                .ifPresent(object -> controller.enqueue(GraphNode.of(restMapping, object)));
        if (after.isEmpty()) {
            before.ifPresent(gone -> {
                graph.dependentsOf(ObjectMetaReader.uid(gone)).forEach(controller::enqueue);
                // Owners that are deleted in the foreground wait for this one.
                ObjectMetaReader.ownerReferences(gone)
                        .forEach(owner -> graph.findOwner(owner, ObjectMetaReader.namespace(gone))
                                .ifPresent(controller::enqueue));
            });
        }
    }

    private boolean needsProcessing(ObjectNode object) {
        if (ObjectMetaReader.isTerminating(object)) {
            return !ObjectMetaReader.finalizers(object).isEmpty();
        }
        return ObjectMetaReader.ownerReferences(object).stream()
                .anyMatch(owner -> graph.findOwner(owner, ObjectMetaReader.namespace(object))
                        .isEmpty());
    }

    @Override
    public String name() {
        return "garbage-collector";
    }

    @Override
    public Optional<Instant> reconcile(GraphNode graphNode) {
        Optional<ObjectNode> object = controllerContext
                .sharedInformerFactory()
                .findCache(graphNode.restMapping())
                .flatMap(cache -> cache.get(graphNode.key()))
                .filter(found -> ObjectMetaReader.uid(found).equals(graphNode.uid()));
        if (object.isPresent()) {
            attemptToDelete(graphNode, object.get());
        }
        return Optional.empty();
    }

    private void attemptToDelete(GraphNode graphNode, ObjectNode object) {
        List<String> finalizers = ObjectMetaReader.finalizers(object);
        if (!ObjectMetaReader.isTerminating(object)) {
            deleteUnowned(graphNode, object);
        } else if (finalizers.contains(ORPHAN)) {
            graph.dependentsOf(graphNode.uid())
                    .forEach(dependent -> removeOwnerReferences(dependent, Set.of(graphNode.uid())));
            removeFinalizer(graphNode, object, ORPHAN);
        } else if (finalizers.contains(FOREGROUND)) {
            List<GraphNode> blocking = blockingDependents(graphNode);
            if (blocking.isEmpty()) {
                removeFinalizer(graphNode, object, FOREGROUND);
            }
            blocking.forEach(controller::enqueue);
        }
    }

    private List<GraphNode> blockingDependents(GraphNode owner) {
        List<GraphNode> blocking = new ArrayList<>();
        for (GraphNode dependent : graph.dependentsOf(owner.uid())) {
            boolean blocks = find(dependent).stream()
                    .flatMap(object -> ObjectMetaReader.ownerReferences(object).stream())
                    .anyMatch(each -> each.uid().equals(owner.uid()) && each.blockOwnerDeletion());
            if (blocks) {
                blocking.add(dependent);
            }
        }
        return blocking;
    }

    private Optional<ObjectNode> find(GraphNode graphNode) {
        return controllerContext
                .sharedInformerFactory()
                .findCache(graphNode.restMapping())
                .flatMap(cache -> cache.get(graphNode.key()));
    }

    private void deleteUnowned(GraphNode graphNode, ObjectNode object) {
        List<OwnerReference> owners = ObjectMetaReader.ownerReferences(object);
        Set<String> gone = new HashSet<>();
        Set<String> waiting = new HashSet<>();
        for (OwnerReference owner : owners) {
            switch (monitoredResources.ownerState(owner, graphNode, graph)) {
                case ABSENT -> gone.add(owner.uid());
                case DELETING_DEPENDENTS -> waiting.add(owner.uid());
                case PRESENT -> {
                    // One such owner is enough to keep the object.
                }
                case UNKNOWN -> {
                    return;
                }
            }
        }
        int solid = owners.size() - gone.size() - waiting.size();
        if (owners.isEmpty() || (solid > 0 && gone.isEmpty() && waiting.isEmpty())) {
            return;
        }
        if (solid > 0) {
            Set<String> leaving = new HashSet<>(gone);
            leaving.addAll(waiting);
            removeOwnerReferences(graphNode, leaving);
        } else {
            boolean foreground =
                    !waiting.isEmpty() && !graph.dependentsOf(graphNode.uid()).isEmpty();
            delete(graphNode, object, foreground ? Propagation.FOREGROUND : Propagation.BACKGROUND);
        }
    }

    private void delete(GraphNode graphNode, ObjectNode object, Propagation propagation) {
        // With the version as precondition: the object may have a new owner by now.
        DeleteOptions options = DeleteOptions.withUidOf(object)
                .withResourceVersion(ObjectMetaReader.resourceVersion(object))
                .withPropagation(propagation);
        controllerContext.writeThroughClient().delete(graphNode.restMapping(), object, options);
    }

    private void removeOwnerReferences(GraphNode graphNode, Set<String> ownerUids) {
        Optional<ObjectNode> object = find(graphNode);
        if (object.isEmpty()) {
            return;
        }
        ArrayNode left = NestedFields.newArray();
        ObjectMetaReader.ownerReferences(object.get()).stream()
                .filter(owner -> !ownerUids.contains(owner.uid()))
                .forEach(owner -> left.add(owner.toJson()));
        ObjectNode patch = NestedFields.newObject();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("uid", graphNode.uid()).put("resourceVersion", ObjectMetaReader.resourceVersion(object.get()));
        metadata.set("ownerReferences", left);
        patch(graphNode, patch);
    }

    private void removeFinalizer(GraphNode graphNode, ObjectNode object, String finalizer) {
        ArrayNode left = NestedFields.newArray();
        ObjectMetaReader.finalizers(object).stream()
                .filter(each -> !each.equals(finalizer))
                .forEach(left::add);
        ObjectNode patch = NestedFields.newObject();
        ObjectNode metadata = patch.putObject("metadata");
        metadata.put("uid", graphNode.uid()).put("resourceVersion", ObjectMetaReader.resourceVersion(object));
        metadata.set("finalizers", left);
        patch(graphNode, patch);
    }

    private void patch(GraphNode graphNode, ObjectNode patch) {
        try {
            ObjectLocation objectLocation = new ObjectLocation(
                    graphNode.restMapping(),
                    graphNode.key().namespace(),
                    graphNode.key().name());
            controllerContext.environment().client().patch(objectLocation, Patch.merge(patch));
        } catch (ApiException e) {
            if (!e.isNotFound()) {
                throw e;
            }
        }
    }
}
