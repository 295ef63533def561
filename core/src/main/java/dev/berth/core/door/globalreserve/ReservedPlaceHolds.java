package dev.berth.core.door.globalreserve;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.globalreserve.ReserveRequest.PodAssignment;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.reconcile.HoldsByObject;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The holds of places in the ledger. A pod has one hold for each node and scheduler, so it usually has one. A pod that
 * is about to move has two: the old place is released only when the new one is promised. Two schedulers that reserve
 * for the same pod have separate holds.
 */
final class ReservedPlaceHolds {
    private final HoldsByObject<PodUid> holds = new HoldsByObject<>();
    private final PendingReleases pendingReleases = new PendingReleases();
    private final ReservedGroupIndex index;
    /** The pods whose holds in the ledger may differ from their groups. */
    private final Set<PodUid> podsToSync = new LinkedHashSet<>();

    ReservedPlaceHolds(ReservedGroupIndex index) {
        this.index = index;
    }

    static HoldId holdId(ReservedPlace place, String scheduler) {
        return holdId(place.pod().uid(), place.node().name(), scheduler);
    }

    private static HoldId holdId(PodUid pod, String node, String scheduler) {
        return new HoldId("globalreserve/" + escape(pod.value()) + "/" + escape(node) + "/" + scheduler);
    }

    /** Callers choose UIDs and names. If they could contain a slash, two places could have the same hold id. */
    private static String escape(String part) {
        return part.indexOf('/') < 0 && part.indexOf('%') < 0
                ? part
                : part.replace("%", "%25").replace("/", "%2F");
    }

    Optional<PodUid> findPod(HoldId hold) {
        return holds.findKey(hold);
    }

    /** The hold of the scheduler for this pod on this node. */
    static Optional<Hold> findHold(PodAssignment podAssignment, String scheduler, LedgerView ledger) {
        return ledger.hold(holdId(podAssignment.pod().uid(), podAssignment.nodeName(), scheduler));
    }

    /** The places that ended and stay held until their objects no longer contain them. */
    PendingReleases pendingReleases() {
        return pendingReleases;
    }

    /** Updates the holds of all pods of the group. */
    void syncAll(ReservedGroup group, DoorHandle handle) {
        group.spec().places().forEach(place -> sync(place.pod().uid(), handle));
    }

    /**
     * Updates the holds of all pods of the group, spread over turns: a group may have thousands of pods. Only for
     * changes that add no hold. Until then the ledger keeps the earlier holds.
     */
    void syncLater(ReservedGroup group) {
        group.spec().places().forEach(place -> podsToSync.add(place.pod().uid()));
    }

    /** Syncs the pods of {@link #syncLater}; returns whether the turn had time for all of them. */
    boolean syncPending(DoorHandle handle) {
        Iterator<PodUid> pods = podsToSync.iterator();
        while (pods.hasNext()) {
            PodUid pod = pods.next();
            pods.remove();
            sync(pod, handle);
            if (handle.isOutOfTime()) {
                return false;
            }
        }
        return true;
    }

    /** Updates the holds of the pod from all its groups. */
    void sync(PodUid pod, DoorHandle handle) {
        List<ReservedGroup> groups = index.findHolding(pod);
        Map<HoldId, Hold> desired = new TreeMap<>();
        for (ReservedGroup group : groups) {
            group.findHeldPlace(pod).ifPresent(place -> {
                Hold hold = createHold(place, group, handle.ledger());
                desired.merge(hold.id(), hold, ReservedPlaceHolds::merge);
            });
        }
        for (HoldId released : holds.replace(pod, desired.values())) {
            handle.releaseHold(released);
            pendingReleases.markReleased(released);
        }
        for (Hold hold : desired.values()) {
            handle.putHold(hold);
            trackPendingRelease(hold, pod, groups);
        }
    }

    /** While its pod uses a place, the hold is not released with the place. */
    private void trackPendingRelease(Hold hold, PodUid pod, List<ReservedGroup> groups) {
        Optional<ReservedGroup> released = groups.stream()
                .filter(group -> hold.isClosed() && group.findActivePlace(pod).isEmpty())
                .filter(group -> group.findHeldPlace(pod)
                        .filter(place ->
                                holdId(place, group.spec().schedulerName()).equals(hold.id()))
                        .isPresent())
                .findFirst();
        released.ifPresentOrElse(
                group -> pendingReleases.add(
                        hold.id(), group.findHeldPlace(pod).orElseThrow().node().name(), group.name()),
                () -> pendingReleases.markReleased(hold.id()));
    }

    /**
     * No pod may use a place that is not stored or that has ended. A bound pod uses its place until the object no
     * longer contains it. So nothing is held besides the pod, and the whole place is held when the pod is deleted.
     */
    private static Hold createHold(ReservedPlace place, ReservedGroup group, LedgerView ledger) {
        PodUid uid = place.pod().uid();
        HoldId id = holdId(place, group.spec().schedulerName());
        Owner owner = Owner.ofPod(uid);
        Origin origin = new Origin(
                Origin.DoorId.GLOBALRESERVE,
                GlobalReserveDoor.KIND + " " + group.name() + " for pod " + place.pod() + " of scheduler "
                        + group.spec().schedulerName());
        Optional<Pod> pod = ledger.pod(uid);
        Optional<HoldId> record = pod.flatMap(Claim::holdRecordedOn);
        return Hold.builder(id, place.node().uid(), origin)
                .size(place.size())
                .ports(place.ports())
                .owners(List.of(owner))
                .listedUsers(record.isEmpty() || record.get().equals(id) ? Set.of(uid) : Set.of())
                .closedReason(closedReason(place, group, pod))
                .allocateOnce(true)
                .deadline(Optional.of(group.spec().deadline()))
                .build();
    }

    private static Optional<String> closedReason(ReservedPlace place, ReservedGroup group, Optional<Pod> pod) {
        if (!group.durable()) {
            return Optional.of("it is not stored yet");
        }
        boolean used =
                pod.flatMap(Pod::nodeName).equals(Optional.of(place.node().name()));
        boolean released = group.findActivePlace(place.pod().uid()).isEmpty() && !used;
        return released ? Optional.of("it was released") : Optional.empty();
    }

    /**
     * A promised place stays held while its replacement is being written. The resources of both are counted only once.
     */
    private static Hold merge(Hold older, Hold newer) {
        if (!older.node().equals(newer.node())) {
            return newer;
        }
        TreeSet<HostPort> ports = new TreeSet<>(older.ports());
        ports.addAll(newer.ports());
        Resources size = older.size().max(newer.size());
        Instant later = newer.deadline().orElseThrow();
        Instant deadline = older.deadline().filter(later::isBefore).orElse(later);
        return newer.toBuilder()
                .size(size)
                .ports(List.copyOf(ports))
                .closedReason(older.isClosed() ? newer.closedReason() : Optional.empty())
                .deadline(Optional.of(deadline))
                .build();
    }
}
