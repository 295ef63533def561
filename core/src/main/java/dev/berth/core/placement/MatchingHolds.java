package dev.berth.core.placement;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The holds that a pod may use and that are relevant to it, found node by node. Of equivalent holds the first by id is
 * used for all.
 */
final class MatchingHolds {
    private final LedgerView ledger;
    private final Resources requests;
    private final boolean required;
    private final Collection<OwnerRule> ownerRules;

    private MatchingHolds(LedgerView ledger, Resources requests, boolean required, Collection<OwnerRule> rules) {
        this.ledger = ledger;
        this.requests = requests;
        this.required = required;
        this.ownerRules = rules;
    }

    static MatchingHolds of(LedgerView ledger, Pod pod, HoldUse use) {
        return new MatchingHolds(
                ledger,
                pod.spec().requests(),
                use == HoldUse.REQUIRED,
                use == HoldUse.NONE ? List.of() : ledger.rulesWithClaimableHolds(pod));
    }

    /** The same pod, as if no hold admitted it. */
    MatchingHolds withoutHolds() {
        return new MatchingHolds(ledger, requests, required, List.of());
    }

    /**
     * A hold that has none of the requested resources would be consumed for nothing. A pod without requests uses its
     * pod slot.
     */
    private boolean isRelevant(Hold hold) {
        if (required || requests.isZero()) {
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

    /** Whether there are none for sure. A rule may admit the pod even though its holds are not relevant. */
    boolean isEmpty() {
        return ownerRules.isEmpty();
    }

    /** The owner rules that admit the pod. */
    Collection<OwnerRule> ownerRules() {
        return ownerRules;
    }

    /** About how many nodes may have matching holds. */
    int estimateNodeCount() {
        return ledger.countNodesWithClaimableHolds(ownerRules);
    }

    /** The nodes that may have matching holds, sorted by name. */
    List<NodeState> nodes() {
        if (ownerRules.isEmpty()) {
            return List.of();
        }
        return ledger.nodesWithClaimableHolds(ownerRules).stream()
                .sorted()
                .flatMap(name -> ledger.node(name).stream())
                .toList();
    }

    /** The matching holds on the node, sorted by id. */
    List<Hold> onNode(NodeState node) {
        List<Hold> offered = ownerRules.isEmpty() ? List.of() : ledger.claimableHolds(node, ownerRules);
        if (offered.isEmpty()) {
            return offered;
        }
        List<Hold> own = new ArrayList<>(offered.size());
        for (Hold hold : offered) {
            if (isRelevant(hold)) {
                own.add(hold);
            }
        }
        return own;
    }

    /** The first hold on the node, whose vetoes are reported if no hold there makes the node feasible. */
    Optional<Hold> firstOnNode(NodeState node) {
        return ownerRules.isEmpty() ? Optional.empty() : onNode(node).stream().findFirst();
    }
}
