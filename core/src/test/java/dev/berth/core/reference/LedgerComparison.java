package dev.berth.core.reference;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Compares all results of a ledger, or of a snapshot, with those of the reference ledger. */
public final class LedgerComparison {
    private static final Pod ANY_POD =
            Pod.builder(new PodUid("anybody"), "default", "anybody").build();

    private final LedgerView ledger;
    private final ReferenceLedger reference;
    private final ReferenceLedgerState ledgers;
    private final List<String> found = new ArrayList<>();

    private LedgerComparison(LedgerView ledger, ReferenceLedger reference) {
        this.ledger = ledger;
        this.reference = reference;
        this.ledgers = reference.compute();
    }

    /** The differences as texts; empty if both agree. */
    public static List<String> differences(LedgerView ledger, ReferenceLedger reference) {
        LedgerComparison comparison = new LedgerComparison(ledger, reference);
        comparison.compare(
                "number of", "nodes", ledger.nodeCount(), reference.nodes().size());
        reference.nodes().forEach(comparison::compareNode);
        reference.holds().forEach(comparison::compareHold);
        reference.pods().forEach(comparison::comparePod);
        if (ledger instanceof Ledger lived) {
            comparison.compare("broken draws", "all nodes", lived.brokenDraws(), comparison.ledgers.brokenDraws());
        }
        return comparison.found;
    }

    private void compareNode(Node node) {
        String name = node.name();
        Optional<NodeState> present = ledger.node(name);
        if (present.isEmpty()) {
            found.add("node %s is missing".formatted(name));
            return;
        }
        NodeState state = present.get();
        compare("node", name, state.node(), node);
        compare("used on", name, state.used(), Resources.of(ledgers.used(node)));
        compare("scoring on", name, state.scoringUsed(), Resources.of(ledgers.scoringUsed(node)));
        compare("outstanding on", name, state.outstanding(), Resources.of(ledgers.outstanding(node)));
        compare("free on", name, state.free(), Resources.of(ledgers.free(node)));
        compare("missing on", name, state.shortfall(), Resources.of(ledgers.shortfall(node)));
        // The ledger promises an order that follows from the UIDs, not the order of the UIDs.
        compare("pods on", name, sorted(state.pods()), ledgers.podsOn(node));
        compare("ports on", name, state.ports(), ledgers.ports(node, Set.of()));
        compare(
                "holds on",
                name,
                state.holds(),
                ledgers.holdsOn(node).stream().map(Hold::id).toList());
        compare("neighbours on", name, state.neighbours(), ledgers.neighboursOn(node));
        compare("slot of", name, ledger.nodeAt(state.slot()).map(NodeState::node), Optional.of(node));
        compare("slot below the bound of", name, state.slot() < ledger.slotBound(), true);
    }

    private static List<Pod> sorted(List<Pod> pods) {
        return pods.stream().sorted(Comparator.comparing(Pod::uid)).toList();
    }

    private void compareHold(Hold hold) {
        Optional<HoldState> present = ledger.holdState(hold.id());
        if (present.isEmpty()) {
            found.add("hold %s is missing".formatted(hold.id()));
            return;
        }
        HoldState state = present.get();
        compare("hold", hold.id(), state.hold(), hold);
        compare(
                "node of hold",
                hold.id(),
                state.nodeName(),
                reference.nodeOf(hold).map(Node::name));
        compare("claims of hold", hold.id(), state.claims(), ledgers.claims(hold));
        compare("outstanding of hold", hold.id(), state.outstanding(), Resources.of(ledgers.outstanding(hold)));
        compare("allocated of hold", hold.id(), state.allocated(), Resources.of(ledgers.allocated(hold)));
        compare(
                "hold that is drawn on by",
                hold.id(),
                state.draws().source(),
                ledgers.drawsOn(hold).map(Hold::id));
        compare("drawn by hold", hold.id(), state.draws().taken(), Resources.of(ledgers.drawnBy(hold)));
        compare(
                "number of holds drawing on",
                hold.id(),
                state.draws().drawingHolds(),
                ledgers.drawers(hold).size());
        compare("claimable", hold.id(), state.claimable(), ledgers.claimable(hold));
        compare("hold spent", hold.id(), state.spent(), ledgers.spent(hold));
        if (reference.nodeOf(hold).isPresent()) {
            compare("ports with", hold.id(), ledger.usedPortsWith(hold), ledgers.usedPortsWith(hold));
            compare(
                    "room with",
                    hold.id(),
                    ledger.availableWith(hold, ANY_POD),
                    Resources.of(ledgers.availableWith(hold)));
        }
    }

    private void comparePod(Pod pod) {
        compare("pod", pod, ledger.pod(pod.uid()), Optional.of(pod));
        compare("assumption of", pod, ledger.assumption(pod.uid()), reference.assumption(pod.uid()));
        reference
                .nodeNameOf(pod)
                .ifPresent(name -> compare(
                        "presence of node",
                        name,
                        ledger.node(name).isPresent(),
                        reference.nodes().stream().anyMatch(node -> node.name().equals(name))));
        compare(
                "labels of the namespace of",
                pod,
                ledger.namespaceLabels(pod.namespace()),
                ledgers.namespaceLabels(pod.namespace()));
        compare("workloads of", pod, ledger.workloadsOf(pod), ledgers.workloadsOf(pod));
        compare("holds for", pod, ledger.holdsFor(pod), ledgers.holdsFor(pod));
    }

    private void compare(String what, Object of, Object mine, Object theirs) {
        if (!Objects.equals(mine, theirs)) {
            found.add("%s %s: ledger says (%s), reference says (%s)".formatted(what, of, mine, theirs));
        }
    }
}
