package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.collection.SetMultimap;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides which pods of one node claim which of its holds. Evidence is trusted in this order: the assumption of this process,
 * the users that the hold's object lists, and last the annotation on the pod, which counts only where the owners of the hold
 * match the pod now. A pod that backs a hold does not become its user by an annotation. So nothing that a tenant writes on a pod releases, moves or makes a claim that the owner rules do not
 * allow. A claim outlives edits of the owners, removed annotations and, once it is listed, restarts. The cost of an update is
 * O(claims that it concerns).
 */
final class ClaimResolver {
    private enum Basis {
        ASSUMED,
        LISTED,
        RECORDED
    }

    private record ResolvedClaim(Claim claim, Basis basis) {}

    /** The holds of the node. */
    private final Map<HoldId, Hold> holds;

    private final Map<PodUid, ClaimEvidence> evidence = new HashMap<>();
    /** The pods whose evidence names the hold. The hold may be on another node, or have ended. */
    private final SetMultimap<HoldId, PodUid> podsByNamedHold = SetMultimap.unordered();
    /** The holds whose objects list the pod, in the order of their ids. */
    private final SetMultimap<PodUid, HoldId> listingHoldsByPod = SetMultimap.sorted();

    private final Map<PodUid, ResolvedClaim> resolvedByPod = new HashMap<>();
    private final Map<HoldId, TreeMap<PodUid, ResolvedClaim>> resolvedByHold = new HashMap<>();

    private final Map<PodUid, Claim> claims = new HashMap<>();
    private final Map<HoldId, TreeMap<PodUid, Claim>> claimsByHold = new HashMap<>();

    private final Set<PodUid> dirtyPods = new HashSet<>();
    private final Set<HoldId> dirtyHolds = new HashSet<>();

    ClaimResolver(Map<HoldId, Hold> holds) {
        this.holds = holds;
    }

    /** Copies the evidence, except that of removed pods. */
    void copyTo(ClaimResolver other, Removals removals) {
        evidence.forEach((pod, claimEvidence) -> {
            if (!removals.pods().contains(pod)) {
                other.setEvidence(pod, claimEvidence);
            }
        });
    }

    /** Replaces the evidence for a claim of the pod. */
    void setEvidence(PodUid pod, ClaimEvidence now) {
        ClaimEvidence before = evidence.getOrDefault(pod, ClaimEvidence.NONE);
        if (before.isEmpty() && now.isEmpty()) {
            return;
        }
        before.holds().forEach(hold -> podsByNamedHold.remove(hold, pod));
        now.holds().forEach(hold -> podsByNamedHold.add(hold, pod));
        if (now.isEmpty()) {
            evidence.remove(pod);
        } else {
            evidence.put(pod, now);
        }
        dirtyPods.add(pod);
    }

    /** The pod was added, removed or changed. */
    void onPodChanged(PodUid pod) {
        // This is the case on most nodes.
        if (!isUnused()
                && (evidence.containsKey(pod)
                        || listingHoldsByPod.containsKey(pod)
                        || resolvedByPod.containsKey(pod))) {
            dirtyPods.add(pod);
        }
    }

    /** Whether no evidence of a pod names a hold, no hold lists a pod, and no claim is left. */
    boolean isUnused() {
        return evidence.isEmpty() && listingHoldsByPod.isEmpty() && resolvedByPod.isEmpty();
    }

    void put(Hold hold) {
        for (PodUid pod : hold.listedUsers()) {
            listingHoldsByPod.add(pod, hold.id());
        }
        markDirty(hold);
    }

    void remove(Hold hold) {
        for (PodUid pod : hold.listedUsers()) {
            listingHoldsByPod.remove(pod, hold.id());
        }
        markDirty(hold);
    }

    private void markDirty(Hold hold) {
        dirtyHolds.add(hold.id());
        dirtyPods.addAll(hold.listedUsers());
        dirtyPods.addAll(podsByNamedHold.get(hold.id()));
        dirtyPods.addAll(resolvedByHold.getOrDefault(hold.id(), new TreeMap<>()).keySet());
    }

    boolean isDirty() {
        return !dirtyPods.isEmpty() || !dirtyHolds.isEmpty();
    }

    /** The trusted claim of the pod, even if the pod finished, as of the last {@link #recompute}. */
    Optional<Claim> findByPod(PodUid pod) {
        return Optional.ofNullable(claims.get(pod));
    }

    /** Whether the pod has a trusted claim on this hold. */
    boolean hasClaimOn(PodUid pod, HoldId hold) {
        @Nullable Claim claim = claims.get(pod);
        return claim != null && claim.hold().equals(hold);
    }

