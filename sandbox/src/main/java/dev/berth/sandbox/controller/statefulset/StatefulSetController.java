package dev.berth.sandbox.controller.statefulset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.Index;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.client.reconcile.KeyReconciler;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.controller.util.ControllerRefManager;
import dev.berth.sandbox.controller.util.ControllerRefs;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import dev.berth.sandbox.unstructured.SemanticEquality;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Creates, updates and deletes the pods of StatefulSets in order. */
public final class StatefulSetController implements KeyReconciler<NamespacedName> {
    private final ControllerContext controllerContext;
    private final InformerCache sets;
    private final Index podsByController;

    private StatefulSetController(ControllerContext controllerContext) {
        this.controllerContext = controllerContext;
        this.sets = controllerContext.cacheFor(RestMapping.STATEFUL_SETS);
        this.podsByController = ControllerRefs.index(controllerContext.sharedInformerFactory(), RestMapping.PODS);
        controllerContext.cacheFor(RestMapping.PERSISTENT_VOLUME_CLAIMS);
        controllerContext.cacheFor(RestMapping.CONTROLLER_REVISIONS);
    }

    /** A controller that watches everything it depends on. */
    public static Controller<NamespacedName> newController(ControllerContext controllerContext) {
        StatefulSetController reconciler = new StatefulSetController(controllerContext);
        Controller<NamespacedName> controller = controllerContext.newController(reconciler, reconciler.sets);
        controllerContext
                .cacheFor(RestMapping.PODS)
                .addListener((before, after) ->
                        ControllerRefs.enqueueControllers(controller, reconciler.sets, before, after));
        controllerContext.cacheFor(RestMapping.PERSISTENT_VOLUME_CLAIMS).addListener((before, after) -> {
            // A new pod waits until the claim of the previous pod is deleted.
            if (after.isEmpty()) {
                before.ifPresent(claim -> reconciler.sets.listNamespace(ObjectMetaReader.namespace(claim)).stream()
                        .filter(set ->
                                !new StatefulSetView(set).claimTemplates().isEmpty())
                        .forEach(set -> controller.enqueue(NamespacedName.of(set))));
            }
        });
        return controller;
    }

    @Override
    public String name() {
        return "statefulset-controller";
    }

    @Override
    public Optional<Instant> reconcile(NamespacedName key) {
        Optional<ObjectNode> set = sets.get(key);
        return set.isEmpty() ? Optional.empty() : sync(new StatefulSetView(set.get()));
    }

    private Optional<Instant> sync(StatefulSetView set) {
        Predicate<ObjectNode> matches = ControllerRefManager.selectorPredicate(set.object());
        List<ObjectNode> candidates = new ArrayList<>(podsByController.find(ObjectMetaReader.uid(set.object())));
        candidates.addAll(podsByController.find(ControllerRefs.orphanKey(set.namespace())));
        List<ObjectNode> pods = new ControllerRefManager(
                        controllerContext.writeThroughClient(),
                        RestMapping.STATEFUL_SETS,
                        set.object(),
                        RestMapping.PODS,
                        pod -> matches.test(pod) && PodIdentity.ordinal(set, pod) >= 0)
                .claim(candidates);
        ControllerRevisionHistory history = new ControllerRevisionHistory(controllerContext, set);
        ControllerRevision update = history.updateRevision();
        ControllerRevision current = history.currentRevision(update);
        try {
            if (!ObjectMetaReader.isTerminating(set.object())) {
                new OrderedPods(controllerContext, set, current, update, pods).reconcile();
            }
        } finally {
            writeStatus(set, current, update, history.collisions());
        }
        history.truncate(pods, current, update);
        return nextAvailable(set);
    }

    /** Counts the pods after the changes of this reconcile. */
    private void writeStatus(
            StatefulSetView set, ControllerRevision current, ControllerRevision update, int collisions) {
        StatefulSetStatus status = StatefulSetStatus.count(
                set, List.copyOf(podsByController.find(ObjectMetaReader.uid(set.object()))), controllerContext.now());
        ObjectNode wanted = status.toJson(current, update);
        wanted.put("collisionCount", collisions);
        if (!SemanticEquality.areEqual(NestedFields.at(set.object(), "status"), wanted)) {
            ObjectNode changed = set.object().deepCopy();
            changed.set("status", wanted);
            controllerContext.writeThroughClient().updateStatus(RestMapping.STATEFUL_SETS, changed);
        }
    }

    private Optional<Instant> nextAvailable(StatefulSetView set) {
        return podsByController.find(ObjectMetaReader.uid(set.object())).stream()
                .flatMap(pod -> Pods.availableAt(pod, set.minReady()).stream())
                .filter(at -> at.isAfter(controllerContext.now()))
                .min(Comparator.naturalOrder());
    }
}
