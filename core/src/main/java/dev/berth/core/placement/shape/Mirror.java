package dev.berth.core.placement.shape;

import dev.berth.core.cluster.Pod;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.neighbour.NeighbourIndex;
import dev.berth.core.placement.spread.SpreadIndex;
import dev.berth.core.placement.spread.SpreadSelectors;
import dev.berth.core.placement.table.NodeTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** The ledger as the fast path sees it. Follows the ledger's change log; where that does not reach, reads everything. */
public final class Mirror {
    private final LedgerView ledger;
    private final NodeTable table = new NodeTable();
    private final SpreadIndex spread = new SpreadIndex(table::domainOf);
    private final SpreadSelectors selectors;
    private final NeighbourIndex neighbours;
    private final News news = new News();
    private long seen = -1;

    public Mirror(LedgerView ledger) {
        this.ledger = ledger;
        this.selectors = new SpreadSelectors(ledger::workloadsBySelector);
        this.neighbours = new NeighbourIndex(ledger, table);
    }

    public NodeTable table() {
        return table;
    }

    public SpreadIndex spread() {
        return spread;
    }

    public NeighbourIndex neighbours() {
        return neighbours;
    }

    public SpreadSelectors selectors() {
        return selectors;
    }

    /** Takes over what changed since the last time. */
    public void follow() {
        if (seen == ledger.version()) {
            return;
        }
        if (seen < 0 || !ledger.changesSince(seen, news)) {
            readAll();
        } else {
            news.apply();
        }
        seen = ledger.version();
    }

    private void readAll() {
        selectors.clear();
        neighbours.namespacesChanged();
        int bound = Math.max(ledger.slotBound(), table.bound());
        for (int slot = 0; slot < bound; slot++) {
            recount(slot, ledger.nodeAt(slot));
        }
    }

    /** The node itself or its holds changed, or it is another: what was logged of its pods may not be all. */
    private void recount(int slot, Optional<NodeState> now) {
        List<Pod> before = table.state(slot).map(NodeState::pods).orElse(List.of());
        List<Pod> after = now.map(NodeState::pods).orElse(List.of());
        before.forEach(pod -> left(slot, pod));
        table.load(slot, now);
        after.forEach(pod -> arrived(slot, pod));
    }

    private void arrived(int slot, Pod pod) {
        spread.arrived(slot, pod);
        neighbours.arrived(slot, pod);
    }

    private void left(int slot, Pod pod) {
        spread.left(slot, pod);
        neighbours.left(slot, pod);
    }

    /**
     * What was logged, put together by slot. The ledger is already at the end of the log, so a slot is read once, after
     * everything was heard.
     */
    private final class News implements LedgerView.Changes {
        private final BitSet recounted = new BitSet();
        private final BitSet touched = new BitSet();
        private final List<Pod> pods = new ArrayList<>();
        private int[] slots = new int[64];

        @Override
        public void nodeChanged(int slot) {
            recounted.set(slot);
        }

        @Override
        public void podArrived(int slot, Pod pod) {
            move(slot, pod);
        }

        @Override
        public void podLeft(int slot, Pod pod) {
            move(~slot, pod);
        }

        private void move(int signedSlot, Pod pod) {
            if (pods.size() == slots.length) {
                slots = Arrays.copyOf(slots, slots.length * 2);
            }
            slots[pods.size()] = signedSlot;
            pods.add(pod);
        }

        @Override
        public void workloadsChanged(String namespace) {
            selectors.workloadsChanged(namespace);
        }

        @Override
        public void namespacesChanged() {
            neighbours.namespacesChanged();
        }

        void apply() {
            for (int i = 0; i < pods.size(); i++) {
                boolean leaves = slots[i] < 0;
                int slot = leaves ? ~slots[i] : slots[i];
                if (recounted.get(slot)) {
                    continue;
                }
                touched.set(slot);
                if (leaves) {
                    Mirror.this.left(slot, pods.get(i));
                } else {
                    Mirror.this.arrived(slot, pods.get(i));
                }
            }
            for (int slot = touched.nextSetBit(0); slot >= 0; slot = touched.nextSetBit(slot + 1)) {
                table.load(slot, ledger.nodeAt(slot));
            }
            for (int slot = recounted.nextSetBit(0); slot >= 0; slot = recounted.nextSetBit(slot + 1)) {
                recount(slot, ledger.nodeAt(slot));
            }
            touched.clear();
            recounted.clear();
            pods.clear();
        }
    }
}
