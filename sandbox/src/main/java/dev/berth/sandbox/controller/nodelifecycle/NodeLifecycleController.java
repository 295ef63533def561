package dev.berth.sandbox.controller.nodelifecycle;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import dev.berth.sandbox.unstructured.SemanticEquality;
import dev.berth.sandbox.unstructured.StatusConditions;
import dev.berth.sandbox.unstructured.TimestampFormat;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Sets the conditions of a node to Unknown when its heartbeats stop, and taints nodes by their conditions. The time is
 * measured by the local clock since the last change of a heartbeat, never by the clock of the kubelet.
 */
public final class NodeLifecycleController implements KeyReconciler<NamespacedName> {
    private static final String LEASES = "kube-node-lease";
    private static final Duration MONITOR_GRACE_PERIOD = Duration.ofSeconds(50);
    private static final Duration STARTUP_GRACE_PERIOD = Duration.ofMinutes(1);
    private static final List<String> KUBELET_CONDITIONS =
            List.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure");

    private record LastHeartbeat(String uid, String heartbeat, Instant at) {}

    private final ControllerContext controllerContext;
    private final InformerCache nodes;
    private final InformerCache leases;
    private final Index podsByNode;
    private final Map<NamespacedName, LastHeartbeat> lastHeartbeats = new HashMap<>();
    /** Nodes, by UID, whose pods were marked as not ready since the node was last ready. */
    private final Set<String> nodesWithPodsMarked = new HashSet<>();

    private NodeLifecycleController(ControllerContext controllerContext) {
        this.controllerContext = controllerContext;
        this.nodes = controllerContext.cacheFor(RestMapping.NODES);
        this.leases = controllerContext.cacheFor(RestMapping.LEASES);
        this.podsByNode = controllerContext
                .sharedInformerFactory()
                .sharedIndex(RestMapping.PODS, "node", pod -> List.of(Pods.nodeName(pod)));
    }

    /** A controller that watches everything it depends on. */
    public static Controller<NamespacedName> newController(ControllerContext controllerContext) {
        NodeLifecycleController reconciler = new NodeLifecycleController(controllerContext);
        Controller<NamespacedName> controller = controllerContext.newController(reconciler, reconciler.nodes);
        reconciler.leases.addListener((before, after) -> after.filter(
                        lease -> ObjectMetaReader.namespace(lease).equals(LEASES))
                .ifPresent(lease -> controller.enqueue(new NamespacedName("", ObjectMetaReader.name(lease)))));
        return controller;
    }

    @Override
    public String name() {
        return "node-controller";
    }

    @Override
    public Optional<Instant> reconcile(NamespacedName key) {
        Optional<ObjectNode> node = nodes.get(key);
        if (node.isEmpty()) {
            Optional.ofNullable(lastHeartbeats.remove(key))
                    .map(LastHeartbeat::uid)
                    .ifPresent(nodesWithPodsMarked::remove);
            return Optional.empty();
        }
        Instant silentAt = monitorHeartbeat(key, node.get());
        ObjectNode current = node.get();
        if (!controllerContext.now().isBefore(silentAt)) {
            current = markUnknown(current);
        }
        syncTaints(current);
        if (StatusConditions.isTrue(current, "Ready")) {
            nodesWithPodsMarked.remove(ObjectMetaReader.uid(current));
        } else if (nodesWithPodsMarked.add(ObjectMetaReader.uid(current))) {
            markPodsNotReady(current);
        }
        return controllerContext.now().isBefore(silentAt) ? Optional.of(silentAt) : Optional.empty();
    }

    /** When the grace period of the heartbeats ends. */
    private Instant monitorHeartbeat(NamespacedName key, ObjectNode node) {
        Optional<ObjectNode> ready = StatusConditions.findInObject(node, "Ready");
        String signal = ready.map(found -> NestedFields.text(found, "lastHeartbeatTime"))
                        .orElse("")
                + "|"
                + leases.get(LEASES, key.name())
                        .map(lease -> NestedFields.text(lease, "spec", "renewTime"))
                        .orElse("");
        Optional<LastHeartbeat> before = Optional.ofNullable(lastHeartbeats.get(key))
                .filter(last -> last.uid().equals(ObjectMetaReader.uid(node)));
        if (before.isEmpty()) {
            controllerContext.recordNormal(
                    node,
                    "RegisteredNode",
                    "Node %s event: Registered Node %s in Controller".formatted(key.name(), key.name()));
        }
        LastHeartbeat last = before.filter(earlier -> earlier.heartbeat().equals(signal))
                .orElseGet(() -> new LastHeartbeat(ObjectMetaReader.uid(node), signal, controllerContext.now()));
        lastHeartbeats.put(key, last);
        return last.at().plus(ready.isPresent() ? MONITOR_GRACE_PERIOD : STARTUP_GRACE_PERIOD);
    }

