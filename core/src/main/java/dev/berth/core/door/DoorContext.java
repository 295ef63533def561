package dev.berth.core.door;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.framework.Handle;

/** What a {@link Door} can read and do while it is called: what every component can, and have a place sought. */
public interface DoorContext extends Handle {
    /**
     * Puts something into the scheduling queue that is no pod but needs room like a pod. Its UID must not be a pod's UID.
     * A second call replaces the first request. The result comes by {@link Door#onPlaced} or {@link Door#onUnschedulable}.
     */
    void requestPlacement(Pod request);

    /** Takes a request out of the queue. */
    void cancelPlacement(PodUid request);

    /** Something that the door's filter reads changed: pods that were unschedulable because of it are requeued. */
    void notifyDoorChanged();
}