    SortedMap<PodUid, Claim> claimsOn(HoldId hold) {
        return claimsByHold.getOrDefault(hold, new TreeMap<>());
    }

    /**
     * What may have changed.
     *
     * @param holds the holds whose claims may have changed, or the pods of these claims
     * @param pods the pods whose claims changed: another hold, or confirmed now
     */
    record ChangedClaims(Set<HoldId> holds, Set<PodUid> pods) {}

    /**
     * Recomputes what changed.
     *
     * @param pods finds a pod that uses the node, or that finished there and may have consumed an allocateOnce hold
     */
    ChangedClaims recompute(Function<PodUid, Optional<Pod>> pods) {
        for (PodUid uid : dirtyPods) {
            Optional<ResolvedClaim> now =
                    pods.apply(uid).flatMap(pod -> resolve(pod, evidence.getOrDefault(uid, ClaimEvidence.NONE)));
            replace(uid, now);
        }
        Set<HoldId> affected = Set.copyOf(dirtyHolds);
        dirtyPods.clear();
        dirtyHolds.clear();
        Map<PodUid, Claim> before = new HashMap<>();
        for (HoldId hold : affected) {
            @Nullable TreeMap<PodUid, Claim> removed = claimsByHold.remove(hold);
            if (removed != null) {
                before.putAll(removed);
                removed.keySet().forEach(claims::remove);
            }
        }
        Set<PodUid> changed = new HashSet<>();
        for (HoldId hold : affected) {
            for (ResolvedClaim resolved : validClaims(hold)) {
                Claim claim = resolved.claim();
                claims.put(claim.pod(), claim);
                claimsByHold.computeIfAbsent(hold, id -> new TreeMap<>()).put(claim.pod(), claim);
                if (!claim.equals(before.remove(claim.pod()))) {
                    changed.add(claim.pod());
                }
            }
        }
        changed.addAll(before.keySet());
        return new ChangedClaims(affected, changed);
    }

    private void replace(PodUid uid, Optional<ResolvedClaim> now) {
        @Nullable ResolvedClaim before = resolvedByPod.remove(uid);
        if (before != null) {
            HoldId hold = before.claim().hold();
            resolvedByHold.computeIfPresent(hold, (id, pods) -> {
                pods.remove(uid);
                return pods.isEmpty() ? null : pods;
            });
            dirtyHolds.add(hold);
        }
        now.ifPresent(resolved -> {
            resolvedByPod.put(uid, resolved);
            resolvedByHold
                    .computeIfAbsent(resolved.claim().hold(), id -> new TreeMap<>())
                    .put(uid, resolved);
            dirtyHolds.add(resolved.claim().hold());
        });
    }

    /** Claims that were made while the hold was shared stay when it becomes allocateOnce; no further claim is valid. */
    private Collection<ResolvedClaim> validClaims(HoldId id) {
        Collection<ResolvedClaim> all =
                resolvedByHold.getOrDefault(id, new TreeMap<>()).values();
        @Nullable Hold hold = holds.get(id);
        if (hold == null || !hold.allocateOnce()) {
            return all;
        }
        List<ResolvedClaim> proven = all.stream()
                .filter(resolved -> resolved.basis() != Basis.RECORDED)
                .toList();
        return proven.isEmpty() ? all.stream().limit(1).toList() : proven;
    }

    private Optional<ResolvedClaim> resolve(Pod pod, ClaimEvidence podEvidence) {
        for (HoldId assumed : podEvidence.assumed()) {
            if (holds.containsKey(assumed)) {
                return resolved(assumed, pod, Basis.ASSUMED);
            }
        }
        Set<HoldId> listing = listingHoldsByPod.get(pod.uid());
        if (!listing.isEmpty() && pod.nodeName().isPresent()) {
            HoldId id = podEvidence
                    .recorded()
                    .filter(listing::contains)
                    .orElseGet(() -> listing.iterator().next());
            return resolved(id, pod, Basis.LISTED);
        }
        return podEvidence
                .recorded()
                .flatMap(id -> Optional.ofNullable(holds.get(id)))
                .filter(hold -> hold.matchesOwner(pod) && !hold.backers().contains(pod.uid()))
                .flatMap(hold -> resolved(hold.id(), pod, Basis.RECORDED));
    }

    private static Optional<ResolvedClaim> resolved(HoldId hold, Pod pod, Basis basis) {
        return Optional.of(
                new ResolvedClaim(new Claim(hold, pod.uid(), pod.nodeName().isPresent()), basis));
    }
}
