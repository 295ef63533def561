package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.persistent.TrieMap;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The ledger as it would be if some of the pods and holds of one node were not there: what the others keep is worked out
 * anew, so room that went back to a hold is not taken for free. Valid as long as the ledger does not change.
 */
final class WhatIf implements LedgerView {
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
    public List<Hold> holdsFor(Pod pod) {
        return books.holdsFor(pod);
    }

    @Override
    public Resources roomWith(Hold hold, Pod pod) {
        return nodeOf(hold).map(state -> books.roomWith(hold, state.free())).orElse(Resources.NONE);
    }

    @Override
    public List<HostPort> portsWith(Hold hold) {
        return nodeOf(hold).map(state -> books.portsWith(hold, state)).orElse(List.of());
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
    public Optional<HoldState> holdState(HoldId id) {
        return books.hold(id);
    }

    @Override
    public List<Workload> workloadsOf(Pod pod) {
        return ledger.workloadsOf(pod);
    }

    @Override
    public Labels namespaceLabels(String name) {
        return ledger.namespaceLabels(name);
    }

    @Override
    public long version() {
        return ledger.version();
    }

    @Override
    public boolean changesSince(long since, Changes changes) {
        return since == version();
    }

    private Optional<NodeState> nodeOf(Hold hold) {
        return books.hold(hold.id()).flatMap(HoldState::nodeName).flatMap(this::node);
    }
}
