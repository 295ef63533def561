package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The evidence for a claim of one pod, apart from the users that the holds' objects list. {@link ClaimResolver} decides which
 * evidence is trusted.
 *
 * @param assumed the holds that this process assumed the pod to use; the first of them that exists has the claim. Until the
 *     binding is observed, these are the hold that the pod was placed with, the source of that hold, and so on. Afterwards
 *     they are in reverse order. The last hold of the chain is the one that the binding records; the others end with the bind.
 *     A hold in between has the claim where a simulation removes the earlier ones
 * @param recorded the hold that an annotation of a bound pod names; tenants can write it, so it proves nothing by itself
 */
record ClaimEvidence(List<HoldId> assumed, Optional<HoldId> recorded) {
    static final ClaimEvidence NONE = new ClaimEvidence(List.of(), Optional.empty());

    /** @param confirmed the assumption about the pod, whose binding to the assumed node was observed */
    static ClaimEvidence of(Pod pod, Optional<Assumption> assumption, Optional<Assumption> confirmed) {
        if (pod.nodeName().isEmpty()) {
            return of(assumption.map(ClaimEvidence::chain), Optional.empty());
        }
        return of(confirmed.map(it -> reversed(chain(it))), Claim.holdRecordedByAnyScheduler(pod));
    }

    private static ClaimEvidence of(Optional<List<HoldId>> assumed, Optional<HoldId> recorded) {
        List<HoldId> holds = assumed.orElse(List.of());
        return holds.isEmpty() && recorded.isEmpty() ? NONE : new ClaimEvidence(holds, recorded);
    }

    /**
     * The holds from the one that the pod was placed with to the one that its binding records. Every placement calls this, and
     * most pods use no hold, so that case must be cheap.
     */
    private static List<HoldId> chain(Assumption assumption) {
        Optional<HoldId> recorded = Claim.holdRecordedIn(assumption.bindAnnotations());
        if (assumption.hold().isEmpty() && recorded.isEmpty()) {
            return List.of();
        }
        Stream<HoldId> drawing = Claim.drawingHoldsIn(assumption.bindAnnotations());
        return Stream.of(assumption.hold().stream(), drawing, recorded.stream())
                .flatMap(ids -> ids)
                .distinct()
                .toList();
    }

    private static List<HoldId> reversed(List<HoldId> chain) {
        List<HoldId> ids = new ArrayList<>(chain);
        Collections.reverse(ids);
        return ids;
    }

    /** All holds that it names. */
    List<HoldId> holds() {
        return Stream.concat(assumed.stream(), recorded.stream()).distinct().toList();
    }

    boolean isEmpty() {
        return assumed.isEmpty() && recorded.isEmpty();
    }
}
