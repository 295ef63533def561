package dev.berth.embedded.workload.node;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.control.Controller;
import dev.berth.embedded.client.control.Reconciler;
import dev.berth.embedded.client.mirror.Cache;
import dev.berth.embedded.client.mirror.Index;
import dev.berth.embedded.client.mirror.ObjectKey;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.client.object.Timestamps;
import dev.berth.embedded.workload.control.Workspace;
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
 * Calls a node whose kubelet has fallen silent Unknown, and taints nodes by their conditions. Silence is measured by the
 * own clock from the last change of a heartbeat, never by comparing with the kubelet's clock.
 */
public final class NodeLifecycleController implements Reconciler<ObjectKey> {
    private static final String LEASES = "kube-node-lease";
    private static final Duration GRACE = Duration.ofSeconds(50);
    private static final Duration STARTUP_GRACE = Duration.ofMinutes(1);
    private static final List<String> KUBELET_CONDITIONS =
            List.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure");

    private record Heard(String uid, String signal, Instant at) {}

    private final Workspace workspace;
    private final Cache nodes;
    private final Cache leases;
    private final Index podsByNode;
    private final Map<ObjectKey, Heard> heard = new HashMap<>();
    /** Nodes, by UID, whose pods have been called not ready since they were ready last. */
    private final Set<String> podsMarked = new HashSet<>();

    private NodeLifecycleController(Workspace workspace) {
        this.workspace = workspace;
        this.nodes = workspace.mirrors().of(Resource.NODES);
        this.leases = workspace.mirrors().of(Resource.LEASES);
        this.podsByNode = workspace.mirrors().index(Resource.PODS, "node", pod -> List.of(Pods.node(pod)));
    }

    /** A controller that hears of the changes it must act on. */
    public static Controller<ObjectKey> in(Workspace workspace) {
        NodeLifecycleController reconciler = new NodeLifecycleController(workspace);
        Controller<ObjectKey> controller =
                new Controller<>(reconciler, workspace.environment().clock());
        reconciler.nodes.listen(
                (before, after) -> after.or(() -> before).map(ObjectKey::of).ifPresent(controller::enqueue));
        reconciler.leases.listen((before, after) -> after.filter(
                        lease -> Meta.namespace(lease).equals(LEASES))
                .ifPresent(lease -> controller.enqueue(new ObjectKey("", Meta.name(lease)))));
        return controller;
    }

    @Override
    public String name() {
        return "node-controller";
    }

    @Override
    public Optional<Instant> reconcile(ObjectKey key) {
        Optional<ObjectNode> node = nodes.get(key);
        if (node.isEmpty()) {
            Optional.ofNullable(heard.remove(key)).map(Heard::uid).ifPresent(podsMarked::remove);
            return Optional.empty();
        }
        Instant silentAt = listenTo(key, node.get());
        ObjectNode current = node.get();
        if (!workspace.now().isBefore(silentAt)) {
            current = markUnknown(current);
        }
        taint(current);
        if (Conditions.isTrue(current, "Ready")) {
            podsMarked.remove(Meta.uid(current));
        } else if (podsMarked.add(Meta.uid(current))) {
            markPodsNotReady(current);
        }
        return workspace.now().isBefore(silentAt) ? Optional.of(silentAt) : Optional.empty();
    }

    /** When the node will have been silent for too long. */
    private Instant listenTo(ObjectKey key, ObjectNode node) {
        Optional<ObjectNode> ready = Conditions.of(node, "Ready");
        String signal =
                ready.map(found -> Json.text(found, "lastHeartbeatTime")).orElse("")
                        + "|"
                        + leases.get(LEASES, key.name())
                                .map(lease -> Json.text(lease, "spec", "renewTime"))
                                .orElse("");
        Optional<Heard> before =
                Optional.ofNullable(heard.get(key)).filter(last -> last.uid().equals(Meta.uid(node)));
        if (before.isEmpty()) {
            workspace.normal(
                    node,
                    "RegisteredNode",
                    "Node %s event: Registered Node %s in Controller".formatted(key.name(), key.name()));
        }
        Heard last = before.filter(earlier -> earlier.signal().equals(signal))
                .orElseGet(() -> new Heard(Meta.uid(node), signal, workspace.now()));
        heard.put(key, last);
        return last.at().plus(ready.isPresent() ? GRACE : STARTUP_GRACE);
    }

