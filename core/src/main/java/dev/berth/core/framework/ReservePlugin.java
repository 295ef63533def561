package dev.berth.core.framework;

import dev.berth.core.cluster.Pod;
import dev.berth.core.placement.Placement;
import java.util.Map;

/** The Reserve extension point: assigns a placed pod something of its node, before the pod is assumed there. */
public interface ReservePlugin {
    /**
     * A pod was placed and is assumed next. There is no Unreserve: the ledger says whether the pod is still assumed.
     *
     * @return the annotations by which the bind records on the pod what it was assigned
     */
    Map<String, String> reserve(Pod pod, Placement.Placed placed, Handle handle);
}
