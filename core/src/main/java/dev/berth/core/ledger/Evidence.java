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
 * What speaks for a claim by one pod, apart from what the holds' objects list. {@link Claims} decides what is believed.
 *
 * @param assumed the holds that this process assumed the pod to use, of which the first that is there has the claim: until
 *     the binding shows the hold that it was placed with, the one that this draws on, and so on; from then on the same
 *     holds the other way round. The last one is what the binding records, and the others end with the bind. One in between
 *     has the claim where an earlier one is thought away
 * @param record the hold that the annotation of a bound pod names; tenants can write it, so it proves nothing by itself
 */
record Evidence(List<HoldId> assumed, Optional<HoldId> record) {
    static final Evidence NONE = new Evidence(List.of(), Optional.empty());

    /** @param confirmed what was assumed of the pod before its binding showed on the node it was assumed on */
    static Evidence of(Pod pod, Optional<Assumption> assumption, Optional<Assumption> confirmed) {
        if (pod.nodeName().isEmpty()) {
            return of(assumption.map(Evidence::chain), Optional.empty());
        }
        return of(confirmed.map(it -> reversed(chain(it))), Claim.recordedOn(pod));
    }

    private static Evidence of(Optional<List<HoldId>> assumed, Optional<HoldId> record) {
        List<HoldId> holds = assumed.orElse(List.of());
        return holds.isEmpty() && record.isEmpty() ? NONE : new Evidence(holds, record);
    }

    /**
     * From the hold that the pod was placed with to the one that its binding records. Most pods use no hold, and every
     * decision comes by here: they must cost next to nothing.
     */
    private static List<HoldId> chain(Assumption assumption) {
        Optional<HoldId> recorded = Claim.recordedIn(assumption.record());
        if (assumption.hold().isEmpty() && recorded.isEmpty()) {
            return List.of();
        }
        Stream<HoldId> drawing = Claim.drawingIn(assumption.record());
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

    /** All holds that it speaks for. */
    List<HoldId> named() {
        return Stream.concat(assumed.stream(), record.stream()).distinct().toList();
    }

    boolean isEmpty() {
        return assumed.isEmpty() && record.isEmpty();
    }
}
