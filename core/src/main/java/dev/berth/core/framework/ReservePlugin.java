package dev.berth.core.framework;

import dev.berth.core.cluster.Pod;
import dev.berth.core.placement.Placement;
import java.util.Map;

/**
 * The Reserve extension point: assigns parts of the node, such as devices, to a placed pod before the pod is assumed
 * there.
 */
public interface ReservePlugin {
    /**
     * A pod was placed and is assumed next. There is no Unreserve: the ledger knows whether the pod is still assumed.
     *
     * @return the annotations by which the bind records the assignment on the pod
     */
    Map<String, String> reserve(Pod pod, Placement.Placed placed, Handle handle);
}
