package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.persistent.TrieMap;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The ledger without some of the pods and holds of one node. The other holds of the node are recomputed, so resources that
 * went back to a hold do not count as free. Valid as long as the ledger does not change.
 */
final class SimulatedLedger extends AbstractLedgerView {
    private final Ledger ledger;
    private final LedgerState ledgerState;
    private final Removals removals;
    private final NodeState changed;

    SimulatedLedger(Ledger ledger, LedgerState ledgerState, NodeAccount without, Removals removals) {
        this.ledger = ledger;
        this.removals = removals;
        this.changed = without.state()
                .orElseThrow(() -> new IllegalArgumentException("node (%s) not found".formatted(without.name())));
        TrieMap<HoldId, HoldState> allHolds = ledgerState.holds();
        for (HoldId removed : removals.holds()) {
            allHolds = allHolds.without(removed);
        }
        for (HoldState state : without.holdStates()) {
            allHolds = allHolds.with(state.hold().id(), state);
        }
        this.ledgerState = ledgerState.withHolds(allHolds);
    }

    @Override
    LedgerState ledgerState() {
        return ledgerState;
    }

    @Override
    public int slotBound() {
        return ledger.slotBound();
    }

    @Override
    public Optional<NodeState> nodeAt(int slot) {
        return slot == changed.slot() ? Optional.of(changed) : ledger.nodeAt(slot);
    }

    @Override
    public Optional<NodeState> node(String name) {
        return name.equals(changed.node().name()) ? Optional.of(changed) : ledger.node(name);
    }

    @Override
    public int nodeCount() {
        return ledger.nodeCount();
    }

    @Override
    public OptionalInt lowestPriority() {
        return ledger.lowestPriority();
    }

    @Override
    public Optional<Pod> pod(PodUid uid) {
        return removals.pods().contains(uid) ? Optional.empty() : ledger.pod(uid);
    }

    @Override
    public Optional<Assumption> assumption(PodUid uid) {
        return removals.pods().contains(uid) ? Optional.empty() : ledger.assumption(uid);
    }

    @Override
    public Optional<Assumption> confirmedAssumption(PodUid uid) {
        return removals.pods().contains(uid) ? Optional.empty() : ledger.confirmedAssumption(uid);
    }

    @Override
    public long version() {
        return ledger.version();
    }

    @Override
    public boolean changesSince(long since, ChangeListener changeListener) {
        return since == version();
    }
}
