package dev.berth.core.door.annotation;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Finds annotations that are well-formed and still keep room for no pod: for an owner that does not exist, for a
 * Deployment, whose pods its ReplicaSets control, or more than the node has. Looks some seconds after a change, as the
 * owner may be seen later than the node, and then once a minute as long as there are annotations.
 */
final class ReserveCheck {
    private static final Duration AFTER_A_CHANGE = Duration.ofSeconds(10);
    private static final Duration BETWEEN = Duration.ofMinutes(1);

    private static final Effect.Announce.Kind OWNER_UNKNOWN =
            Effect.Announce.Kind.warning("ReserveOwnerUnknown", "Reserving");
    private static final Effect.Announce.Kind EXCEEDS_NODE =
            Effect.Announce.Kind.warning("ReserveExceedsNode", "Reserving");

    private final Map<NodeUid, NodeReserves> nodes = new TreeMap<>();
    private final Map<NodeUid, Set<Problem>> told = new HashMap<>();
    private Optional<Instant> next = Optional.empty();

    private record Problem(Effect.Announce.Kind kind, String note) implements Comparable<Problem> {
        @Override
        public int compareTo(Problem other) {
            return note.compareTo(other.note);
        }
    }

    void changed(NodeReserves reserves, Instant now) {
        @Nullable
        NodeReserves before =
                reserves.kept().isEmpty() ? nodes.remove(reserves.node()) : nodes.put(reserves.node(), reserves);
        if (reserves.kept().isEmpty()) {
            told.remove(reserves.node());
        } else if (before == null || !before.kept().equals(reserves.kept())) {
            Instant soon = now.plus(AFTER_A_CHANGE);
            next = next.filter(at -> at.isBefore(soon)).or(() -> Optional.of(soon));
        }
    }

    void gone(NodeUid node) {
        nodes.remove(node);
        told.remove(node);
    }

    Optional<Instant> nextWake() {
        return nodes.isEmpty() ? Optional.empty() : next;
    }

    /** Looks at all nodes when it is time. */
    void settle(Desk desk) {
        if (nodes.isEmpty() || next.filter(at -> !at.isAfter(desk.now())).isEmpty()) {
            return;
        }
        next = Optional.of(desk.now().plus(BETWEEN));
        Map<String, String> unknown = unknownOwners(desk);
        nodes.values().forEach(reserves -> tell(reserves, problems(reserves, unknown, desk), desk));
    }

    /** What is still so is not said again; what was over in between is. */
    private void tell(NodeReserves reserves, Set<Problem> problems, Desk desk) {
        Set<Problem> news = new TreeSet<>(problems);
        news.removeAll(told.getOrDefault(reserves.node(), Set.of()));
        news.forEach(problem -> desk.write(new Effect.Announce(reserves.subject(), problem.kind(), problem.note())));
        told.put(reserves.node(), problems);
    }

    private static Set<Problem> problems(NodeReserves reserves, Map<String, String> unknown, Desk desk) {
        Set<Problem> problems = new TreeSet<>();
        Resources all = Resources.NONE;
        for (Map.Entry<String, Resources> kept : reserves.kept().entrySet()) {
            all = all.plus(kept.getValue());
            @Nullable String why = unknown.get(kept.getKey());
            if (why != null) {
                problems.add(new Problem(OWNER_UNKNOWN, why));
            }
        }
        Optional<Resources> allocatable =
                desk.ledger().node(reserves.nodeName()).map(NodeState::node).map(node -> node.allocatable());
        for (int i = 0; allocatable.isPresent() && i < all.size(); i++) {
            ResourceName name = all.nameAt(i);
            long has = allocatable.get().get(name);
            if (all.amountAt(i) > has) {
                problems.add(new Problem(
                        EXCEEDS_NODE,
                        "Annotations reserve %s of %s, but the node has %s allocatable. Reserve less."
                                .formatted(Quantity.of(name, all.amountAt(i)), name, Quantity.of(name, has))));
            }
        }
        return problems;
    }

    /** The owners that control no pod, with what to do about each. */
    private Map<String, String> unknownOwners(Desk desk) {
        Map<String, String> unknown = new HashMap<>();
        nodes.values()
                .forEach(reserves -> reserves.kept().keySet().forEach(owner -> unknown.put(owner, message(owner))));
        desk.ledger().forEachWorkload(workload -> {
            unknown.remove(workload.uid());
            workload.controller()
                    .filter(controller -> unknown.containsKey(controller.uid()))
                    .ifPresent(controller -> unknown.put(controller.uid(), message(controller, workload.namespace())));
        });
        for (int slot = 0; !unknown.isEmpty() && slot < desk.ledger().slotBound(); slot++) {
            desk.ledger()
                    .nodeAt(slot)
                    .ifPresent(node -> node.pods()
                            .forEach(pod -> pod.controller().ifPresent(owner -> unknown.remove(owner.uid()))));
        }
        return unknown;
    }

    private static String message(String owner) {
        String what = NodeReserves.isUid(owner)
                ? "no ReplicaSet, StatefulSet, ReplicationController or controller of a pod on a node has this UID"
                : "this is not a UID";
        return "Room is reserved for owner (%s), but %s. Set the UID of the object that controls the pods, or remove the annotation."
                .formatted(owner, what);
    }

    /** Names no ReplicaSet: a Deployment also has old ones, without pods. */
    private static String message(ControllerRef controller, String namespace) {
        return "Room is reserved for owner (%1$s), which is %2$s %3$s/%4$s. Its pods are controlled by ReplicaSets: set the UID of the one that has pods (kubectl get replicasets -n %3$s)."
                .formatted(controller.uid(), controller.kind(), namespace, controller.name());
    }
}