    private ObjectNode markUnknown(ObjectNode node) {
        ObjectNode changed = Json.copy(node);
        ObjectNode status = Json.child(changed, "status");
        boolean wasReady = Conditions.isTrue(node, "Ready");
        for (String type : KUBELET_CONDITIONS) {
            Optional<ObjectNode> before = Conditions.find(status, type);
            if (before.filter(found -> Conditions.is(found, "Unknown")).isEmpty()) {
                Conditions.put(status, unknown(type, node, before));
            }
        }
        if (Json.same(Json.at(node, "status"), status)) {
            return node;
        }
        ObjectNode updated = workspace.writes().updateStatus(Resource.NODES, changed);
        // Our own write is no sign of life.
        ObjectKey key = ObjectKey.of(node);
        heard.computeIfPresent(key, (same, last) -> new Heard(last.uid(), signalOf(updated, last), last.at()));
        if (wasReady) {
            workspace.normal(node, "NodeNotReady", "Node %s status is now: NodeNotReady".formatted(Meta.name(node)));
        }
        return updated;
    }

    private static String signalOf(ObjectNode node, Heard last) {
        String lease = last.signal().substring(last.signal().indexOf('|'));
        return Conditions.of(node, "Ready")
                        .map(found -> Json.text(found, "lastHeartbeatTime"))
                        .orElse("")
                + lease;
    }

    private ObjectNode unknown(String type, ObjectNode node, Optional<ObjectNode> before) {
        ObjectNode condition = Json.object().put("type", type).put("status", "Unknown");
        condition.put(
                "lastHeartbeatTime",
                before.map(found -> Json.text(found, "lastHeartbeatTime"))
                        .orElseGet(() -> Timestamps.seconds(Meta.createdAt(node))));
        condition.put("lastTransitionTime", Timestamps.seconds(workspace.now()));
        boolean posted = before.isPresent();
        condition.put("reason", posted ? "NodeStatusUnknown" : "NodeStatusNeverUpdated");
        return condition.put(
                "message", posted ? "Kubelet stopped posting node status." : "Kubelet never posted node status.");
    }

    private void taint(ObjectNode node) {
        List<Taint> wanted = Taint.wantedBy(node);
        List<Taint> missing = new ArrayList<>(wanted);
        ArrayNode taints = Json.array();
        boolean changed = false;
        for (ObjectNode present : Json.objects(node, "spec", "taints")) {
            Taint taint = Taint.of(present);
            missing.remove(taint);
            if (taint.byCondition() && !wanted.contains(taint)) {
                changed = true;
            } else {
                taints.add(present);
            }
        }
        for (Taint taint : missing) {
            taints.add(taint.toJson().put("timeAdded", Timestamps.seconds(workspace.now())));
        }
        if (changed || !missing.isEmpty()) {
            ObjectNode patch = Json.object();
            patch.putObject("metadata").put("uid", Meta.uid(node)).put("resourceVersion", Meta.resourceVersion(node));
            patch.putObject("spec").set("taints", taints);
            workspace.writes().patch(Address.of(Resource.NODES, node), Patch.merge(patch));
        }
    }

    private void markPodsNotReady(ObjectNode node) {
        for (ObjectNode pod : List.copyOf(podsByNode.of(Meta.name(node)))) {
            if (Pods.ready(pod)) {
                ObjectNode changed = Json.copy(pod);
                Conditions.of(changed, "Ready")
                        .ifPresent(ready -> ready.put("status", "False")
                                .put("lastTransitionTime", Timestamps.seconds(workspace.now())));
                workspace.writes().updateStatus(Resource.PODS, changed);
                workspace.warning(pod, "NodeNotReady", "Node is not ready");
            }
        }
    }
}
