package dev.berth.core.ledger;

import dev.berth.core.cluster.Workload;
import dev.berth.core.workload.WorkloadIndex;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * The ledger as it was published last, for a reader that keeps an index over several snapshots. {@link #changesSince} finds
 * changes by comparing two snapshots: its cost grows with the number of changed nodes. For one thread at a time.
 */
public final class SnapshotFollower extends AbstractLedgerView {
    private Snapshot current;
    /** The snapshot that the reader's index is built from. */
    private Snapshot indexed;

    public SnapshotFollower(Snapshot first) {
        this.current = first;
        this.indexed = first;
    }

    /** Reads from this snapshot from now on; all snapshots are of one ledger. */
    public void moveTo(Snapshot snapshot) {
        current = snapshot;
    }

    @Override
    LedgerState ledgerState() {
        return current.ledgerState();
    }

    @Override
    public int slotBound() {
        return current.slotBound();
    }

    @Override
    public Optional<NodeState> nodeAt(int slot) {
        return current.nodeAt(slot);
    }

    @Override
    public Optional<NodeState> node(String name) {
        return current.node(name);
    }

    @Override
    public int nodeCount() {
        return current.nodeCount();
    }

    @Override
    public OptionalInt lowestPriority() {
        return current.lowestPriority();
    }

    @Override
    public long version() {
        return current.version();
    }

    /** Reports a changed node as a whole, and not its pods one by one. */
    @Override
    public boolean changesSince(long version, ChangeListener changeListener) {
        Snapshot from = indexed;
        indexed = current;
        if (from.version() != version) {
            return false;
        }
        current.forEachChangedNode(from, changeListener::onNodeChanged);
        namespacesWithChangedWorkloads(
                        from.ledgerState().workloads(), ledgerState().workloads())
                .forEach(changeListener::onWorkloadsChanged);
        if (!isSame(from.ledgerState().namespaces(), ledgerState().namespaces())) {
            changeListener.onNamespacesChanged();
        }
        return true;
    }

    private static Set<String> namespacesWithChangedWorkloads(WorkloadIndex before, WorkloadIndex after) {
        Set<String> namespaces = new TreeSet<>();
        if (!isSame(before, after)) {
            after.forEach(workload -> addIfChanged(namespaces, workload, before));
            before.forEach(workload -> addIfChanged(namespaces, workload, after));
        }
        return namespaces;
    }

    private static void addIfChanged(Set<String> namespaces, Workload workload, WorkloadIndex other) {
        if (!other.get(workload.key()).equals(Optional.of(workload))) {
            namespaces.add(workload.namespace());
        }
    }

    @SuppressWarnings(
            "ReferenceEquality") // What did not change is shared; to compare the contents would cost too much.
    private static boolean isSame(Object before, Object after) {
        return before == after;
    }
}
