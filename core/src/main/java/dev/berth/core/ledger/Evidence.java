package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What speaks for a claim by one pod, apart from what the holds' objects list. {@link Claims} decides what is believed.
 *
 * @param assumed the holds that this process assumed the pod to use, of which the first that is there has the claim: until
 *     the binding shows the hold that it was placed with, then the one that its binding recorded. They differ where the
 *     first draws on the second and ends with the bind
 * @param record the hold that the annotation of a bound pod names; tenants can write it, so it proves nothing by itself
 */
record Evidence(List<HoldId> assumed, Optional<HoldId> record) {
    static final Evidence NONE = new Evidence(List.of(), Optional.empty());

    /** @param confirmed what was assumed of the pod before its binding showed on the node it was assumed on */
    static Evidence of(Pod pod, Optional<Assumption> assumption, Optional<Assumption> confirmed) {
        if (pod.nodeName().isEmpty()) {
            return of(assumption.map(it -> distinct(it.hold(), recordedIn(it))), Optional.empty());
        }
        return of(confirmed.map(it -> distinct(recordedIn(it), it.hold())), Claim.recordedOn(pod));
    }

    private static Evidence of(Optional<List<HoldId>> assumed, Optional<HoldId> record) {
        List<HoldId> holds = assumed.orElse(List.of());
        return holds.isEmpty() && record.isEmpty() ? NONE : new Evidence(holds, record);
    }

    private static Optional<HoldId> recordedIn(Assumption assumption) {
        return Claim.recordedIn(assumption.record());
    }

    /** Most pods use no hold, and every decision comes by here: they must cost next to nothing. */
    private static List<HoldId> distinct(Optional<HoldId> first, Optional<HoldId> second) {
        return first.isEmpty() && second.isEmpty()
                ? List.of()
                : Stream.concat(first.stream(), second.stream()).distinct().toList();
    }

    /** All holds that it speaks for. */
    List<HoldId> named() {
        return Stream.concat(assumed.stream(), record.stream()).distinct().toList();
    }

    boolean isEmpty() {
        return assumed.isEmpty() && record.isEmpty();
    }
}
