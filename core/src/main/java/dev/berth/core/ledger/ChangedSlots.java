package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import java.util.Set;
import java.util.TreeSet;

/** Follows the ledger's change log for a reader that wants to know which nodes to look at again. */
public final class ChangedSlots {
    private final Log log = new Log();
    private long version = -1;

    /**
     * The slots of the nodes at which something changed since this was last asked: pods, holds or the nodes themselves. All
     * slots at first, and where more changed than the log has.
     */
    public Set<Integer> take(LedgerView ledger) {
        log.slots = new TreeSet<>();
        if (version < 0 || !ledger.changesSince(version, log)) {
            for (int slot = 0; slot < ledger.slotBound(); slot++) {
                log.slots.add(slot);
            }
        }
        version = ledger.version();
        return log.slots;
    }

    private static final class Log implements LedgerView.Changes {
        private Set<Integer> slots = new TreeSet<>();

        @Override
        public void nodeChanged(int slot) {
            slots.add(slot);
        }

        @Override
        public void podArrived(int slot, Pod pod) {
            slots.add(slot);
        }

        @Override
        public void podLeft(int slot, Pod pod) {
            slots.add(slot);
        }

        @Override
        public void workloadsChanged(String namespace) {}

        @Override
        public void namespacesChanged() {}
    }
}
