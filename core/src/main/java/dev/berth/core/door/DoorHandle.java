package dev.berth.core.door;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.framework.Handle;
import dev.berth.core.framework.PreemptingRequest;
import dev.berth.core.placement.Placement;

/**
 * What a {@link Door} can read and do while it is called. A door can do what every component can, and request
 * placements.
 */
public interface DoorHandle extends Handle {
    /**
     * Adds a request to the scheduling queue. A request is not a pod, but needs resources of a node like a pod. Its UID
     * must not be a pod's UID. A second call replaces the first request. {@link Door#onPlaced} or {@link
     * Door#onUnschedulable} receives the result.
     */
    void requestPlacement(Pod request);

    /**
     * The same for a request that may preempt pods, of a {@link PreemptingDoor}. The request's nominated node is the one
     * that the door's object shows and that no write in flight changes.
     */
    void requestPreemptingPlacement(PreemptingRequest request);

    /** Removes a request from the queue. */
    void cancelPlacement(PodUid request);

    /** The place that the scheduler finds for a request outside of all holds, or why there is none. */
    Placement placeRequest(Pod request);

    /** A device or a device claim changed: pods that were unschedulable because of devices are requeued. */
    void notifyDevicesChanged();
}
