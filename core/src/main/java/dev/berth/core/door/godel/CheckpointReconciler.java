package dev.berth.core.door.godel;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.ledger.NodeState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which pods are in the {@link CheckpointStore}, and at the start which of them were deleted while no replica
 * was leader. A pod is in the checkpoint from its bind until its Reservation is created, or until it shall get none.
 */
final class CheckpointReconciler {
    /**
     * The annotation of a Deployment may concern pods that Berth knows already. A scan of all pods is too much for
     * every change.
     */
    private static final Duration SCAN_INTERVAL = Duration.ofSeconds(5);

    private final ReservationRequests reservationRequests;
    private final ReserveOnDeletionPolicy policy;
    private final DeletedPodController deletedPods;
    private final CheckpointStore checkpointStore;
    private final CheckpointedSuccessors checkpointedSuccessors;
    private final ForcedPodCheck forcedPodCheck;
    /** Pods whose deletion was replayed before the sync. Their Reservations are planned without the checkpoint. */
    private final Set<PodUid> deletionsSeen = new HashSet<>();

    private boolean synced;
    private boolean deletionsReplayed;
    private boolean scanRequested;
    private Instant nextScan = Instant.MIN;
    /** The node with which the scan goes on. */
    private int nextScanSlot = Integer.MAX_VALUE;

    CheckpointReconciler(
            ReservationRequests reservationRequests,
            ReserveOnDeletionPolicy policy,
            DeletedPodController deletedPods,
            CheckpointStore checkpointStore,
            CheckpointedSuccessors checkpointedSuccessors,
            ForcedPodCheck forcedPodCheck) {
        this.reservationRequests = reservationRequests;
        this.policy = policy;
        this.deletedPods = deletedPods;
        this.checkpointStore = checkpointStore;
        this.checkpointedSuccessors = checkpointedSuccessors;
        this.forcedPodCheck = forcedPodCheck;
    }

    void onDeletionsReplayed() {
        deletionsReplayed = true;
    }

    void onRequestsChanged() {
        scanRequested = true;
    }

    void onPodDelete(PodUid pod) {
        if (!synced) {
            deletionsSeen.add(pod);
        } else if (!deletedPods.has(pod) && !checkpointedSuccessors.has(pod)) {
            checkpointStore.remove(pod);
        }
    }

    /** Deleted pods may have claimed holds, which only the checkpoint shows. Returns those holds. */
    List<HoldId> restoreSuccessors(Successors successors, DoorHandle handle) {
        List<HoldId> holds = new ArrayList<>();
        for (CheckpointedPod entry : checkpointStore.observedPods()) {
            if (handle.ledger().pod(entry.uid()).isEmpty()) {
                Pod pod = entry.toPod();
                successors.onPodUpsert(pod, handle.ledger()).ifPresent(holds::add);
            }
        }
        return holds;
    }

    /** Pods that are in the checkpoint keep their objects, so they come before pods that are not. */
    void onSynced(DoorHandle handle) {
        synced = true;
        for (CheckpointedPod entry : checkpointStore.observedPods()) {
            Optional<Pod> present = handle.ledger().pod(entry.uid());
            if (present.isPresent()) {
                reconcilePod(present.get(), handle);
            } else if (!deletionsReplayed && entry.reservesOnDeletion() && !deletionsSeen.contains(entry.uid())) {
                onMissedDeletion(entry, handle);
            }
            if (present.isEmpty() && !deletedPods.has(entry.uid())) {
                checkpointedSuccessors.onEntryRestored(entry, handle);
            }
        }
        deletionsSeen.clear();
        scanRequested = true;
    }

    /**
     * A pod gets no Reservation if its node was replaced, or if the Deployment that requested it was deleted or edited.
     */
    private void onMissedDeletion(CheckpointedPod pod, DoorHandle handle) {
        boolean sameNode = handle.ledger()
                .node(pod.nodeName())
                .map(NodeState::node)
                .filter(node -> ReturnHolds.isSameNode(node, pod.nodeUid()))
                .isPresent();
        if (sameNode && reservationRequests.isStillRequestedFor(pod)) {
            deletedPods.onMissedDeletion(pod.toPod(), handle);
        }
    }

    void scanIfDue(DoorHandle handle) {
        if (scanRequested && !handle.now().isBefore(nextScan)) {
            scanRequested = false;
            nextScan = handle.now().plus(SCAN_INTERVAL);
            nextScanSlot = 0;
        }
        scan(handle);
    }

    /** A cluster may have a hundred thousand pods. One turn scans as many nodes as its time budget allows. */
    private void scan(DoorHandle handle) {
        while (nextScanSlot < handle.ledger().slotBound()) {
            handle.ledger()
                    .nodeAt(nextScanSlot)
                    .ifPresent(node -> node.pods().forEach(pod -> reconcilePod(pod, handle)));
            nextScanSlot++;
            if (handle.isOutOfTime()) {
                return;
            }
        }
        nextScanSlot = Integer.MAX_VALUE;
    }

    /** Adds a pod that exists to the checkpoint, or removes it. */
    void reconcilePod(Pod pod, DoorHandle handle) {
        Optional<CheckpointedPod> entry = desiredEntry(pod, handle);
        if (entry.isPresent()) {
            checkpointStore.add(entry.get(), handle);
        } else {
            checkpointStore.remove(pod.uid());
        }
    }

    private Optional<CheckpointedPod> desiredEntry(Pod pod, DoorHandle handle) {
        boolean reservesOnDeletion = policy.reservesOnDeletion(pod, deletedPods.has(pod.uid()), handle.now())
                && !forcedPodCheck.takesForeignCapacity(pod, handle);
        if (!checkpointedSuccessors.isEntryNeeded(pod, reservesOnDeletion)) {
            return Optional.empty();
        }
        String nodeUid = pod.nodeName()
                .flatMap(handle.ledger()::node)
                .map(NodeState::node)
                .map(Node::uid)
                .map(uid -> uid.value())
                .orElse("");
        Pod recorded = ReturnHoldDraws.withUsedHoldRecorded(pod, handle);
        return ReturnKey.of(pod)
                .map(key -> CheckpointedPod.of(
                        recorded,
                        nodeUid,
                        key,
                        reservationRequests.ttlFor(pod),
                        reservationRequests.findRequesterUids(pod),
                        reservesOnDeletion));
    }

    Optional<Instant> nextWake() {
        return scanRequested && synced ? Optional.of(nextScan) : Optional.empty();
    }
}
