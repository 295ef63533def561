package dev.berth.sandbox.controller.nodelifecycle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.client.reconcile.KeyReconciler;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import dev.berth.sandbox.unstructured.StatusConditions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Deletes pods that no kubelet will finish: pods whose node is deleted, terminating pods without a node,
 * and terminating pods on a node that is out of service.
 */
public final class PodGarbageCollector implements KeyReconciler<NamespacedName> {
    private static final Duration QUARANTINE = Duration.ofSeconds(40);
    private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

    private final ControllerContext controllerContext;
    private final InformerCache nodes;
    private final InformerCache pods;
    private final Map<String, Instant> missingSince = new HashMap<>();

    private PodGarbageCollector(ControllerContext controllerContext) {
        this.controllerContext = controllerContext;
        this.nodes = controllerContext.cacheFor(RestMapping.NODES);
        this.pods = controllerContext.cacheFor(RestMapping.PODS);
    }

    /** A controller that watches everything it depends on. */
    public static Controller<NamespacedName> newController(ControllerContext controllerContext) {
        PodGarbageCollector reconciler = new PodGarbageCollector(controllerContext);
        Controller<NamespacedName> controller = controllerContext.newController(reconciler);
        reconciler.pods.addListener((before, after) ->
                after.filter(reconciler::isCandidate).map(NamespacedName::of).ifPresent(controller::enqueue));
        reconciler.nodes.addListener((before, after) -> {
            after.map(ObjectMetaReader::name).ifPresent(reconciler.missingSince::remove);
            boolean trouble = after.isEmpty()
                    || after.filter(PodGarbageCollector::isOutOfService).isPresent();
            if (trouble) {
                reconciler.pods.list().stream()
                        .filter(reconciler::isCandidate)
                        .forEach(pod -> controller.enqueue(NamespacedName.of(pod)));
            }
        });
        return controller;
    }

    private static boolean isOutOfService(ObjectNode node) {
        return !StatusConditions.isTrue(node, "Ready")
                && NestedFields.objects(node, "spec", "taints").stream()
                        .anyMatch(taint -> NestedFields.text(taint, "key").equals(OUT_OF_SERVICE));
    }

    private boolean isCandidate(ObjectNode pod) {
        String node = Pods.nodeName(pod);
        if (node.isEmpty()) {
            return ObjectMetaReader.isTerminating(pod);
        }
        return nodes.get("", node)
                .map(found -> ObjectMetaReader.isTerminating(pod) && isOutOfService(found))
                .orElse(true);
    }

    @Override
    public String name() {
        return "pod-garbage-collector";
    }

    @Override
    public Optional<Instant> reconcile(NamespacedName key) {
        Optional<ObjectNode> pod = pods.get(key).filter(this::isCandidate);
        return pod.isEmpty() ? Optional.empty() : collect(pod.get());
    }

    private Optional<Instant> collect(ObjectNode pod) {
        String node = Pods.nodeName(pod);
        boolean missing = !node.isEmpty() && nodes.get("", node).isEmpty();
        if (!missing) {
            remove(pod);
            return Optional.empty();
        }
        // A node may be registered again under its name, and the watch may be late.
        Instant due = missingSince
                .computeIfAbsent(node, none -> controllerContext.now())
                .plus(QUARANTINE);
        if (due.isAfter(controllerContext.now())) {
            return Optional.of(due);
        }
        if (controllerContext
                .environment()
                .client()
                .find(RestMapping.NODES.clusterObject(node))
                .isEmpty()) {
            TaintEvictionController.addDisruptionTarget(
                    controllerContext, pod, "DeletionByPodGC", "PodGC: node no longer exists");
            remove(pod);
        }
        return Optional.empty();
    }

    private void remove(ObjectNode pod) {
        if (!Pods.isTerminal(pod)) {
            ObjectNode patch = NestedFields.newObject();
            patch.putObject("metadata").put("uid", ObjectMetaReader.uid(pod));
            patch.putObject("status").put("phase", "Failed");
            try {
                controllerContext
                        .writeThroughClient()
                        .patch(
                                ObjectLocation.of(RestMapping.PODS, pod),
                                Patch.strategic(patch).forStatus());
            } catch (ApiException e) {
                if (!e.isNotFound()) {
                    throw e;
                }
            }
        }
        controllerContext
                .writeThroughClient()
                .delete(RestMapping.PODS, pod, DeleteOptions.withUidOf(pod).withGracePeriod(0));
    }
}
