package dev.berth.core.door.godel;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.godel.DeletedPod.PlannedReservation;
import dev.berth.core.hold.HoldId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pods that terminate, and deleted pods whose Reservation the watch does not show, by UID, hold and name. */
final class DeletedPodIndex {
    private final Map<PodUid, DeletedPod> byUid = new LinkedHashMap<>();
    /** By the hold of a planned Reservation. */
    private final Map<HoldId, PodUid> byHold = new HashMap<>();
    /** By the name of a planned Reservation. */
    private final Map<String, PodUid> byName = new HashMap<>();

    boolean isEmpty() {
        return byUid.isEmpty();
    }

    boolean has(PodUid pod) {
        return byUid.containsKey(pod);
    }

    boolean hasHold(HoldId hold) {
        return byHold.containsKey(hold);
    }

    Optional<DeletedPod> find(PodUid pod) {
        return Optional.ofNullable(byUid.get(pod));
    }

    Optional<DeletedPod> findByHold(HoldId hold) {
        return Optional.ofNullable(byHold.get(hold)).flatMap(this::find);
    }

    /** Whether the planned Reservation of a different pod has this name. */
    boolean isNamePlannedByOther(String fullName, PodUid pod) {
        return !pod.equals(byName.getOrDefault(fullName, pod));
    }

    Collection<DeletedPod> all() {
        return List.copyOf(byUid.values());
    }

    /** Deleted pods with a planned Reservation. */
    List<DeletedPod> withoutReservation() {
        List<DeletedPod> pods = new ArrayList<>(byHold.size());
        byHold.values().forEach(pod -> find(pod).ifPresent(pods::add));
        return pods;
    }

    void put(DeletedPod deletedPod) {
        byUid.put(deletedPod.pod().uid(), deletedPod);
    }

    /** Adds the pod with its planned Reservation. */
    void put(DeletedPod deletedPod, PlannedReservation planned) {
        put(deletedPod);
        byHold.put(planned.hold().id(), deletedPod.pod().uid());
        byName.put(planned.namespacedName(), deletedPod.pod().uid());
    }

    void remove(PodUid pod) {
        byUid.remove(pod);
    }

    /** Removes the pod with its planned Reservation. */
    void remove(DeletedPod deletedPod) {
        PodUid uid = deletedPod.pod().uid();
        byUid.remove(uid);
        deletedPod.planned().ifPresent(planned -> {
            byHold.remove(planned.hold().id());
            byName.remove(planned.namespacedName(), uid);
        });
    }
}
