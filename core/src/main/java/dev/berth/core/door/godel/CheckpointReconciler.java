package dev.berth.core.door.godel;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorContext;
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
            CheckpointedSuccessors checkpointedSuccessors) {
        this.reservationRequests = reservationRequests;
        this.policy = policy;
        this.deletedPods = deletedPods;
        this.checkpointStore = checkpointStore;
        this.checkpointedSuccessors = checkpointedSuccessors;
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
    List<HoldId> restoreSuccessors(Successors successors, DoorContext doorContext) {
        List<HoldId> holds = new ArrayList<>();
        for (CheckpointedPod entry : checkpointStore.observedPods()) {
            if (doorContext.ledger().pod(entry.uid()).isEmpty()) {
                Pod pod = entry.toPod();
                successors.onPodUpsert(pod, doorContext.ledger()).ifPresent(holds::add);
            }
        }
        return holds;
    }

    /** Pods that are in the checkpoint keep their objects, so they come before pods that are not. */
    void onSynced(DoorContext doorContext) {
        synced = true;
        for (CheckpointedPod entry : checkpointStore.observedPods()) {
            Optional<Pod> present = doorContext.ledger().pod(entry.uid());
            if (present.isPresent()) {
                reconcilePod(present.get(), doorContext);
            } else if (!deletionsReplayed && entry.reservesOnDeletion() && !deletionsSeen.contains(entry.uid())) {
                onMissedDeletion(entry, doorContext);
            }
            if (present.isEmpty() && !deletedPods.has(entry.uid())) {
                checkpointedSuccessors.onEntryRestored(entry, doorContext);
            }
        }
        deletionsSeen.clear();
        scanRequested = true;
    }

    /**
     * A pod gets no Reservation if its node was replaced, or if the Deployment that requested it was deleted or edited.
     */
    private void onMissedDeletion(CheckpointedPod pod, DoorContext doorContext) {
        boolean sameNode = doorContext
                .ledger()
                .node(pod.nodeName())
                .map(NodeState::node)
                .filter(node -> ReturnHolds.isSameNode(node, pod.nodeUid()))
                .isPresent();
        if (sameNode && reservationRequests.isStillRequestedFor(pod)) {
            deletedPods.onMissedDeletion(pod.toPod(), doorContext);
        }
    }

    void scanIfDue(DoorContext doorContext) {
        if (scanRequested && !doorContext.now().isBefore(nextScan)) {
            scanRequested = false;
            nextScan = doorContext.now().plus(SCAN_INTERVAL);
            nextScanSlot = 0;
        }
        scan(doorContext);
    }

    /** A cluster may have a hundred thousand pods. One turn scans as many nodes as its time budget allows. */
    private void scan(DoorContext doorContext) {
        while (nextScanSlot < doorContext.ledger().slotBound()) {
            doorContext
                    .ledger()
                    .nodeAt(nextScanSlot)
                    .ifPresent(node -> node.pods().forEach(pod -> reconcilePod(pod, doorContext)));
            nextScanSlot++;
            if (doorContext.isOutOfTime()) {
                return;
            }
        }
        nextScanSlot = Integer.MAX_VALUE;
    }

    /** Adds a pod that exists to the checkpoint, or removes it. */
    void reconcilePod(Pod pod, DoorContext doorContext) {
        Optional<CheckpointedPod> entry = desiredEntry(pod, doorContext);
        if (entry.isPresent()) {
            checkpointStore.add(entry.get(), doorContext);
        } else {
            checkpointStore.remove(pod.uid());
        }
    }

    private Optional<CheckpointedPod> desiredEntry(Pod pod, DoorContext doorContext) {
        boolean reservesOnDeletion = policy.reservesOnDeletion(pod, deletedPods.has(pod.uid()), doorContext.now());
        if (!checkpointedSuccessors.isEntryNeeded(pod, reservesOnDeletion)) {
            return Optional.empty();
        }
        String nodeUid = pod.nodeName()
                .flatMap(doorContext.ledger()::node)
                .map(NodeState::node)
                .map(Node::uid)
                .map(uid -> uid.value())
                .orElse("");
        Pod recorded = ReturnHoldDraws.withUsedHoldRecorded(pod, doorContext);
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
