package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.persistent.TrieMap;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The ledger as it would be if some of the pods and holds of one node were not there: what the others keep is worked out
 * anew, so room that went back to a hold is not taken for free. Valid as long as the ledger does not change.
 */
final class WhatIf extends BooksView {
    private final Ledger ledger;
    private final Books books;
    private final Absence absent;
    private final NodeState changed;

    WhatIf(Ledger ledger, Books books, Account without, Absence absent) {
        this.ledger = ledger;
        this.absent = absent;
        this.changed = without.state()
                .orElseThrow(() -> new IllegalArgumentException("node (%s) is not known".formatted(without.name())));
        TrieMap<HoldId, HoldState> known = books.holds();
        for (HoldId gone : absent.holds()) {
            known = known.without(gone);
        }
        for (HoldState state : without.holdStates()) {
            known = known.with(state.hold().id(), state);
        }
        this.books = books.withHolds(known);
    }

    @Override
    Books books() {
        return books;
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
        return absent.pods().contains(uid) ? Optional.empty() : ledger.pod(uid);
    }

    @Override
    public Optional<Assumption> assumption(PodUid uid) {
        return absent.pods().contains(uid) ? Optional.empty() : ledger.assumption(uid);
    }

    @Override
    public Optional<Assumption> confirmed(PodUid uid) {
        return absent.pods().contains(uid) ? Optional.empty() : ledger.confirmed(uid);
    }

    @Override
    public long version() {
        return ledger.version();
    }

    @Override
    public boolean changesSince(long since, Changes changes) {
        return since == version();
    }
}
