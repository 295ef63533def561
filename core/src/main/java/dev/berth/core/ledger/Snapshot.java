package dev.berth.core.ledger;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.persistent.TrieMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The immutable state of the ledger at one moment, for readers on any thread. It shares what did not change since. */
public final class Snapshot extends AbstractLedgerView {
    private final NodeSlots.NodesBySlot nodes;
    private final TrieMap<String, Integer> slotsByName;
    private final LedgerState ledgerState;
    private final OptionalInt lowestPriority;
    private final Revision revision;

    /**
     * The moment of the snapshot.
     *
     * @param version of the last change in the change log
     * @param generation grows with every change of the ledger
     */
    record Revision(long version, long generation) {}

    Snapshot(
            NodeSlots.NodesBySlot nodes,
            TrieMap<String, Integer> slotsByName,
            LedgerState ledgerState,
            OptionalInt lowestPriority,
            Revision revision) {
        this.nodes = nodes;
        this.slotsByName = slotsByName;
        this.ledgerState = ledgerState;
        this.lowestPriority = lowestPriority;
        this.revision = revision;
    }

    @Override
    public OptionalInt lowestPriority() {
        return lowestPriority;
    }

    /** Grows with every change of the ledger: equal generations of one ledger are equal snapshots. */
    public long generation() {
        return revision.generation();
    }

    @Override
    LedgerState ledgerState() {
        return ledgerState;
    }

    @Override
    public int slotBound() {
        return nodes.bound();
    }

    @Override
    public Optional<NodeState> nodeAt(int slot) {
        return nodes.get(slot);
    }

    @Override
    public Optional<NodeState> node(String name) {
        @Nullable Integer slot = slotsByName.get(name);
        return slot == null ? Optional.empty() : nodes.get(slot);
    }

    @Override
    public int nodeCount() {
        return nodes.count();
    }

    @Override
    public long version() {
        return revision.version();
    }

    /** A snapshot has no change log: it can only report that nothing changed. */
    @Override
    public boolean changesSince(long since, ChangeListener changeListener) {
        return since == revision.version();
    }

    /** Visits every node, in the order of the slots. */
    @Override
    public void forEachNode(Consumer<NodeState> visitor) {
        for (int slot = 0; slot < nodes.bound(); slot++) {
            nodes.get(slot).ifPresent(visitor);
        }
    }

    /** Visits every pod, bound or not, in no particular order. */
    public void forEachPod(Consumer<Pod> visitor) {
        ledgerState.pods().forEach((uid, pod) -> visitor.accept(pod));
    }

    /** Visits every hold, on known nodes or not, in no particular order. */
    public void forEachHold(Consumer<HoldState> visitor) {
        ledgerState.holds().forEach((id, state) -> visitor.accept(state));
    }

    /** The slots whose nodes differ in anything from an older snapshot of the same ledger. */
    void forEachChangedNode(Snapshot older, IntConsumer visitor) {
        nodes.forEachChange(older.nodes, visitor);
    }

    public LedgerFacts facts() {
        List<Node> all = new ArrayList<>(nodes.count());
        forEachNode(state -> all.add(state.node()));
        return ledgerState.facts(all);
    }
}
