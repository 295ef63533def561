package dev.berth.core.placement.equivalence;

import dev.berth.core.hold.Hold;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.table.ChangeCursor;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.SlotChangeLog;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * The claimable holds of one set of owner rules, as numbers by slot. All classes of pods that these rules admit share it. So
 * the holds of a changed node are read once, and not once for each class.
 */
final class HoldTable {
    private static final int LOG_CAPACITY = 1 << 12;

    private final NodeTable table;
    private final LedgerView ledger;
    private final Set<OwnerRule> rules;
    private final SlotChangeLog changes = new SlotChangeLog(LOG_CAPACITY);
    private final ChangeCursor nodeChanges;
    /** Nodes that changed and were not read yet. */
    private final BitSet dirty = new BitSet();

    private HoldRow[] rows = new HoldRow[0];
    private int insufficientRows;

    /** @param rules all rules that admit the pods */
    HoldTable(NodeTable table, LedgerView ledger, Set<OwnerRule> rules) {
        this.table = table;
        this.ledger = ledger;
        this.rules = rules;
        this.nodeChanges = new ChangeCursor(table.resourceChanges());
    }

    /** The slots with holds, now or before, where something changed: the holds, or what is free or used on the node. */
    SlotChangeLog changes() {
        return changes;
    }

    HoldRow at(int slot) {
        return slot < rows.length ? rows[slot] : HoldRow.EMPTY;
    }

    /** See {@link HoldRow#isSufficient}. */
    boolean isSufficient() {
        return insufficientRows == 0;
    }

    /**
     * Reads the nodes that changed.
     *
     * @param timeIsUp called after each node; once it returns true, the next call continues where this one stopped
     * @return whether all changes are applied
     */
    boolean refresh(BooleanSupplier timeIsUp) {
        ensureCapacity();
        if (nodeChanges.mustReadAll()) {
            addAllTo(dirty);
        } else {
            nodeChanges.addUnreadTo(dirty);
        }
        nodeChanges.moveToHead();
        for (int slot = dirty.nextSetBit(0); slot >= 0; slot = dirty.nextSetBit(slot + 1)) {
            dirty.clear(slot);
            if (update(slot) && timeIsUp.getAsBoolean()) {
                break;
            }
        }
        return dirty.isEmpty();
    }

    private void ensureCapacity() {
        int known = rows.length;
        if (known < table.slotBound()) {
            rows = Arrays.copyOf(rows, table.slotBound() + table.slotBound() / 4);
            Arrays.fill(rows, known, rows.length, HoldRow.EMPTY);
        }
    }

    private void addAllTo(BitSet slots) {
        for (int slot = 0; slot < rows.length; slot++) {
            if (rows[slot].count() > 0) {
                slots.set(slot);
            }
        }
        for (String name : ledger.nodesWithClaimableHolds(rules)) {
            ledger.node(name).ifPresent(node -> slots.set(node.slot()));
        }
    }

    /** Returns whether the node has holds, or had some. */
    private boolean update(int slot) {
        HoldRow before = rows[slot];
        HoldRow now = read(slot);
        if (before.count() == 0 && now.count() == 0) {
            return false;
        }
        insufficientRows += (now.isSufficient() ? 0 : 1) - (before.isSufficient() ? 0 : 1);
        rows[slot] = now;
        changes.add(slot);
        return true;
    }

    private HoldRow read(int slot) {
        Optional<NodeState> node = table.stateAt(slot);
        if (node.isEmpty() || node.get().holds().isEmpty()) {
            return HoldRow.EMPTY;
        }
        List<Hold> offered = ledger.claimableHolds(node.get(), rules);
        return offered.isEmpty() ? HoldRow.EMPTY : HoldRow.of(offered, node.get(), ledger);
    }
}
