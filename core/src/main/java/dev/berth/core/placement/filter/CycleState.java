package dev.berth.core.placement.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.OwnerRule;
import java.util.Collection;

/**
 * A pod with what its scheduling cycle computes once, and not for each node.
 *
 * @param requiredNodeNames the node names that the pod's affinity requires
 * @param ownerRules the owner rules that admit the pod: it does not see their holds as neighbours. None for a
 * reservation that needs a place: it sees all holds
 */
public record CycleState(Pod pod, RequiredNodeNames requiredNodeNames, Collection<OwnerRule> ownerRules) {
    /**
     * Whether the pod sees the hold as a pod, while the hold counts as one. A reservation that moves does not see its own
     * hold. No pod may start to use a closed hold, so all pods see it.
     */
    public boolean sees(Hold hold) {
        boolean own = hold.neighbour()
                .filter(neighbour -> neighbour.uid().equals(pod.uid()))
                .isPresent();
        return !own && (hold.isClosed() || !ownerRules.contains(hold.ownerRule()));
    }
}
