package dev.berth.core.door.nodeannotation;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.reconcile.ObjectController;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds annotations that are well-formed and still reserve nothing that a pod can use: the owner does not exist, the owner
 * is a Deployment, whose pods its ReplicaSets control, or the node has fewer resources. Checks some seconds after a
 * change, as the watch may show the owner later than the node, and then once a minute.
 */
final class IneffectiveReserveCheck {
    private static final Duration DELAY_AFTER_CHANGE = Duration.ofSeconds(10);
    private static final Duration CHECK_INTERVAL = Duration.ofMinutes(1);

    private static final Effect.RecordEvent.EventTemplate OWNER_UNKNOWN =
            Effect.RecordEvent.EventTemplate.warning("OwnerNotFound", "Reserving");
    private static final Effect.RecordEvent.EventTemplate EXCEEDS_NODE =
            Effect.RecordEvent.EventTemplate.warning("ExceedsAllocatable", "Reserving");

    private final ObjectController<NodeUid, NodeReservedResources, Effect.Write> nodes;
    private Optional<Instant> nextCheck = Optional.empty();

    IneffectiveReserveCheck(ObjectController<NodeUid, NodeReservedResources, Effect.Write> nodes) {
        this.nodes = nodes;
    }

    void onUpsert(Optional<NodeReservedResources> before, NodeReservedResources reserves, Instant now) {
        boolean changed = before.filter(it -> it.reservedByOwner().equals(reserves.reservedByOwner()))
                .isEmpty();
        if (reserves.owners().isEmpty()) {
            nodes.reported().clear(reserves.node(), EXCEEDS_NODE.reason());
            nodes.reported().clear(reserves.node(), OWNER_UNKNOWN.reason());
        } else if (changed) {
            Instant soon = now.plus(DELAY_AFTER_CHANGE);
            nextCheck = nextCheck.filter(at -> at.isBefore(soon)).or(() -> Optional.of(soon));
        }
    }

    Optional<Instant> nextWake() {
        return nextCheck;
    }

    /** Checks all nodes when the time has come. */
    void checkIfDue(DoorHandle handle) {
        if (nextCheck.filter(at -> !at.isAfter(handle.now())).isEmpty()) {
            return;
        }
        nextCheck = Optional.of(handle.now().plus(CHECK_INTERVAL));
        Map<String, String> unknown = findUnknownOwners(handle);
        nodes.all().stream()
                .sorted(Comparator.comparing(NodeReservedResources::node))
                .forEach(reserves -> {
                    nodes.report(reserves.node(), EXCEEDS_NODE, findExcess(reserves, handle), handle);
                    List<String> unknownHere = reserves.owners().stream()
                            .flatMap(owner -> Optional.ofNullable(unknown.get(owner)).stream())
                            .toList();
                    nodes.report(reserves.node(), OWNER_UNKNOWN, unknownHere, handle);
                });
    }

    private static List<String> findExcess(NodeReservedResources reserves, DoorHandle handle) {
        List<String> messages = new ArrayList<>();
        Resources total = Resources.NONE;
        for (Resources reserved : reserves.reservedByOwner().values()) {
            total = total.plus(reserved);
        }
        Resources allocatable = handle.ledger()
                .node(reserves.nodeName())
                .map(NodeState::node)
                .map(node -> node.allocatable())
                .orElse(total);
        for (int i = total.nextShortage(allocatable, 0); i >= 0; i = total.nextShortage(allocatable, i + 1)) {
            ResourceName name = total.nameAt(i);
            messages.add("Annotations reserve %s of %s, but the node has %s allocatable. Reserve less."
                    .formatted(Quantity.of(name, total.amountAt(i)), name, Quantity.of(name, allocatable.get(name))));
        }
        return messages;
    }

    /** The owners that control no pod, with what to do about each. */
    private Map<String, String> findUnknownOwners(DoorHandle handle) {
        Map<String, String> unknown = new HashMap<>();
        nodes.all().forEach(reserves -> reserves.owners().forEach(owner -> unknown.put(owner, message(owner))));
        handle.ledger().forEachWorkload(workload -> {
            unknown.remove(workload.uid());
            workload.controller()
                    .filter(controller -> unknown.containsKey(controller.uid()))
                    .ifPresent(controller -> unknown.put(controller.uid(), message(controller, workload.namespace())));
        });
        if (!unknown.isEmpty()) {
            handle.ledger()
                    .forEachNode(node -> node.pods()
                            .forEach(pod -> pod.controller().ifPresent(owner -> unknown.remove(owner.uid()))));
        }
        return unknown;
    }

    private static String message(String owner) {
        String what = NodeReservedResources.isUid(owner)
                ? "no ReplicaSet, StatefulSet, ReplicationController or controller of a pod on a node has this UID"
                : "this is not a UID";
        return "Resources are reserved for owner (%s), but %s. Set the UID of the object that controls the pods, or remove the annotation."
                .formatted(owner, what);
    }

    /** Names no ReplicaSet: a Deployment also has old ReplicaSets without pods. */
    private static String message(ControllerRef controller, String namespace) {
        return "Resources are reserved for owner (%1$s), which is %2$s %3$s/%4$s. Its pods are controlled by ReplicaSets: set the UID of the one that has pods (kubectl get replicasets -n %3$s)."
                .formatted(controller.uid(), controller.kind(), namespace, controller.name());
    }
}
