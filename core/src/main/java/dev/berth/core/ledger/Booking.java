package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import java.util.Optional;

/**
 * A pod under the name of the node it is on, bound or assumed.
 *
 * @param evidence what speaks for its claim on a hold there
 */
record Booking(Pod pod, String nodeName, Evidence evidence) {

    /** Where the pod is booked, if anywhere. A pod at its end is booked only for the sake of the hold it spent. */
    static Optional<Booking> of(Pod pod, Optional<Assumption> assumption, Optional<Assumption> confirmed) {
        Evidence evidence = Evidence.of(pod, assumption, confirmed);
        if (pod.nodeName().isPresent()) {
            return pod.phase().terminal() && evidence.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Booking(pod, pod.nodeName().get(), evidence));
        }
        return assumption.map(assumed -> new Booking(pod, assumed.nodeName(), evidence));
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
