package dev.berth.core.door.godel;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.collection.SetMultimap;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.godel.ReturnHoldId.PodKey;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Entries of the checkpoint that only prove claims. An entry stays after the pod's own Reservation is done, or exists
 * for a pod that shall get none, while no object on the API server shows that the pod claimed a hold. This is so while
 * the hold's Reservation is not marked Matched, or while the checkpoint has the original pod of the hold. Without the
 * entry, a restarted Berth would hold the claimed capacity again.
 */
final class CheckpointedSuccessors {
    private final CheckpointStore checkpointStore;
    private final GodelReservationController reservations;
    /** By original pod, the pods that claimed its hold. */
    private final SetMultimap<PodKey, PodUid> byPredecessor = SetMultimap.unordered();

    private final Set<PodUid> retained = new HashSet<>();
    /** Original pods whose Reservation or entry changed. */
    private final Set<PodKey> dirty = new HashSet<>();

    CheckpointedSuccessors(CheckpointStore checkpointStore, GodelReservationController reservations) {
        this.checkpointStore = checkpointStore;
        this.reservations = reservations;
    }

    /** The pod is deleted, and its own Reservation needs no entry any more. */
    void dropUnlessNeeded(Pod pod) {
        if (!retainIfNeeded(pod)) {
            checkpointStore.remove(pod.uid());
        }
    }

    /** Whether a pod that exists needs an entry, for its own Reservation or for the hold that it claimed. */
    boolean isEntryNeeded(Pod pod, boolean reservesOnDeletion) {
        if (reservesOnDeletion) {
            remove(pod);
            return true;
        }
        return retainIfNeeded(pod);
    }

    private void remove(Pod pod) {
        if (retained.remove(pod.uid())) {
            Successors.findRecordedHold(pod).ifPresent(hold -> byPredecessor.remove(hold.originalPodKey(), pod.uid()));
        }
    }

    /** The checkpoint has the pod from an earlier leader, and its own Reservation needs no entry. */
    void onEntryRestored(CheckpointedPod entry, DoorHandle handle) {
        if (retainIfNeeded(entry.toPod())) {
            checkpointStore.add(entry, handle);
        }
    }

    private boolean retainIfNeeded(Pod pod) {
        Optional<PodKey> predecessor = Successors.findRecordedHold(pod)
                .map(ReturnHoldId::originalPodKey)
                .filter(reservations::wouldResurrect);
        predecessor.ifPresent(key -> {
            byPredecessor.add(key, pod.uid());
            retained.add(pod.uid());
        });
        return predecessor.isPresent();
    }

    boolean has(PodUid pod) {
        return retained.contains(pod);
    }

    /** The Reservation or the entry of the original pod changed. */
    void markDirty(PodKey podKey) {
        if (byPredecessor.containsKey(podKey)) {
            dirty.add(podKey);
        }
    }

    void dropUnneeded() {
        for (PodKey key : Set.copyOf(dirty)) {
            if (!reservations.wouldResurrect(key)) {
                for (PodUid pod : byPredecessor.removeAll(key)) {
                    retained.remove(pod);
                    checkpointStore.remove(pod);
                }
            }
        }
        dirty.clear();
    }
}
