package dev.berth.core.door;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.framework.Handle;

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

    /** Removes a request from the queue. */
    void cancelPlacement(PodUid request);

    /** A device or a device claim changed: pods that were unschedulable because of devices are requeued. */
    void notifyDevicesChanged();
}
