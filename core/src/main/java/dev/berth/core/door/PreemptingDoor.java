package dev.berth.core.door;

import dev.berth.core.cluster.Pod;
import java.util.List;

/** A door whose placement requests may preempt pods: see {@link DoorHandle#requestPreemptingPlacement}. */
public interface PreemptingDoor extends Door {
    /**
     * Records in the request's object that the node is nominated. The victims are evicted once the request shows the node:
     * then a restarted Berth finds the nomination again.
     *
     * @param node empty to remove the record
     * @param victims the pods that are evicted for the request
     */
    void setNominatedNode(Pod request, String node, List<Pod> victims, DoorHandle handle);

    /** The record of the request's object may stay as it is. */
    void cancelNominatedNode(Pod request, DoorHandle handle);
}
