package dev.berth.sandbox.controller.nodelifecycle;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.informer.Index;
import dev.berth.sandbox.client.informer.InformerCache;
import dev.berth.sandbox.client.informer.NamespacedName;
import dev.berth.sandbox.client.reconcile.Controller;
import dev.berth.sandbox.client.reconcile.KeyReconciler;
import dev.berth.sandbox.controller.util.ControllerContext;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import dev.berth.sandbox.unstructured.TimestampFormat;
import dev.berth.sandbox.unstructured.TolerationSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Deletes pods from nodes with a NoExecute taint: at once, or after their toleration seconds. */
public final class TaintEvictionController implements KeyReconciler<NamespacedName> {
    private final ControllerContext controllerContext;
    private final InformerCache nodes;
    private final InformerCache pods;
    private final Index podsByNode;
    /** Since when each pod, by UID, tolerates the taints of its node. */
    private final Map<String, Instant> taintedSince = new HashMap<>();

    private TaintEvictionController(ControllerContext controllerContext) {
        this.controllerContext = controllerContext;
        this.nodes = controllerContext.cacheFor(RestMapping.NODES);
        this.pods = controllerContext.cacheFor(RestMapping.PODS);
        this.podsByNode = controllerContext
                .sharedInformerFactory()
                .sharedIndex(RestMapping.PODS, "node", pod -> List.of(Pods.nodeName(pod)));
    }

    /** A controller that watches everything it depends on. */
    public static Controller<NamespacedName> newController(ControllerContext controllerContext) {
        TaintEvictionController reconciler = new TaintEvictionController(controllerContext);
        Controller<NamespacedName> controller = controllerContext.newController(reconciler);
        reconciler.nodes.addListener((before, after) -> {
            List<ObjectNode> earlier =
                    before.map(TaintEvictionController::taints).orElse(List.of());
            List<ObjectNode> now = after.map(TaintEvictionController::taints).orElse(List.of());
            if (!earlier.equals(now)) {
                String node = after.or(() -> before).map(ObjectMetaReader::name).orElse("");
                reconciler.podsByNode.find(node).forEach(pod -> controller.enqueue(NamespacedName.of(pod)));
            }
        });
        reconciler.pods.addListener((before, after) -> {
            if (after.isEmpty()) {
                before.ifPresent(pod -> reconciler.taintedSince.remove(ObjectMetaReader.uid(pod)));
            }
            after.filter(pod -> !reconciler.taintsFor(pod).isEmpty())
                    .ifPresent(pod -> controller.enqueue(NamespacedName.of(pod)));
        });
        return controller;
    }

    private static List<ObjectNode> taints(ObjectNode node) {
        return NestedFields.objects(node, "spec", "taints").stream()
                .filter(taint -> NestedFields.text(taint, "effect").equals(NodeTaint.NO_EXECUTE))
                .toList();
    }

    private List<ObjectNode> taintsFor(ObjectNode pod) {
        return nodes.get("", Pods.nodeName(pod))
                .map(TaintEvictionController::taints)
                .orElse(List.of());
    }

    @Override
    public String name() {
        return "taint-eviction-controller";
    }

    @Override
    public Optional<Instant> reconcile(NamespacedName key) {
        Optional<ObjectNode> pod = pods.get(key).filter(found -> !ObjectMetaReader.isTerminating(found));
        if (pod.isEmpty()) {
            return Optional.empty();
        }
        List<ObjectNode> taints = taintsFor(pod.get());
        Optional<Instant> due = evictionTime(pod.get(), taints);
        if (due.isEmpty()) {
            cancelEviction(pod.get());
            return Optional.empty();
        }
        if (due.get().isAfter(controllerContext.now())) {
            return due;
        }
        evict(pod.get());
        return Optional.empty();
    }

    /** When the pod must be deleted; empty when it may stay. */
    private Optional<Instant> evictionTime(ObjectNode pod, List<ObjectNode> taints) {
        if (taints.isEmpty()) {
            return Optional.empty();
        }
        List<TolerationSpec> tolerationSpecs = NestedFields.objects(pod, "spec", "tolerations").stream()
                .map(TolerationSpec::of)
                .toList();
        boolean all =
                taints.stream().allMatch(taint -> tolerationSpecs.stream().anyMatch(each -> each.tolerates(taint)));
        if (!all) {
            return Optional.of(controllerContext.now());
        }
        Optional<Duration> shortest = tolerationSpecs.stream()
                .filter(each -> taints.stream().anyMatch(each::tolerates))
                .flatMap(each -> each.tolerationTime().stream())
                .min(Comparator.naturalOrder());
        return shortest.map(time -> taintedSince
                .computeIfAbsent(ObjectMetaReader.uid(pod), none -> controllerContext.now())
                .plus(time));
    }

    private void cancelEviction(ObjectNode pod) {
        if (taintedSince.remove(ObjectMetaReader.uid(pod)) != null) {
            controllerContext.recordNormal(
                    pod, "TaintManagerEviction", "Cancelling deletion of Pod " + NamespacedName.of(pod));
        }
    }

    private void evict(ObjectNode pod) {
        taintedSince.remove(ObjectMetaReader.uid(pod));
        controllerContext.recordNormal(
                pod, "TaintManagerEviction", "Marking for deletion Pod " + NamespacedName.of(pod));
        addDisruptionTarget(
                controllerContext, pod, "DeletionByTaintManager", "Taint manager: deleting due to NoExecute taint");
        controllerContext.writeThroughClient().delete(RestMapping.PODS, pod, DeleteOptions.withUidOf(pod));
    }

    /** Adds a condition to the pod that says why it is deleted. */
    static void addDisruptionTarget(
            ControllerContext controllerContext, ObjectNode pod, String reason, String message) {
        ObjectNode patch = NestedFields.newObject();
        patch.putObject("metadata").put("uid", ObjectMetaReader.uid(pod));
        ObjectNode condition = patch.putObject("status").putArray("conditions").addObject();
        condition.put("type", "DisruptionTarget").put("status", "True");
        condition.put("reason", reason).put("message", message);
        condition.put("lastTransitionTime", TimestampFormat.formatTime(controllerContext.now()));
        controllerContext
                .writeThroughClient()
                .patch(
                        ObjectLocation.of(RestMapping.PODS, pod),
                        Patch.strategic(patch).forStatus());
    }
}
