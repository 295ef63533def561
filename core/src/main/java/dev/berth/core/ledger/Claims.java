package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides which pods of one node claim which of its holds. In this order: what this process assumed, what the hold's
 * object lists, and last the record on the pod, which counts only where the hold is for the pod now. So nothing that a
 * tenant writes on a pod frees, moves or makes a claim that the owner rules do not allow; and a claim that was made
 * outlives edits of the owners, removed annotations and, once it is listed, restarts. A change costs what it concerns.
 */
final class Claims {
    private enum Basis {
        ASSUMED,
        LISTED,
        RECORD
    }

    private record Found(Claim claim, Basis basis) {}

    /** The holds of the node. */
    private final Map<HoldId, Hold> holds;

    private final Map<PodUid, Evidence> evidence = new HashMap<>();
    /** The pods whose evidence names the hold, one that is elsewhere or gone too. */
    private final Map<HoldId, Set<PodUid>> namedBy = new HashMap<>();
    /** The holds whose objects list the pod, in the order of their ids. */
    private final Map<PodUid, TreeSet<HoldId>> listing = new HashMap<>();

    private final Map<PodUid, Found> found = new HashMap<>();
    private final Map<HoldId, TreeMap<PodUid, Found>> foundOn = new HashMap<>();

    private final Map<PodUid, Claim> claims = new HashMap<>();
    private final Map<HoldId, TreeMap<PodUid, Claim>> claimsOn = new HashMap<>();

    private final Set<PodUid> dirtyPods = new HashSet<>();
    private final Set<HoldId> dirtyHolds = new HashSet<>();

    Claims(Map<HoldId, Hold> holds) {
        this.holds = holds;
    }

    /** What speaks for claims of the pods that are not absent. */
    void copyTo(Claims other, Absence absent) {
        evidence.forEach((pod, its) -> {
            if (!absent.pods().contains(pod)) {
                other.evidence(pod, its);
            }
        });
    }

    /** What speaks for a claim of the pod from now on. */
    void evidence(PodUid pod, Evidence now) {
        Evidence before = evidence.getOrDefault(pod, Evidence.NONE);
        if (before.isEmpty() && now.isEmpty()) {
            return;
        }
        before.named().forEach(hold -> take(namedBy, hold, pod));
        now.named()
                .forEach(hold ->
                        namedBy.computeIfAbsent(hold, id -> new HashSet<>()).add(pod));
        if (now.isEmpty()) {
            evidence.remove(pod);
        } else {
            evidence.put(pod, now);
        }
        dirtyPods.add(pod);
    }

    /** The pod came, went or changed. */
    void moved(PodUid pod) {
        // On most nodes the holds have no claims.
        boolean nothingIsClaimed = evidence.isEmpty() && listing.isEmpty() && found.isEmpty();
        if (!nothingIsClaimed && (evidence.containsKey(pod) || listing.containsKey(pod) || found.containsKey(pod))) {
            dirtyPods.add(pod);
        }
    }

    void put(Hold hold) {
        for (PodUid pod : hold.listed()) {
            listing.computeIfAbsent(pod, same -> new TreeSet<>()).add(hold.id());
        }
        touch(hold);
    }

    void remove(Hold hold) {
        for (PodUid pod : hold.listed()) {
            take(listing, pod, hold.id());
        }
        touch(hold);
    }

    private void touch(Hold hold) {
        dirtyHolds.add(hold.id());
        dirtyPods.addAll(hold.listed());
        dirtyPods.addAll(namedBy.getOrDefault(hold.id(), Set.of()));
        dirtyPods.addAll(foundOn.getOrDefault(hold.id(), new TreeMap<>()).keySet());
    }

    boolean isDirty() {
        return !dirtyPods.isEmpty() || !dirtyHolds.isEmpty();
    }

    /** The claim of the pod that is believed, as of the last {@link #settle}; those of ended pods too. */
    Optional<Claim> by(PodUid pod) {
        return Optional.ofNullable(claims.get(pod));
    }

    /** Whether the pod's claim of this hold is believed. */
    boolean isClaim(PodUid pod, HoldId hold) {
        @Nullable Claim its = claims.get(pod);
        return its != null && its.hold().equals(hold);
    }

