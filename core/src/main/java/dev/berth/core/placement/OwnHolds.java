package dev.berth.core.placement;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The holds that a pod may use and that are its business, in the order of node name and id. */
record OwnHolds(List<Hold> holds) {
    private static final OwnHolds NONE = new OwnHolds(List.of());

    static OwnHolds of(LedgerView ledger, Pod pod, HoldUse use) {
        List<Hold> admitting = use == HoldUse.NONE ? List.of() : ledger.holdsFor(pod);
        if (admitting.isEmpty()) {
            return NONE;
        }
        return use == HoldUse.REQUIRED
                ? new OwnHolds(admitting)
                : new OwnHolds(admitting.stream()
                        .filter(hold -> concerns(hold, pod.shape().requests()))
                        .toList());
    }

    /**
     * A hold that keeps nothing of what the pod asks for would be spent for nothing. A pod that asks for nothing takes its
     * slot.
     */
    private static boolean concerns(Hold hold, Resources requests) {
        if (requests.isZero()) {
            return true;
        }
        for (int i = 0; i < requests.size(); i++) {
            ResourceName name = requests.nameAt(i);
            if (requests.amountAt(i) > 0 && hold.size().get(name) > 0) {
                return true;
            }
        }
        return false;
    }

    boolean isEmpty() {
        return holds.isEmpty();
    }

    List<Hold> on(NodeUid node) {
        return holds.stream().filter(hold -> hold.node().equals(node)).toList();
    }

    /** The first hold on each node, which speaks for the pod when none there is of use. */
    Map<NodeUid, Hold> firstByNode() {
        Map<NodeUid, Hold> first = new HashMap<>();
        holds.forEach(hold -> first.putIfAbsent(hold.node(), hold));
        return first;
    }

    static Optional<Hold> find(Map<NodeUid, Hold> first, NodeUid node) {
        return Optional.ofNullable(first.get(node));
    }
}
