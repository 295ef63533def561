package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import java.util.BitSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The nodes that changed since the last call, from the ledger's change log. The cost is O(changes). */
final class ChangedNodes {
    private long version;

    /** Whether nothing changed since the last call. */
    boolean isUpToDate(LedgerView ledger) {
        return version == ledger.version();
    }

    /** Skips all changes up to now. */
    void skipAll(LedgerView ledger) {
        version = ledger.version();
    }

    /**
     * The names of the changed nodes. Empty if the log does not reach back far enough: then any node may have changed.
     */
    Optional<Set<String>> takeChanged(LedgerView ledger) {
        BitSet slots = new BitSet();
        boolean complete = ledger.changesSince(version, new LedgerView.ChangeListener() {
            @Override
            public void onNodeChanged(int slot) {
                slots.set(slot);
            }

            @Override
            public void onPodAdded(int slot, Pod pod) {
                slots.set(slot);
            }

            @Override
            public void onPodRemoved(int slot, Pod pod) {
                slots.set(slot);
            }

            @Override
            public void onWorkloadsChanged(String namespace) {}

            @Override
            public void onNamespacesChanged() {}
        });
        skipAll(ledger);
        return complete ? Optional.of(names(slots, ledger)) : Optional.empty();
    }

    /** Deleted nodes are omitted: their holds have ended, and the plugin was called for that. */
    private static Set<String> names(BitSet slots, LedgerView ledger) {
        return slots.stream()
                .mapToObj(ledger::nodeAt)
                .flatMap(Optional::stream)
                .map(NodeState::node)
                .map(node -> node.name())
                .collect(Collectors.toSet());
    }
}
