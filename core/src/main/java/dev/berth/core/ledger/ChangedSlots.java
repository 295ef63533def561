package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import java.util.Set;
import java.util.TreeSet;

/** Collects the slots of changed nodes, for a reader that must read these nodes again. */
public final class ChangedSlots {
    private final LedgerCursor cursor = new LedgerCursor();

    /**
     * The slots of the nodes that changed since the last call: their pods, their holds or the nodes themselves. All slots at the
     * first call, and where more changed than the log has.
     */
    public Set<Integer> drain(LedgerView ledger) {
        Set<Integer> slots = new TreeSet<>();
        if (!cursor.follow(ledger, new SlotListener(slots))) {
            for (int slot = 0; slot < ledger.slotBound(); slot++) {
                slots.add(slot);
            }
        }
        return slots;
    }

    private record SlotListener(Set<Integer> slots) implements LedgerView.ChangeListener {
        @Override
        public void onNodeChanged(int slot) {
            slots.add(slot);
        }

        @Override
        public void onPodAdded(int slot, Pod pod) {
            slots.add(slot);
        }

        @Override
        public void onPodRemoved(int slot, Pod pod) {
            slots.add(slot);
        }

        @Override
        public void onWorkloadsChanged(String namespace) {}

        @Override
        public void onNamespacesChanged() {}
    }
}
