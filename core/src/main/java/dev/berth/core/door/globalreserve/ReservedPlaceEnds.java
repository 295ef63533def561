package dev.berth.core.door.globalreserve;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.framework.Component;
import dev.berth.core.hold.Hold;
import dev.berth.core.reconcile.ObjectController;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Ends places: of one pod, of a deleted node, at the deadline, or of a whole group whose request fails. */
final class ReservedPlaceEnds {
    private final ObjectController<String, ReservedGroup, StoredHoldWrite> groups;
    private final ReservedGroupIndex index;
    private final ReservedPlaceHolds placeHolds;
    private final LostPlaceEvents lostPlaceEvents = new LostPlaceEvents();
    private final ExpiredPlaceEvents expiredPlaceEvents;

    ReservedPlaceEnds(
            ObjectController<String, ReservedGroup, StoredHoldWrite> groups,
            ReservedGroupIndex index,
            ReservedPlaceHolds placeHolds,
            Consumer<String> log) {
        this.groups = groups;
        this.index = index;
        this.placeHolds = placeHolds;
        this.expiredPlaceEvents = new ExpiredPlaceEvents(log);
    }

    /** Ends all places of the group and rejects its request. */
    void fail(ReservedGroup group, String error, DoorHandle handle) {
        group.endAllPlaces();
        groups.markDirty(group.name());
        placeHolds.syncAll(group, handle);
        group.respond(ReserveResponse.rejected(group.podNames(), error, List.of(error)));
    }

    /** Why the pod needs no place any more; empty while it is pending. */
    static Optional<String> endReason(Pod pod) {
        if (pod.phase().isTerminal()) {
            return Optional.of("finished");
        }
        if (pod.nodeName().isPresent()) {
            return pod.nodeName().map("was bound to node %s"::formatted);
        }
        return pod.terminating() ? Optional.of("was deleted") : Optional.empty();
    }

    void endPlacesOf(PodUid pod, String why, DoorHandle handle) {
        endPlaces(index.findActive(pod), pod, why, handle);
    }

    void endPlaces(List<ReservedGroup> groupsOfPod, PodUid pod, String why, DoorHandle handle) {
        groupsOfPod.forEach(group -> endPlace(group, pod, why, handle));
        placeHolds.sync(pod, handle);
    }

    /** A group that is not promised yet ends as a whole. Of a promised group, the other places stay. */
    private void endPlace(ReservedGroup group, PodUid pod, String why, DoorHandle handle) {
        if (group.isAwaitingResponse()) {
            Object podName =
                    group.findActivePlace(pod).<Object>map(ReservedPlace::pod).orElse(pod);
            fail(group, "Pod %s %s".formatted(podName, why), handle);
            return;
        }
        group.endPlace(pod);
        groups.markDirty(group.name());
    }

    /** Ends the place and releases it before the write: no process that reads the object would hold the place. */
    private void releasePlace(ReservedGroup group, PodUid pod, String why, DoorHandle handle) {
        endPlace(group, pod, why, handle);
        group.releasePlace(pod);
    }

    private void expirePlace(ReservedGroup group, PodUid pod, DoorHandle handle) {
        if (!group.spec().deadline().isAfter(handle.now())) {
            group.findActivePlace(pod).ifPresent(place -> expiredPlaceEvents.add(group, place, group.eventTarget()));
            releasePlace(group, pod, "was not bound before its place expired", handle);
        }
    }

    void endPlaceOnLostNode(ReservedGroup group, PodUid pod, DoorHandle handle) {
        group.findActivePlace(pod).ifPresent(place -> lostPlaceEvents.add(group, place, group.eventTarget()));
        releasePlace(group, pod, "lost its place: the node was deleted", handle);
    }

    void onHoldEnded(Hold hold, Component.EndReason why, DoorHandle handle) {
        placeHolds.findPod(hold.id()).ifPresent(pod -> {
            for (ReservedGroup group : index.findHolding(pod)) {
                switch (why) {
                    case DEADLINE -> expirePlace(group, pod, handle);
                    case NODE_DELETED ->
                        group.findHeldPlace(pod)
                                .filter(place -> place.node().uid().equals(hold.node()))
                                .ifPresent(place -> endPlaceOnLostNode(group, pod, handle));
                    // These holds draw on no other hold.
                    case DRAW_BROKEN -> {}
                }
            }
            placeHolds.sync(pod, handle);
        });
    }

    void recordEvents(DoorHandle handle) {
        lostPlaceEvents.recordEvents(handle);
        expiredPlaceEvents.recordEvents(handle);
    }
}