    private ObjectNode markUnknown(ObjectNode node) {
        ObjectNode changed = node.deepCopy();
        ObjectNode status = NestedFields.getOrCreateObject(changed, "status");
        boolean wasReady = StatusConditions.isTrue(node, "Ready");
        for (String type : KUBELET_CONDITIONS) {
            Optional<ObjectNode> before = StatusConditions.findInStatus(status, type);
            if (before.filter(found -> StatusConditions.hasStatus(found, "Unknown"))
                    .isEmpty()) {
                StatusConditions.set(status, unknownCondition(type, node, before));
            }
        }
        if (SemanticEquality.areEqual(NestedFields.at(node, "status"), status)) {
            return node;
        }
        ObjectNode updated = controllerContext.writeThroughClient().updateStatus(RestMapping.NODES, changed);
        // A write of this controller is not a heartbeat.
        NamespacedName key = NamespacedName.of(node);
        lastHeartbeats.computeIfPresent(
                key, (same, last) -> new LastHeartbeat(last.uid(), heartbeatOf(updated, last), last.at()));
        if (wasReady) {
            controllerContext.recordNormal(
                    node, "NodeNotReady", "Node %s status is now: NodeNotReady".formatted(ObjectMetaReader.name(node)));
        }
        return updated;
    }

    private static String heartbeatOf(ObjectNode node, LastHeartbeat last) {
        String lease = last.heartbeat().substring(last.heartbeat().indexOf('|'));
        return StatusConditions.findInObject(node, "Ready")
                        .map(found -> NestedFields.text(found, "lastHeartbeatTime"))
                        .orElse("")
                + lease;
    }

    private ObjectNode unknownCondition(String type, ObjectNode node, Optional<ObjectNode> before) {
        ObjectNode condition = NestedFields.newObject().put("type", type).put("status", "Unknown");
        condition.put(
                "lastHeartbeatTime",
                before.map(found -> NestedFields.text(found, "lastHeartbeatTime"))
                        .orElseGet(() -> TimestampFormat.formatTime(ObjectMetaReader.creationTimestamp(node))));
        condition.put("lastTransitionTime", TimestampFormat.formatTime(controllerContext.now()));
        boolean posted = before.isPresent();
        condition.put("reason", posted ? "NodeStatusUnknown" : "NodeStatusNeverUpdated");
        return condition.put(
                "message", posted ? "Kubelet stopped posting node status." : "Kubelet never posted node status.");
    }

    private void syncTaints(ObjectNode node) {
        List<NodeTaint> wanted = NodeTaint.desiredFor(node);
        List<NodeTaint> missing = new ArrayList<>(wanted);
        ArrayNode taints = NestedFields.newArray();
        boolean changed = false;
        for (ObjectNode present : NestedFields.objects(node, "spec", "taints")) {
            NodeTaint taint = NodeTaint.of(present);
            missing.remove(taint);
            if (taint.isConditionTaint() && !wanted.contains(taint)) {
                changed = true;
            } else {
                taints.add(present);
            }
        }
        for (NodeTaint taint : missing) {
            taints.add(taint.toJson().put("timeAdded", TimestampFormat.formatTime(controllerContext.now())));
        }
        if (changed || !missing.isEmpty()) {
            ObjectNode patch = NestedFields.newObject();
            patch.putObject("metadata")
                    .put("uid", ObjectMetaReader.uid(node))
                    .put("resourceVersion", ObjectMetaReader.resourceVersion(node));
            patch.putObject("spec").set("taints", taints);
            controllerContext
                    .writeThroughClient()
                    .patch(ObjectLocation.of(RestMapping.NODES, node), Patch.merge(patch));
        }
    }

    private void markPodsNotReady(ObjectNode node) {
        for (ObjectNode pod : List.copyOf(podsByNode.find(ObjectMetaReader.name(node)))) {
            if (Pods.isReady(pod)) {
                ObjectNode changed = pod.deepCopy();
                StatusConditions.findInObject(changed, "Ready")
                        .ifPresent(ready -> ready.put("status", "False")
                                .put("lastTransitionTime", TimestampFormat.formatTime(controllerContext.now())));
                controllerContext.writeThroughClient().updateStatus(RestMapping.PODS, changed);
                controllerContext.recordWarning(pod, "NodeNotReady", "Node is not ready");
            }
        }
    }
}
