package dev.berth.core.door.godel;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.WriteResult;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One object of the checkpoint: its desired entries, and the entries that the API server has. */
final class CheckpointShard {
    private static final String PREFIX = "godel-";

    private final int index;
    private final Map<PodUid, CheckpointedPod> desired = new HashMap<>();
    private final Map<PodUid, CheckpointedPod> observed = new HashMap<>();
    private int desiredBytes;
    /** The deleted pods among the desired ones whose Reservations exist, the oldest first. */
    private final Set<PodUid> reservationRecords = new LinkedHashSet<>();

    private int reservationRecordBytes;
    private String uid = "";
    private boolean exists;
    private long generation;
    /** The generation when the write in flight was sent. */
    private long generationWhenSent;

    CheckpointShard(int index) {
        this.index = index;
    }

    /** The index in the name of a checkpoint object; empty if the object does not belong to the checkpoint. */
    static Optional<Integer> indexOf(String name) {
        if (!name.matches(PREFIX + "[0-9]{1,6}")) {
            return Optional.empty();
        }
        return Optional.of(Integer.parseInt(name.substring(PREFIX.length())));
    }

    int index() {
        return index;
    }

    String name() {
        return PREFIX + index;
    }

    String uid() {
        return uid;
    }

    /** The entries that the API server has. */
    Map<PodUid, CheckpointedPod> observed() {
        return observed;
    }

    Optional<CheckpointedPod> findDesired(PodUid pod) {
        return Optional.ofNullable(desired.get(pod));
    }

    boolean isDesired(CheckpointedPod pod) {
        return pod.equals(desired.get(pod.uid()));
    }

    boolean hasSpace(CheckpointLimits limits) {
        return desired.size() < limits.maxPodsPerObject()
                && desiredBytes + limits.maxPodBytes() <= limits.maxObjectBytes();
    }

    /** Whether a pod fits once all reservation records are evicted. */
    boolean hasSpaceWithoutReservationRecords(CheckpointLimits limits) {
        return desired.size() - reservationRecords.size() < limits.maxPodsPerObject()
                && desiredBytes - reservationRecordBytes + limits.maxPodBytes() <= limits.maxObjectBytes();
    }

    List<PodUid> reservationRecords() {
        return List.copyOf(reservationRecords);
    }

    void setDesired(CheckpointedPod pod) {
        removeDesired(pod.uid());
        desired.put(pod.uid(), pod);
        desiredBytes += pod.estimatedBytes();
        if (!pod.reservationUid().isEmpty()) {
            reservationRecords.add(pod.uid());
            reservationRecordBytes += pod.estimatedBytes();
        }
    }

    void removeDesired(PodUid pod) {
        @Nullable CheckpointedPod before = desired.remove(pod);
        if (before != null) {
            desiredBytes -= before.estimatedBytes();
            reservationRecordBytes -= reservationRecords.remove(pod) ? before.estimatedBytes() : 0;
        }
    }

    /** Returns whether the object is newer than the latest write with a result. An older object is ignored. */
    boolean onUpsert(CheckpointObject object) {
        boolean other = !exists || (!uid.isEmpty() && !uid.equals(object.uid()));
        boolean isNewer = other || object.generation() > generation;
        uid = object.uid();
        exists = true;
        if (isNewer) {
            generation = object.generation();
            observed.clear();
            observed.putAll(object.pods());
        }
        return isNewer;
    }

    void onDelete() {
        uid = "";
        exists = false;
        generation = 0;
        observed.clear();
    }

    /** The write that makes the object equal to the desired one; empty if it is equal. */
    Optional<CheckpointWrite> nextWrite() {
        if ((!exists && desired.isEmpty()) || (exists && observed.equals(desired) && !desired.isEmpty())) {
            return Optional.empty();
        }
        if (desired.isEmpty()) {
            return Optional.of(new CheckpointWrite.DeleteCheckpoint(name()));
        }
        return Optional.of(exists ? patch() : new CheckpointWrite.CreateCheckpoint(name(), desired));
    }

    private CheckpointWrite patch() {
        Map<PodUid, CheckpointedPod> upserts = new HashMap<>(desired);
        upserts.entrySet().removeIf(entry -> entry.getValue().equals(observed.get(entry.getKey())));
        Set<PodUid> removed = new HashSet<>(observed.keySet());
        removed.removeAll(desired.keySet());
        return new CheckpointWrite.PatchCheckpoint(name(), upserts, removed);
    }

    void onSent() {
        generationWhenSent = generation;
    }

    /**
     * Applies the result of a write. The result NOT_FOUND is ignored while the watch shows the object. If the object is
     * deleted, the watch will show it. If not, the write is tried again.
     */
    void onWriteResult(CheckpointWrite write, WriteResult.ResultKind outcome) {
        if (outcome == WriteResult.ResultKind.WRITTEN) {
            apply(write);
        } else if (outcome == WriteResult.ResultKind.NOT_FOUND && uid.isEmpty()) {
            onDelete();
        }
    }

    private void apply(CheckpointWrite write) {
        if (write instanceof CheckpointWrite.CreateCheckpoint createCheckpoint) {
            applyCreate(createCheckpoint);
        } else if (write instanceof CheckpointWrite.PatchCheckpoint patchCheckpoint) {
            applyPatch(patchCheckpoint);
        } else if (write instanceof CheckpointWrite.DeleteCheckpoint) {
            onDelete();
        } else {
            throw new IllegalStateException("unknown write (%s)".formatted(write));
        }
    }

    /** The watch may have shown the patched object before the result arrived. */
    private void applyPatch(CheckpointWrite.PatchCheckpoint patchCheckpoint) {
        if (generation == generationWhenSent) {
            generation++;
            observed.putAll(patchCheckpoint.upserts());
            observed.keySet().removeAll(patchCheckpoint.removed());
        }
    }

    private void applyCreate(CheckpointWrite.CreateCheckpoint createCheckpoint) {
        if (!exists) {
            exists = true;
            generation = 1;
            observed.clear();
            observed.putAll(createCheckpoint.pods());
        }
    }
}
