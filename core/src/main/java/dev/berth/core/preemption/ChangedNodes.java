package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import java.util.BitSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The nodes that changed since this was last asked, from the ledger's change log. Costs what changed. */
final class ChangedNodes {
    private long version;

    /** Whether nothing at all changed since. */
    boolean isUpToDate(LedgerView ledger) {
        return version == ledger.version();
    }

    /** What happens until now need not be heard of. */
    void markSeen(LedgerView ledger) {
        version = ledger.version();
    }

    /** Their names; empty when the log does not reach back so far: then any node may have changed. */
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
        markSeen(ledger);
        return complete ? Optional.of(names(slots, ledger)) : Optional.empty();
    }

    /** Of nodes that are gone nothing is said: their holds have ended, and the door heard of that. */
    private static Set<String> names(BitSet slots, LedgerView ledger) {
        return slots.stream()
                .mapToObj(ledger::nodeAt)
                .flatMap(Optional::stream)
                .map(NodeState::node)
                .map(node -> node.name())
                .collect(Collectors.toSet());
    }
}
