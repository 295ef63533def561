package dev.berth.core.invariant;

import dev.berth.core.cluster.Node;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.LedgerFacts;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The differences between two snapshots, as messages: facts first, then the sums that follow from them. Slots and
 * generations are not compared: they depend on the history of a ledger, not on its content.
 */
public final class SnapshotDifferences {
    private final Snapshot left;
    private final Snapshot right;
    private final List<String> found = new ArrayList<>();

    private SnapshotDifferences(Snapshot left, Snapshot right) {
        this.left = left;
        this.right = right;
    }

    /** One message for each difference; empty if the snapshots are equal. */
    public static List<String> between(Snapshot left, Snapshot right) {
        SnapshotDifferences differences = new SnapshotDifferences(left, right);
        LedgerFacts mine = left.facts();
        LedgerFacts theirs = right.facts();
        differences.compare("nodes", mine.nodes(), theirs.nodes());
        differences.compare("pods", mine.pods(), theirs.pods());
        differences.compare("holds", mine.holds(), theirs.holds());
        differences.compare("workloads", mine.workloads(), theirs.workloads());
        differences.compare("namespaces", mine.namespaces(), theirs.namespaces());
        differences.compare("assumptions", mine.assumptions(), theirs.assumptions());
        mine.nodes().forEach(differences::compareNode);
        mine.holds().forEach(differences::compareHold);
        return List.copyOf(differences.found);
    }

    private void compareNode(Node node) {
        Optional<NodeState> mine = left.node(node.name());
        Optional<NodeState> theirs = right.node(node.name());
        if (mine.isEmpty() || theirs.isEmpty()) {
            compare("presence of node " + node.name(), mine.isPresent(), theirs.isPresent());
            return;
        }
        String name = node.name();
        compare("used on node " + name, mine.get().used(), theirs.get().used());
        compare(
                "outstanding on node " + name,
                mine.get().outstanding(),
                theirs.get().outstanding());
        compare("free on node " + name, mine.get().free(), theirs.get().free());
        compare("missing on node " + name, mine.get().shortfall(), theirs.get().shortfall());
        compare(
                "scoring on node " + name,
                mine.get().scoringUsed(),
                theirs.get().scoringUsed());
        compare("pods on node " + name, mine.get().pods(), theirs.get().pods());
        compare("ports on node " + name, mine.get().ports(), theirs.get().ports());
        compare("holds on node " + name, mine.get().holds(), theirs.get().holds());
        compare(
                "neighbours on node " + name,
                mine.get().neighbours(),
                theirs.get().neighbours());
    }

    private void compareHold(Hold hold) {
        compare("hold " + hold.id(), left.holdState(hold.id()), right.holdState(hold.id()));
    }

    private void compare(String what, Object mine, Object theirs) {
        if (!mine.equals(theirs)) {
            found.add("%s: (%s) here, (%s) there".formatted(what, mine, theirs));
        }
    }
}
