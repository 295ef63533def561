package dev.berth.core.door.globalreserve;

import dev.berth.core.cluster.PodUid;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** Finds groups by the UID of their object and by pod. */
final class ReservedGroupIndex {
    private final Function<String, Optional<ReservedGroup>> byName;
    private final Map<String, String> namesByUid = new HashMap<>();
    private final Map<PodUid, TreeSet<String>> namesByPod = new HashMap<>();
    /** Groups whose objects are deleted. Until the deadline the watch may still show such an object. */
    private final Deque<ReservedGroup> deletedGroups = new ArrayDeque<>();

    ReservedGroupIndex(Function<String, Optional<ReservedGroup>> byName) {
        this.byName = byName;
    }

    Optional<ReservedGroup> findByUid(String uid) {
        return Optional.ofNullable(namesByUid.get(uid)).flatMap(byName);
    }

    /** Whether a place is held for any pod, or was held until recently. */
    boolean hasAny() {
        return !namesByPod.isEmpty();
    }

    /** Whether a place is held for the pod, or was held until recently. Called for every pod event. */
    boolean hasAny(PodUid pod) {
        return namesByPod.containsKey(pod);
    }

    /** The groups with an active place for the pod, the latest last. */
    List<ReservedGroup> findActive(PodUid pod) {
        return findHolding(pod).stream()
                .filter(group -> group.findActivePlace(pod).isPresent())
                .toList();
    }

    /** The groups with a held place for the pod, active or ended and not released yet; the latest last. */
    List<ReservedGroup> findHolding(PodUid pod) {
        TreeSet<String> names = namesByPod.get(pod);
        return names == null
                ? List.of()
                : names.stream()
                        .flatMap(name -> byName.apply(name).stream())
                        .filter(group -> group.findHeldPlace(pod).isPresent())
                        .sorted(ReservedGroup.BY_AGE)
                        .toList();
    }

    /** The groups of one scheduler with an active place for the pod, the latest last. */
    List<ReservedGroup> findActive(PodUid pod, String scheduler) {
        return findActive(pod).stream()
                .filter(group -> group.isReservedBy(scheduler))
                .toList();
    }

    void add(ReservedGroup group) {
        for (ReservedPlace place : group.spec().places()) {
            namesByPod
                    .computeIfAbsent(place.pod().uid(), pod -> new TreeSet<>())
                    .add(group.name());
        }
    }

    /** The watch shows the object: it has a UID, and maybe other places than before. */
    void update(ReservedGroup group, StoredHoldFact.Upserted object) {
        unindex(group);
        group.update(object.uid(), object.spec());
        namesByUid.put(object.uid(), group.name());
        add(group);
    }

    /** The watch shows the object, and it is malformed. */
    void markMalformed(ReservedGroup group, String uid) {
        group.markMalformed(uid);
        namesByUid.put(uid, group.name());
    }

    void remove(ReservedGroup group) {
        namesByUid.remove(group.uid());
        unindex(group);
    }

    private void unindex(ReservedGroup group) {
        group.spec().places().forEach(place -> unindex(group, place.pod().uid()));
    }

    private void unindex(ReservedGroup group, PodUid pod) {
        TreeSet<String> names = namesByPod.get(pod);
        if (names != null) {
            names.remove(group.name());
            if (names.isEmpty()) {
                namesByPod.remove(pod);
            }
        }
    }

    /** A pod may be reserved many times: deleted groups must not slow down lookups. An object that is observed again is indexed again. */
    void markDeleted(ReservedGroup group) {
        group.markDeleted();
        deletedGroups.add(group);
        for (ReservedPlace place : group.spec().places()) {
            PodUid pod = place.pod().uid();
            if (group.findHeldPlace(pod).isEmpty()) {
                unindex(group, pod);
            }
        }
    }

    /** Removes and returns the deleted groups past their deadline: if such an object is observed again, it ends by itself. */
    List<ReservedGroup> drainExpired(Instant now) {
        List<ReservedGroup> expired = new ArrayList<>();
        while (!deletedGroups.isEmpty()
                && !deletedGroups.peek().spec().deadline().isAfter(now)) {
            ReservedGroup group = deletedGroups.remove();
            if (group.isDeleted() && byName.apply(group.name()).equals(Optional.of(group))) {
                expired.add(group);
            }
        }
        return expired;
    }
}
