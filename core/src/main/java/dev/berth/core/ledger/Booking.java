package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import java.util.Optional;

/**
 * A pod under the name of the node it is on, bound or assumed.
 *
 * @param claim the hold it says it uses: by its record where it is bound, by the assumption where it is not
 */
record Booking(Pod pod, String nodeName, Optional<Claim> claim) {

    /** Where the pod is booked, if anywhere. A pod at its end is booked only for the sake of the hold it spent. */
    static Optional<Booking> of(Pod pod, Optional<Assumption> assumption) {
        if (pod.nodeName().isPresent()) {
            Optional<Claim> claim = Claim.recordedOn(pod).map(hold -> new Claim(hold, pod.uid(), true));
            return pod.phase().terminal() && claim.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Booking(pod, pod.nodeName().get(), claim));
        }
        return assumption.map(assumed -> new Booking(pod, assumed.nodeName(), claim(pod, assumed.hold())));
    }

    private static Optional<Claim> claim(Pod pod, Optional<HoldId> assumed) {
        return assumed.map(hold -> new Claim(hold, pod.uid(), false));
    }

    /** Whether the pod takes room. */
    boolean counts() {
        return !pod.phase().terminal();
    }

    /** Whether the other booking is the same to whoever decides on places, apart from the claim. */
    boolean looksLike(Booking other) {
        return nodeName.equals(other.nodeName) && counts() == other.counts() && pod.looksLike(other.pod);
    }
}
