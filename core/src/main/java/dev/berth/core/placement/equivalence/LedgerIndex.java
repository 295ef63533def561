package dev.berth.core.placement.equivalence;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.LedgerCursor;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.interpodaffinity.InterPodIndex;
import dev.berth.core.placement.interpodaffinity.NeighbourHoldIndex;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.topologyspread.DefaultSelectorCache;
import dev.berth.core.placement.topologyspread.SpreadIndex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The indexes over the ledger that placement reads: the {@link NodeTable}, the {@link SpreadIndex} and the {@link
 * InterPodIndex}. It follows the ledger's change log, and reads everything where the log does not reach back far enough.
 */
public final class LedgerIndex {
    private final LedgerView ledger;
    private final NodeTable table = new NodeTable();
    private final SpreadIndex spread = new SpreadIndex(table::domainOf);
    private final DefaultSelectorCache selectors;
    private final NeighbourHoldIndex neighbourHolds = new NeighbourHoldIndex(table::domainOf);
    private final InterPodIndex interPodIndex;
    private final PendingChanges pendingChanges = new PendingChanges();
    private final LedgerCursor cursor = new LedgerCursor();

    public LedgerIndex(LedgerView ledger) {
        this.ledger = ledger;
        this.selectors = new DefaultSelectorCache(ledger::workloadsBySelector);
        this.interPodIndex = new InterPodIndex(ledger, table, neighbourHolds);
    }

    public NodeTable table() {
        return table;
    }

    public SpreadIndex spread() {
        return spread;
    }

    public InterPodIndex interPodIndex() {
        return interPodIndex;
    }

    public NeighbourHoldIndex neighbourHolds() {
        return neighbourHolds;
    }

    public DefaultSelectorCache selectors() {
        return selectors;
    }

    /** Applies the changes of the ledger since the last call. */
    public void refresh() {
        if (cursor.isUpToDate(ledger)) {
            return;
        }
        if (cursor.follow(ledger, pendingChanges)) {
            pendingChanges.apply();
        } else {
            rebuild();
        }
    }

    private void rebuild() {
        selectors.clear();
        interPodIndex.namespacesChanged();
        int bound = Math.max(ledger.slotBound(), table.slotBound());
        for (int slot = 0; slot < bound; slot++) {
            reload(slot, ledger.nodeAt(slot));
        }
    }

    /** The node or its holds changed, or another node has the slot: the log may not name all changes of its pods. */
    private void reload(int slot, Optional<NodeState> now) {
        List<Pod> before = table.stateAt(slot).map(NodeState::pods).orElse(List.of());
        List<Pod> after = now.map(NodeState::pods).orElse(List.of());
        before.forEach(pod -> onPodRemoved(slot, pod));
        table.stateAt(slot).map(NodeState::neighbours).orElse(List.of()).forEach(hold -> onHoldRemoved(slot, hold));
        table.update(slot, now);
        after.forEach(pod -> onPodAdded(slot, pod));
        now.map(NodeState::neighbours).orElse(List.of()).forEach(hold -> onHoldAdded(slot, hold));
    }

    /** Pods of the node started to use holds, or no longer use them. The node itself is the same. */
    @SuppressWarnings("ReferenceEquality") // The list is the same if nothing of it changed. Otherwise it is compared.
    private void update(int slot, Optional<NodeState> now) {
        List<Hold> before = table.stateAt(slot).map(NodeState::neighbours).orElse(List.of());
        List<Hold> after = now.map(NodeState::neighbours).orElse(List.of());
        table.update(slot, now);
        if (before != after) {
            Set<Hold> unchanged = new HashSet<>(before);
            unchanged.retainAll(new HashSet<>(after));
            before.stream().filter(hold -> !unchanged.contains(hold)).forEach(hold -> onHoldRemoved(slot, hold));
            after.stream().filter(hold -> !unchanged.contains(hold)).forEach(hold -> onHoldAdded(slot, hold));
        }
    }

    private void onHoldAdded(int slot, Hold hold) {
        spread.onPodAdded(slot, hold.neighbour().orElseThrow());
        interPodIndex.onHoldAdded(slot, hold);
    }

    private void onHoldRemoved(int slot, Hold hold) {
        spread.onPodRemoved(slot, hold.neighbour().orElseThrow());
        interPodIndex.onHoldRemoved(slot, hold);
    }

    private void onPodAdded(int slot, Pod pod) {
        spread.onPodAdded(slot, pod);
        interPodIndex.onPodAdded(slot, pod);
    }

    private void onPodRemoved(int slot, Pod pod) {
        spread.onPodRemoved(slot, pod);
        interPodIndex.onPodRemoved(slot, pod);
    }

    /**
     * The changes of the log by slot. The ledger is already in the state after the last change, so each slot is read once, after
     * all changes were received.
     */
    private final class PendingChanges implements LedgerView.ChangeListener {
        private final BitSet reloaded = new BitSet();
        private final BitSet updated = new BitSet();
        private final List<Pod> pods = new ArrayList<>();
        private int[] slots = new int[64];

        @Override
        public void onNodeChanged(int slot) {
            reloaded.set(slot);
        }

        @Override
        public void onPodAdded(int slot, Pod pod) {
            addMove(slot, pod);
        }

        @Override
        public void onPodRemoved(int slot, Pod pod) {
            addMove(~slot, pod);
        }

        private void addMove(int signedSlot, Pod pod) {
            if (pods.size() == slots.length) {
                slots = Arrays.copyOf(slots, slots.length * 2);
            }
            slots[pods.size()] = signedSlot;
            pods.add(pod);
        }

        @Override
        public void onWorkloadsChanged(String namespace) {
            selectors.workloadsChanged(namespace);
        }

        @Override
        public void onNamespacesChanged() {
            interPodIndex.namespacesChanged();
        }

        void apply() {
            for (int i = 0; i < pods.size(); i++) {
                boolean removed = slots[i] < 0;
                int slot = removed ? ~slots[i] : slots[i];
                if (reloaded.get(slot)) {
                    continue;
                }
                updated.set(slot);
                if (removed) {
                    LedgerIndex.this.onPodRemoved(slot, pods.get(i));
                } else {
                    LedgerIndex.this.onPodAdded(slot, pods.get(i));
                }
            }
            for (int slot = updated.nextSetBit(0); slot >= 0; slot = updated.nextSetBit(slot + 1)) {
                update(slot, ledger.nodeAt(slot));
            }
            for (int slot = reloaded.nextSetBit(0); slot >= 0; slot = reloaded.nextSetBit(slot + 1)) {
                reload(slot, ledger.nodeAt(slot));
            }
            updated.clear();
            reloaded.clear();
            pods.clear();
        }
    }
}
