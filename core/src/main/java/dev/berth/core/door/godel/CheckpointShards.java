package dev.berth.core.door.godel;

import dev.berth.core.cluster.PodUid;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The objects of the checkpoint: which of them has each pod, and which of them have space for more pods. */
final class CheckpointShards {
    private final CheckpointLimits limits;
    private final Map<Integer, CheckpointShard> byIndex = new TreeMap<>();
    /** The shard in which each pod should be. */
    private final Map<PodUid, CheckpointShard> desired = new HashMap<>();
    /** The shard in which the API server has each pod. */
    private final Map<PodUid, CheckpointShard> observed = new HashMap<>();

    private final TreeSet<Integer> withSpace = new TreeSet<>();

    CheckpointShards(CheckpointLimits limits) {
        this.limits = limits;
    }

    CheckpointShard get(int index) {
        return byIndex.computeIfAbsent(index, CheckpointShard::new);
    }

    List<CheckpointShard> findByUid(String uid) {
        return byIndex.values().stream()
                .filter(shard -> shard.uid().equals(uid))
                .toList();
    }

    int size() {
        return byIndex.size();
    }

    int desiredPodCount() {
        return desired.size();
    }

    /** All pods that the API server has in the checkpoint. */
    List<CheckpointedPod> observedPods() {
        return byIndex.values().stream()
                .flatMap(shard -> shard.observed().values().stream())
                .sorted(Comparator.comparing(CheckpointedPod::uid))
                .toList();
    }

    Optional<CheckpointShard> findDesired(PodUid pod) {
        return Optional.ofNullable(desired.get(pod));
    }

    Optional<CheckpointShard> findObserved(PodUid pod) {
        return Optional.ofNullable(observed.get(pod));
    }

    void setDesired(CheckpointedPod pod, CheckpointShard shard) {
        desired.put(pod.uid(), shard);
        shard.setDesired(pod);
    }

    void removeDesired(PodUid pod) {
        @Nullable CheckpointShard shard = desired.remove(pod);
        if (shard != null) {
            shard.removeDesired(pod);
        }
    }

    void setObserved(CheckpointShard shard) {
        shard.observed().keySet().forEach(pod -> observed.put(pod, shard));
    }

    /** Returns whether this shard was the one in which the API server had the pod. */
    boolean removeObserved(PodUid pod, CheckpointShard shard) {
        return observed.remove(pod, shard);
    }

    /** The content of the shard changed. */
    void updateSpace(CheckpointShard shard) {
        if (isWithinLimit(shard.index()) && shard.hasSpace(limits)) {
            withSpace.add(shard.index());
        } else {
            withSpace.remove(shard.index());
        }
    }

    /** Whether a shard that exists has space. */
    boolean hasSpace() {
        return !withSpace.isEmpty();
    }

    /** Whether a pod that is in no shard fits only if reservation records are evicted. */
    boolean isFull() {
        return withSpace.isEmpty() && !isWithinLimit(firstUnusedIndex());
    }

    /** The shard of the pod: where it should be, else where the API server has it, else the first shard with space. */
    Optional<CheckpointShard> choose(PodUid pod) {
        return findDesired(pod)
                .or(() -> findObserved(pod).filter(shard -> shard.hasSpace(limits)))
                .or(() -> {
                    int next = withSpace.isEmpty() ? firstUnusedIndex() : withSpace.first();
                    return isWithinLimit(next) ? Optional.of(get(next)) : Optional.empty();
                });
    }

    /** Whether the pod needs a shard that does not have it yet. */
    boolean needsNewShard(PodUid pod) {
        return findDesired(pod).isEmpty()
                && findObserved(pod).filter(shard -> shard.hasSpace(limits)).isEmpty();
    }

    /** The first shard in which a pod fits once reservation records are evicted. */
    Optional<CheckpointShard> findEvictable() {
        return byIndex.values().stream()
                .filter(shard -> isWithinLimit(shard.index()) && shard.hasSpaceWithoutReservationRecords(limits))
                .findFirst();
    }

    /** Shards beyond the limit get no more pods. They come from a Berth with a higher limit, or from a user. */
    private boolean isWithinLimit(int index) {
        return index < limits.maxObjects();
    }

    private int firstUnusedIndex() {
        int index = 0;
        while (byIndex.containsKey(index)) {
            index++;
        }
        return index;
    }
}
