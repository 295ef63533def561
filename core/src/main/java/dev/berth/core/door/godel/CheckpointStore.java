package dev.berth.core.door.godel;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The pods that request a Reservation, in a few objects on the API server. They show a leader which pods were deleted while
 * no replica was leader, even if the API server has compacted the deletions.
 */
final class CheckpointStore {
    private final CheckpointLimits limits;
    private final CheckpointShards shards;
    private final CheckpointWriter writer;
    private Consumer<CheckpointedPod> removalListener = pod -> {};
    /**
     * By original pod, the entry that proves which Reservation Berth created. These entries are evicted if pods that exist
     * need the space.
     */
    private final Map<PodUid, CheckpointedPod> reservationRecords = new LinkedHashMap<>();
    /** Pods that are in no shard because the checkpoint is full. */
    private final Map<PodUid, CheckpointedPod> waitingForSpace = new LinkedHashMap<>();
    /** Pods that are in no shard because their entry is too large, and whether they get a Reservation on deletion. */
    private final Map<PodUid, Boolean> tooLarge = new HashMap<>();

    private boolean synced;
    private boolean fullReported;

    CheckpointStore(CheckpointLimits limits) {
        this.limits = limits;
        this.shards = new CheckpointShards(limits);
        this.writer = new CheckpointWriter(limits, shards);
    }

    /** The listener receives each pod for which a restarted Berth would no longer create a Reservation. */
    void setRemovalListener(Consumer<CheckpointedPod> listener) {
        removalListener = listener;
    }

    /** From now on the checkpoint is written. */
    void onSynced() {
        synced = true;
    }

    /** All pods that the API server has in the checkpoint. */
    List<CheckpointedPod> observedPods() {
        return shards.observedPods();
    }

    /** The pod as the API server has it in the checkpoint. */
    Optional<CheckpointedPod> find(PodUid pod) {
        return shards.findObserved(pod).map(shard -> shard.observed().get(pod));
    }

    /** The entry of the original pod that names the Reservation which Berth created. */
    Optional<CheckpointedPod> findReservationRecord(PodUid pod) {
        return Optional.ofNullable(reservationRecords.get(pod));
    }

    /** Whether a restarted Berth that finds no Reservation of the pod would create one. */
    boolean wouldReserveAfterRestart(PodUid pod) {
        return find(pod).filter(CheckpointedPod::reservesOnDeletion).isPresent();
    }

    /** Whether Berth accepted that the pod gets a Reservation on deletion, even if the checkpoint has no space for its entry. */
    boolean isAccepted(PodUid pod) {
        boolean isDesired = shards.findDesired(pod)
                .flatMap(shard -> shard.findDesired(pod))
                .or(() -> Optional.ofNullable(waitingForSpace.get(pod)))
                .filter(CheckpointedPod::reservesOnDeletion)
                .isPresent();
        return isDesired || wouldReserveAfterRestart(pod) || tooLarge.getOrDefault(pod, false);
    }

    /** Whether the API server denies a write that would make {@link #wouldReserveAfterRestart} false. */
    boolean isRemovalDenied(PodUid pod) {
        return wouldReserveAfterRestart(pod)
                && shards.findObserved(pod).filter(writer::isDenied).isPresent();
    }

    void onUpsert(CheckpointObject object) {
        CheckpointShard.indexOf(object.name()).ifPresent(index -> {
            CheckpointShard shard = shards.get(index);
            Map<PodUid, CheckpointedPod> before = Map.copyOf(shard.observed());
            if (shard.onUpsert(object)) {
                onObservedChanged(shard, before);
            }
        });
    }

    void onDelete(String uid) {
        for (CheckpointShard shard : shards.findByUid(uid)) {
            Map<PodUid, CheckpointedPod> before = Map.copyOf(shard.observed());
            shard.onDelete();
            onObservedChanged(shard, before);
        }
    }

    private void onObservedChanged(CheckpointShard shard, Map<PodUid, CheckpointedPod> before) {
        shards.setObserved(shard);
        before.forEach((uid, pod) -> {
            boolean isRemoved = !shard.observed().containsKey(uid) && shards.removeObserved(uid, shard);
            if (isRemoved || (pod.reservesOnDeletion() && !wouldReserveAfterRestart(uid))) {
                removalListener.accept(pod);
            }
        });
        writer.markDirty(shard);
    }

