package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.door.comeback.PlaceId.PodKey;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Entries of the checkpoint that stay after their pods' places were dealt with, and those of pods that leave no place,
 * because nothing else says that these pods had taken places themselves: the places' reservations are not marked yet, or
 * the checkpoint still has the pods that left them. Without the entry, a process started without history would keep such a
 * place again.
 */
final class TakerEntries {
    private final Checkpoint checkpoint;
    private final Kept kept;
    /** By the pod that left a place, the pods that took it. */
    private final Map<PodKey, Set<PodUid>> byTaken = new HashMap<>();

    private final Set<PodUid> staying = new HashSet<>();
    /** Pods whose places something was heard of. */
    private final Set<PodKey> due = new HashSet<>();

    TakerEntries(Checkpoint checkpoint, Kept kept) {
        this.checkpoint = checkpoint;
        this.kept = kept;
    }

    /** The pod is gone and its own place needs no entry any more. */
    void drop(Pod pod) {
        if (!keep(pod)) {
            checkpoint.drop(pod.uid());
        }
    }

    /** Whether a pod that is there is to have an entry, be it for its own place or for the one that it took. */
    boolean isWanted(Pod pod, boolean leavesPlace) {
        if (leavesPlace) {
            forget(pod);
            return true;
        }
        return keep(pod);
    }

    private void forget(Pod pod) {
        if (staying.remove(pod.uid())) {
            Takers.placeOf(pod)
                    .ifPresent(place -> byTaken.computeIfPresent(place.leftBy(), (same, pods) -> {
                        pods.remove(pod.uid());
                        return pods.isEmpty() ? null : pods;
                    }));
        }
    }

    /** The checkpoint has the pod from an earlier process, and this one does not need it for the pod's own place. */
    void found(CheckpointedPod entry, Desk desk) {
        if (keep(entry.pod())) {
            checkpoint.want(entry, desk);
        }
    }

    private boolean keep(Pod pod) {
        Optional<PodKey> taken = Takers.placeOf(pod).map(PlaceId::leftBy).filter(kept::mayBeKeptAgain);
        taken.ifPresent(key -> {
            byTaken.computeIfAbsent(key, same -> new HashSet<>()).add(pod.uid());
            staying.add(pod.uid());
        });
        return taken.isPresent();
    }

    boolean has(PodUid pod) {
        return staying.contains(pod);
    }

    /** Something about the place that the pod left changed. */
    void touch(PodKey podKey) {
        if (byTaken.containsKey(podKey)) {
            due.add(podKey);
        }
    }

    void settle() {
        for (PodKey key : Set.copyOf(due)) {
            if (!kept.mayBeKeptAgain(key)) {
                for (PodUid pod : Optional.ofNullable(byTaken.remove(key)).orElse(Set.of())) {
                    staying.remove(pod);
                    checkpoint.drop(pod);
                }
            }
        }
        due.clear();
    }
}
