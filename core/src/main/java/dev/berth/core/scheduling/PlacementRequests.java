package dev.berth.core.scheduling;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The placement requests of doors. They are not pods of the API server, but wait in the queue like pods. */
final class PlacementRequests {
    private final SchedulingContext schedulingContext;
    private final Map<PodUid, PlacementRequest> placementRequests = new HashMap<>();

    private record PlacementRequest(ComponentHandle handle, Pod pod) {}

    PlacementRequests(SchedulingContext schedulingContext) {
        this.schedulingContext = schedulingContext;
    }

    void put(ComponentHandle handle, Pod pod, Instant now) {
        PlacementRequest before = placementRequests.put(pod.uid(), new PlacementRequest(handle, pod));
        schedulingContext.queue().addOrUpdate(pod, now);
        if (before != null && !before.pod.equals(pod)) {
            schedulingContext.queue().requeue(pod.uid(), now);
        }
    }

    void cancel(PodUid uid) {
        if (placementRequests.remove(uid) != null) {
            schedulingContext.queue().remove(uid);
        }
    }

    Optional<Pod> find(PodUid uid) {
        PlacementRequest placementRequest = placementRequests.get(uid);
        return placementRequest == null ? Optional.empty() : Optional.of(placementRequest.pod);
    }

    boolean has(PodUid uid) {
        return placementRequests.containsKey(uid);
    }

    /** Places the request outside of all holds, and calls the door with the result. */
    void schedule(PodUid uid, QueueingHints queueingHints, Instant now) {
        PlacementRequest placementRequest = placementRequests.get(uid);
        if (placementRequest == null) {
            return;
        }
        Placement placement = schedulingContext.placer().place(placementRequest.pod, HoldUse.NONE);
        ComponentHandle handle = placementRequest.handle.atTime(now);
        if (placement instanceof Placement.Placed placed) {
            handle.door().onPlaced(placementRequest.pod, placed, handle);
        } else if (placement instanceof Placement.Refused refused) {
            queueingHints.addUnschedulable(placementRequest.pod, refused.resolvingEvents(), HoldUse.NONE, now);
            handle.door().onUnschedulable(placementRequest.pod, refused, handle);
        } else {
            throw new IllegalStateException("unknown placement (%s)".formatted(placement));
        }
    }
}