    SortedMap<PodUid, Claim> on(HoldId hold) {
        return claimsOn.getOrDefault(hold, new TreeMap<>());
    }

    /**
     * What may be other than before.
     *
     * @param holds whose claims may be others, or the pods that have them
     * @param pods which claim another hold, or the same with another standing
     */
    record News(Set<HoldId> holds, Set<PodUid> pods) {}

    /**
     * Works out what changed.
     *
     * @param pods finds a pod that uses the node, or that ended there and may have spent a hold for once
     */
    News settle(Function<PodUid, Optional<Pod>> pods) {
        for (PodUid uid : dirtyPods) {
            Optional<Found> now = pods.apply(uid).flatMap(pod -> find(pod, evidence.getOrDefault(uid, Evidence.NONE)));
            replace(uid, now);
        }
        Set<HoldId> concerned = Set.copyOf(dirtyHolds);
        dirtyPods.clear();
        dirtyHolds.clear();
        Map<PodUid, Claim> before = new HashMap<>();
        for (HoldId hold : concerned) {
            @Nullable TreeMap<PodUid, Claim> its = claimsOn.remove(hold);
            if (its != null) {
                before.putAll(its);
                its.keySet().forEach(claims::remove);
            }
        }
        Set<PodUid> changed = new HashSet<>();
        for (HoldId hold : concerned) {
            for (Found its : valid(hold)) {
                Claim claim = its.claim();
                claims.put(claim.pod(), claim);
                claimsOn.computeIfAbsent(hold, id -> new TreeMap<>()).put(claim.pod(), claim);
                if (!claim.equals(before.remove(claim.pod()))) {
                    changed.add(claim.pod());
                }
            }
        }
        changed.addAll(before.keySet());
        return new News(concerned, changed);
    }

    private void replace(PodUid uid, Optional<Found> now) {
        @Nullable Found before = found.remove(uid);
        if (before != null) {
            HoldId hold = before.claim().hold();
            foundOn.computeIfPresent(hold, (id, pods) -> {
                pods.remove(uid);
                return pods.isEmpty() ? null : pods;
            });
            dirtyHolds.add(hold);
        }
        now.ifPresent(its -> {
            found.put(uid, its);
            foundOn.computeIfAbsent(its.claim().hold(), id -> new TreeMap<>()).put(uid, its);
            dirtyHolds.add(its.claim().hold());
        });
    }

    /** Claims that were made while the hold was shared stay when it becomes one for once; one more is not let in. */
    private Collection<Found> valid(HoldId id) {
        Collection<Found> all = foundOn.getOrDefault(id, new TreeMap<>()).values();
        @Nullable Hold hold = holds.get(id);
        if (hold == null || !hold.once()) {
            return all;
        }
        List<Found> proven =
                all.stream().filter(its -> its.basis() != Basis.RECORD).toList();
        return proven.isEmpty() ? all.stream().limit(1).toList() : proven;
    }

    private Optional<Found> find(Pod pod, Evidence its) {
        for (HoldId assumed : its.assumed()) {
            if (holds.containsKey(assumed)) {
                return found(assumed, pod, Basis.ASSUMED);
            }
        }
        @Nullable TreeSet<HoldId> lists = listing.get(pod.uid());
        if (lists != null && pod.nodeName().isPresent()) {
            HoldId id = its.record().filter(lists::contains).orElse(lists.first());
            return found(id, pod, Basis.LISTED);
        }
        return its.record()
                .flatMap(id -> Optional.ofNullable(holds.get(id)))
                .filter(hold -> hold.isFor(pod))
                .flatMap(hold -> found(hold.id(), pod, Basis.RECORD));
    }

    private static Optional<Found> found(HoldId hold, Pod pod, Basis basis) {
        return Optional.of(new Found(new Claim(hold, pod.uid(), pod.nodeName().isPresent()), basis));
    }

    private static <K, V, S extends Set<V>> void take(Map<K, S> map, K key, V value) {
        @Nullable S among = map.get(key);
        if (among != null && among.remove(value) && among.isEmpty()) {
            map.remove(key);
        }
    }
}