    void add(CheckpointedPod pod, DoorHandle handle) {
        if (pod.estimatedBytes() > limits.maxPodBytes()) {
            boolean isReported = tooLarge.containsKey(pod.uid());
            remove(pod.uid());
            tooLarge.put(pod.uid(), pod.reservesOnDeletion());
            if (!isReported) {
                recordWarning(
                        pod.toPod(),
                        "The checkpoint of the pod takes %d bytes, more than %d."
                                .formatted(pod.estimatedBytes(), limits.maxPodBytes()),
                        handle);
            }
            return;
        }
        tooLarge.remove(pod.uid());
        if (shards.needsNewShard(pod.uid()) && shards.isFull()) {
            evictReservationRecords();
        }
        Optional<CheckpointShard> chosen = shards.choose(pod.uid());
        if (chosen.isEmpty()) {
            waitingForSpace.put(pod.uid(), pod);
            reportFullOnce(pod, handle);
            return;
        }
        waitingForSpace.remove(pod.uid());
        CheckpointShard shard = chosen.get();
        if (!shard.isDesired(pod)) {
            shards.setDesired(pod, shard);
            writer.markDirty(shard);
        }
    }

    /**
     * Frees space for one pod. The next leader needs reservation records as proofs, so none is evicted from an object that
     * is full of other entries.
     */
    private void evictReservationRecords() {
        shards.findEvictable().ifPresent(shard -> {
            for (PodUid pod : shard.reservationRecords()) {
                if (shard.hasSpace(limits)) {
                    return;
                }
                removeReservation(pod);
            }
        });
    }

    /** The entry of an original pod whose Reservation exists stays as a reservation record. */
    void remove(PodUid pod) {
        waitingForSpace.remove(pod);
        tooLarge.remove(pod);
        @Nullable CheckpointedPod record = reservationRecords.get(pod);
        shards.findDesired(pod).ifPresent(shard -> {
            if (record != null) {
                shard.setDesired(record);
            } else {
                shards.removeDesired(pod);
            }
            writer.markDirty(shard);
        });
    }

    /**
     * The watch shows the Reservation of the pod. Tenants can write Reservations, but not the checkpoint. Therefore the
     * pod stays in the checkpoint: it proves to the next leader that Berth created the Reservation, and of which size.
     */
    void recordReservation(PodUid pod, String reservation) {
        Optional<CheckpointShard> desired = shards.findDesired(pod);
        desired.or(() -> shards.findObserved(pod))
                .ifPresent(shard -> shard.findDesired(pod)
                        .or(() -> find(pod))
                        .map(it -> it.withReservation(reservation))
                        .ifPresent(record -> {
                            reservationRecords.put(pod, record);
                            if (desired.isEmpty()) {
                                shards.setDesired(record, shard);
                                writer.markDirty(shard);
                            }
                        }));
    }

    /** The Reservation ended. */
    void removeReservation(PodUid pod, String reservation) {
        @Nullable CheckpointedPod record = reservationRecords.get(pod);
        if (record != null && record.reservationUid().equals(reservation)) {
            removeReservation(pod);
        }
    }

    private void removeReservation(PodUid pod) {
        @Nullable CheckpointedPod record = reservationRecords.remove(pod);
        if (record != null
                && shards.findDesired(pod)
                        .filter(shard -> shard.isDesired(record))
                        .isPresent()) {
            remove(pod);
        }
    }

    private void reportFullOnce(CheckpointedPod pod, DoorHandle handle) {
        if (!fullReported) {
            fullReported = true;
            recordWarning(
                    pod.toPod(),
                    "The checkpoint is full: it has %d pods in %d objects."
                            .formatted(shards.desiredPodCount(), shards.size()),
                    handle);
        }
    }

    private static void recordWarning(Pod pod, String reason, DoorHandle handle) {
        handle.write(new Effect.RecordEvent(
                EventTarget.of(Effect.PodRef.of(pod)),
                Effect.RecordEvent.EventTemplate.warning("NotCheckpointed", "Reserving"),
                reason + " " + CheckpointWriter.LOSS_WARNING));
    }

    void reconcile(DoorHandle handle) {
        if (synced) {
            admitWaiting(handle);
            writer.reconcile(handle);
        }
    }

    private void admitWaiting(DoorHandle handle) {
        while (!waitingForSpace.isEmpty() && shards.hasSpace()) {
            add(waitingForSpace.values().iterator().next(), handle);
        }
        fullReported &= !waitingForSpace.isEmpty();
    }

    void onWriteResult(CheckpointWrite write, WriteResult writeResult, DoorHandle handle) {
        CheckpointShard.indexOf(write.name()).map(shards::get).ifPresent(shard -> {
            Map<PodUid, CheckpointedPod> before = Map.copyOf(shard.observed());
            writer.onWriteResult(shard, write, writeResult, handle);
            onObservedChanged(shard, before);
            writer.completeIfUpToDate(shard, handle);
        });
    }

    int retrying() {
        return writer.retrying();
    }

    Optional<Instant> nextWake() {
        return writer.nextWake();
    }
}
