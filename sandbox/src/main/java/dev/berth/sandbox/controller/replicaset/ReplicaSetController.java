package dev.berth.sandbox.controller.replicaset;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.Index;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.client.reconcile.KeyReconciler;
import dev.berth.sandbox.client.transport.UnreachableException;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.controller.util.ControllerRefManager;
import dev.berth.sandbox.controller.util.ControllerRefs;
import dev.berth.sandbox.controller.util.PodFactory;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.OwnerReference;
import dev.berth.sandbox.unstructured.Pods;
import dev.berth.sandbox.unstructured.SemanticEquality;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Creates and deletes pods until each ReplicaSet has its replicas. */
public final class ReplicaSetController implements KeyReconciler<NamespacedName> {
    private static final int BURST_REPLICAS = 500;
    private static final int MAX_NAME_PREFIX = 253;

    private final ControllerContext controllerContext;
    private final InformerCache replicaSets;
    private final Index setsByController;
    private final Index podsByController;

    private ReplicaSetController(ControllerContext controllerContext) {
        this.controllerContext = controllerContext;
        this.replicaSets = controllerContext.cacheFor(RestMapping.REPLICA_SETS);
        this.setsByController =
                ControllerRefs.index(controllerContext.sharedInformerFactory(), RestMapping.REPLICA_SETS);
        this.podsByController = ControllerRefs.index(controllerContext.sharedInformerFactory(), RestMapping.PODS);
    }

    /** A controller that watches everything it depends on. */
    public static Controller<NamespacedName> newController(ControllerContext controllerContext) {
        ReplicaSetController reconciler = new ReplicaSetController(controllerContext);
        Controller<NamespacedName> controller = controllerContext.newController(reconciler, reconciler.replicaSets);
        controllerContext
                .cacheFor(RestMapping.PODS)
                .addListener((before, after) ->
                        ControllerRefs.enqueueControllers(controller, reconciler.replicaSets, before, after));
        return controller;
    }

    @Override
    public String name() {
        return "replicaset-controller";
    }

    @Override
    public Optional<Instant> reconcile(NamespacedName key) {
        Optional<ObjectNode> set = replicaSets.get(key);
        return set.isEmpty() ? Optional.empty() : sync(set.get());
    }

    private Optional<Instant> sync(ObjectNode set) {
        Predicate<ObjectNode> matches = ControllerRefManager.selectorPredicate(set);
        List<ObjectNode> candidates = new ArrayList<>(podsByController.find(ObjectMetaReader.uid(set)));
        int terminating = (int) candidates.stream()
                .filter(pod -> ObjectMetaReader.isTerminating(pod) && !Pods.isTerminal(pod) && matches.test(pod))
                .count();
        candidates.addAll(podsByController.find(ControllerRefs.orphanKey(ObjectMetaReader.namespace(set))));
        candidates.removeIf(pod -> !Pods.isActive(pod));
        List<ObjectNode> active = new ControllerRefManager(
                        controllerContext.writeThroughClient(),
                        RestMapping.REPLICA_SETS,
                        set,
                        RestMapping.PODS,
                        matches)
                .claim(candidates);
        Optional<RuntimeException> failure =
                ObjectMetaReader.isTerminating(set) ? Optional.empty() : manageReplicas(set, active);
        ReplicaSetStatus status = new ReplicaSetStatus(set, active, terminating, controllerContext.now());
        writeStatus(set, status.calculateStatus(failure));
        failure.ifPresent(problem -> {
            throw problem;
        });
        return status.nextAvailable();
    }

    private void writeStatus(ObjectNode set, ObjectNode status) {
        if (!SemanticEquality.areEqual(NestedFields.at(set, "status"), status)) {
            ObjectNode changed = set.deepCopy();
            changed.set("status", status);
            controllerContext.writeThroughClient().updateStatus(RestMapping.REPLICA_SETS, changed);
        }
    }

    private Optional<RuntimeException> manageReplicas(ObjectNode set, List<ObjectNode> active) {
        int missing = NestedFields.intValue(set, 1, "spec", "replicas") - active.size();
        if (missing > 0) {
            return create(set, Math.min(missing, BURST_REPLICAS));
        }
        return missing < 0 ? delete(set, active, Math.min(-missing, BURST_REPLICAS)) : Optional.empty();
    }

    /** Creates pods in batches that double in size: if all fail for one reason, few are tried. */
    private Optional<RuntimeException> create(ObjectNode set, int count) {
        int left = count;
        for (int batch = 1; left > 0; batch = Math.min(2 * batch, left)) {
            Optional<RuntimeException> failure = Optional.empty();
            for (int i = 0; i < batch; i++) {
                Optional<RuntimeException> one = createOne(set);
                failure = failure.isPresent() ? failure : one;
            }
            if (failure.isPresent()) {
                return failure;
            }
            left -= batch;
        }
        return Optional.empty();
    }

    private Optional<RuntimeException> createOne(ObjectNode set) {
        ObjectNode pod = PodFactory.podFromTemplate(set);
        String prefix = ObjectMetaReader.name(set) + "-";
        NestedFields.getOrCreateObject(pod, "metadata")
                .put("generateName", prefix.length() > MAX_NAME_PREFIX ? ObjectMetaReader.name(set) : prefix);
        try {
            ObjectNode created = controllerContext.writeThroughClient().create(RestMapping.PODS, pod);
            controllerContext.recordNormal(set, "SuccessfulCreate", "Created pod: " + ObjectMetaReader.name(created));
            return Optional.empty();
        } catch (ApiException e) {
            if (e.hasCause("NamespaceTerminating")) {
                return Optional.empty();
            }
            controllerContext.recordWarning(set, "FailedCreate", "Error creating: " + e.getMessage());
            return Optional.of(e);
        } catch (UnreachableException e) {
            return Optional.of(e);
        }
    }

    private Optional<RuntimeException> delete(ObjectNode set, List<ObjectNode> active, int count) {
        Optional<RuntimeException> failure = Optional.empty();
        for (ObjectNode pod :
                new PodDeletionOrder(controllerContext.now(), related(set)).selectPodsToDelete(active, count)) {
            try {
                controllerContext.writeThroughClient().delete(RestMapping.PODS, pod, DeleteOptions.withUidOf(pod));
                controllerContext.recordNormal(set, "SuccessfulDelete", "Deleted pod: " + ObjectMetaReader.name(pod));
            } catch (ApiException e) {
                controllerContext.recordWarning(set, "FailedDelete", "Error deleting: " + e.getMessage());
                failure = Optional.of(e);
            } catch (UnreachableException e) {
                failure = Optional.of(e);
            }
        }
        return failure;
    }

    /** The pods of all ReplicaSets of one Deployment: pods on the same node count across them. */
    private List<ObjectNode> related(ObjectNode set) {
        Optional<OwnerReference> deployment = ObjectMetaReader.controllerOf(set);
        List<ObjectNode> pods = new ArrayList<>();
        if (deployment.isEmpty()) {
            pods.addAll(podsByController.find(ObjectMetaReader.uid(set)));
        } else {
            for (ObjectNode sibling : setsByController.find(deployment.get().uid())) {
                pods.addAll(podsByController.find(ObjectMetaReader.uid(sibling)));
            }
        }
        return pods;
    }
}
