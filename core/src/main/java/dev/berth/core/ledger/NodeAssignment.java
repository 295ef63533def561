package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import java.util.Optional;

/**
 * A pod and the name of its node, bound or assumed.
 *
 * @param evidence the evidence for a claim of the pod on a hold there
 */
record NodeAssignment(Pod pod, String nodeName, ClaimEvidence evidence) {

    /** Empty for a pod without a node. A finished pod is assigned only if it may have consumed a hold. */
    static Optional<NodeAssignment> of(Pod pod, Optional<Assumption> assumption, Optional<Assumption> confirmed) {
        ClaimEvidence evidence = ClaimEvidence.of(pod, assumption, confirmed);
        if (pod.nodeName().isPresent()) {
            return pod.phase().isTerminal() && evidence.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new NodeAssignment(pod, pod.nodeName().get(), evidence));
        }
        return assumption.map(assumed -> new NodeAssignment(pod, assumed.nodeName(), evidence));
    }

    /** Whether the pod uses resources. */
    boolean isActive() {
        return !pod.phase().isTerminal();
    }

    /** Whether placement can ignore the difference between the two, apart from the claim. */
    boolean isEquivalentTo(NodeAssignment other) {
        return nodeName.equals(other.nodeName) && isActive() == other.isActive() && pod.isEquivalentTo(other.pod);
    }
}
