package dev.berth.core.framework;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.Placement;
import java.util.Optional;

/** The PostFilter extension point: tries to make a pod schedulable that no node is feasible for. */
public interface PostFilterPlugin {
    /** No node is feasible for the pod. The pod then waits in the queue, with any result. */
    PostFilterResult postFilter(Pod pod, Placement.Refused refusal, Handle handle);

    /** What {@link #postFilter} could do about this node, which is not feasible for the pod. Changes nothing. */
    PostFilterResult previewPostFilter(NodeState node, Pod pod, Handle handle);

    /** The hold that the plugin keeps for a placement request until the request is placed. */
    default Optional<HoldId> findHoldFor(PodUid request) {
        return Optional.empty();
    }
}
