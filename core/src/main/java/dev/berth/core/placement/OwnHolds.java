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
 * The holds that a pod may use and that are its business, found node by node. Of holds that the pod cannot tell apart the
 * first by id stands for all.
 */
final class OwnHolds {
    private final LedgerView ledger;
    private final Resources requests;
    private final boolean required;
    private final Collection<OwnerRule> rules;

    private OwnHolds(LedgerView ledger, Resources requests, boolean required, Collection<OwnerRule> rules) {
        this.ledger = ledger;
        this.requests = requests;
        this.required = required;
        this.rules = rules;
    }

    static OwnHolds of(LedgerView ledger, Pod pod, HoldUse use) {
        return new OwnHolds(
                ledger,
                pod.shape().requests(),
                use == HoldUse.REQUIRED,
                use == HoldUse.NONE ? List.of() : ledger.rulesFor(pod));
    }

    /** The same pod as if no hold admitted it. */
    OwnHolds none() {
        return new OwnHolds(ledger, requests, required, List.of());
    }

    /**
     * A hold that keeps nothing of what the pod asks for would be spent for nothing. A pod that asks for nothing takes its
     * slot.
     */
    private boolean concerns(Hold hold) {
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

    /** Whether there are none for sure: some rule may admit the pod whose holds are not its business. */
    boolean isEmpty() {
        return rules.isEmpty();
    }

    /** By which the pod is admitted to them. */
    Collection<OwnerRule> rules() {
        return rules;
    }

    /** On about how many nodes some may be. */
    int countNodes() {
        return ledger.countOffering(rules);
    }

    /** The nodes where some may be, in the order of their names. */
    List<NodeState> nodes() {
        if (rules.isEmpty()) {
            return List.of();
        }
        return ledger.nodesOffering(rules).stream()
                .sorted()
                .flatMap(name -> ledger.node(name).stream())
                .toList();
    }

    /** In the order of their ids. */
    List<Hold> on(NodeState node) {
        List<Hold> offered = rules.isEmpty() ? List.of() : ledger.offers(node, rules);
        if (offered.isEmpty()) {
            return offered;
        }
        List<Hold> own = new ArrayList<>(offered.size());
        for (Hold hold : offered) {
            if (concerns(hold)) {
                own.add(hold);
            }
        }
        return own;
    }

    /** The first hold on the node, which speaks for the pod when none there is of use. */
    Optional<Hold> firstOn(NodeState node) {
        return rules.isEmpty() ? Optional.empty() : on(node).stream().findFirst();
    }
}
