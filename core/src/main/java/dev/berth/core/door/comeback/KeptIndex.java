package dev.berth.core.door.comeback;

import dev.berth.core.door.comeback.PlaceId.PodKey;
import dev.berth.core.hold.HoldId;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** The reservations that the API server shows, by all that they are looked up by. */
final class KeptIndex {
    private final Map<String, KeptEntry> entries = new HashMap<>();
    private final Map<String, KeptEntry> byName = new HashMap<>();
    private final Map<HoldId, KeptEntry> byHold = new HashMap<>();
    private final Map<PodKey, KeptEntry> byPod = new HashMap<>();
    /** By the pod that left a place, the reservations of pods that took that place. */
    private final Map<PodKey, Set<String>> byTaken = new HashMap<>();
    /** By the StatefulSet whose pods left them. */
    private final Map<String, Set<String>> bySet = new HashMap<>();
    /** Those whose node has not been heard of, by its name. */
    private final Map<String, Set<String>> homeless = new HashMap<>();

    Collection<KeptEntry> all() {
        return entries.values();
    }

    Optional<KeptEntry> find(String uid) {
        return Optional.ofNullable(entries.get(uid));
    }

    Optional<KeptEntry> find(HoldId place) {
        return Optional.ofNullable(byHold.get(place));
    }

    Optional<KeptEntry> named(String fullName) {
        return Optional.ofNullable(byName.get(fullName));
    }

    Optional<KeptEntry> ofPod(PodKey podKey) {
        return Optional.ofNullable(byPod.get(podKey));
    }

    /** The UIDs of the reservations whose pods had taken the place that this pod left. */
    Set<String> takersOf(PodKey podKey) {
        return byTaken.getOrDefault(podKey, Set.of());
    }

    boolean hasSets() {
        return !bySet.isEmpty();
    }

    List<KeptEntry> ofSet(String namespace, String name) {
        return entries(bySet.getOrDefault(StatefulSets.key(namespace, name), Set.of()));
    }

    List<KeptEntry> waitingFor(String node) {
        return entries(homeless.getOrDefault(node, Set.of()));
    }

    private List<KeptEntry> entries(Set<String> uids) {
        return uids.stream().flatMap(uid -> find(uid).stream()).toList();
    }

    /** The entry says this from now on. */
    void put(KeptEntry entry, Placeholder placeholder) {
        unfile(entry);
        entry.seen = placeholder;
        entries.put(placeholder.uid(), entry);
        byName.put(placeholder.fullName(), entry);
        // A pod may have taken it while it did not stand for the pod that it names.
        byHold.put(placeholder.ownHoldId(), entry);
        byHold.put(placeholder.holdId(), entry);
        placeholder.leftBy().ifPresent(pod -> byPod.put(pod, entry));
        if (!placeholder.statefulSet().isEmpty()) {
            add(bySet, StatefulSets.key(placeholder.namespace(), placeholder.statefulSet()), entry);
        }
        placeholder.takenFrom().ifPresent(pod -> add(byTaken, pod, entry));
    }

    Optional<KeptEntry> remove(String uid) {
        Optional<KeptEntry> gone = Optional.ofNullable(entries.remove(uid));
        gone.ifPresent(this::unfile);
        return gone;
    }

    private void unfile(KeptEntry entry) {
        Placeholder seen = entry.seen;
        byName.remove(seen.fullName(), entry);
        byHold.remove(seen.ownHoldId(), entry);
        byHold.remove(seen.holdId(), entry);
        seen.leftBy().ifPresent(pod -> byPod.remove(pod, entry));
        house(entry);
        seen.takenFrom().ifPresent(pod -> remove(byTaken, pod, entry));
        remove(bySet, StatefulSets.key(seen.namespace(), seen.statefulSet()), entry);
    }

    /** Its node is not known. */
    void unhouse(KeptEntry entry) {
        add(homeless, entry.seen.node(), entry);
    }

    /** It does not wait for its node any more. */
    void house(KeptEntry entry) {
        remove(homeless, entry.seen.node(), entry);
    }

    private static <K> void add(Map<K, Set<String>> index, K key, KeptEntry entry) {
        index.computeIfAbsent(key, same -> new TreeSet<>()).add(entry.seen.uid());
    }

    private static <K> void remove(Map<K, Set<String>> index, K key, KeptEntry entry) {
        index.computeIfPresent(key, (same, uids) -> {
            uids.remove(entry.seen.uid());
            return uids.isEmpty() ? null : uids;
        });
    }
}
