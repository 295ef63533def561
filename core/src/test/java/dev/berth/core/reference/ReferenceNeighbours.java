package dev.berth.core.reference;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldUse;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The pods on a node as another pod sees them: holds that no pod uses yet count as pods, except those it may use. */
final class ReferenceNeighbours {
    private final LedgerView ledger;
    private HoldUse use = HoldUse.PREFERRED;

    ReferenceNeighbours(LedgerView ledger) {
        this.ledger = ledger;
    }

    /** Sets how the next pods use holds. */
    void setUse(HoldUse next) {
        use = next;
    }

    HoldUse use() {
        return use;
    }

    /** Whether the pod is placed as if the hold did not exist. */
    boolean isIgnoredBy(Pod pod, Hold hold) {
        return use != HoldUse.NONE
                && pod.spec().reservations().ignored()
                && ReferenceReservations.isOfReservation(hold);
    }

    List<Pod> seenBy(Pod pod, NodeState state) {
        List<Pod> seen = new ArrayList<>(state.pods());
        holdsSeenBy(pod, state).forEach(hold -> seen.add(hold.neighbour().orElseThrow()));
        return seen;
    }

    /** The holds that count as pods, in the order of their ids. */
    List<Hold> holdsSeenBy(Pod pod, NodeState state) {
        List<Hold> seen = new ArrayList<>();
        Set<PodUid> present = state.pods().stream().map(Pod::uid).collect(Collectors.toSet());
        for (HoldId id : state.holds()) {
            HoldState hold = ledger.holdState(id).orElseThrow();
            boolean inUse =
                    !hold.claims().isEmpty() || hold.hold().backers().stream().anyMatch(present::contains);
            boolean own = use != HoldUse.NONE && hold.hold().ownerRule().admits(pod);
            if (!inUse
                    && !own
                    && !isIgnoredBy(pod, hold.hold())
                    && hold.hold().neighbour().isPresent()) {
                seen.add(hold.hold());
            }
        }
        return seen;
    }
}
