package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.collection.SetMultimap;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.persistent.PackedMap;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.Resources;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Credits the requests of pods to holds. The requests of a pod are credited first to the holds that it backs, in the order of
 * their ids and no more than each hold lacks, and the rest to the hold that it claims. So what the pod frees when it leaves is
 * promised once, and all of it is promised. Holds are credited together where a pod links them: it backs both, or it backs one
 * and claims the other, and the other has backers, too. The cost of a change is O(holds that are linked to it).
 */
final class BackerCredits {
    private final Map<HoldId, HoldBalance> balances;
    private final ClaimResolver claimResolver;
    /** The holds that a pod backs. */
    private final SetMultimap<PodUid, HoldId> holdsByBacker = SetMultimap.sorted();
    /** What of a backer's requests is credited to no hold that it backs; absent while nothing of it is credited. */
    private final Map<PodUid, Resources> uncredited = new HashMap<>();

    BackerCredits(Map<HoldId, HoldBalance> balances, ClaimResolver claimResolver) {
        this.balances = balances;
        this.claimResolver = claimResolver;
    }

    void put(Hold hold) {
        hold.backers().forEach(pod -> holdsByBacker.add(pod, hold.id()));
    }

    void remove(Hold hold) {
        hold.backers().forEach(pod -> holdsByBacker.remove(pod, hold.id()));
    }

    /** Whether no pod backs a hold, nor backed one when holds were last credited. */
    boolean isEmpty() {
        return holdsByBacker.isEmpty() && uncredited.isEmpty();
    }

    boolean isBacker(PodUid pod) {
        return holdsByBacker.containsKey(pod);
    }

    /** The holds that the pod backs, in the order of their ids. */
    Set<HoldId> holdsBackedBy(PodUid pod) {
        return holdsByBacker.get(pod);
    }

    /** What of the pod's requests is credited to no hold that it backs. */
    private Resources uncreditedRequestsOf(PodUid pod, PackedMap<PodUid, Pod> activePods) {
        Resources rest = uncredited.get(pod);
        return rest == null ? requests(activePods.get(pod)) : rest;
    }

    /** The requests of the pod with its pod slot; none for a pod that uses nothing. */
    static Resources requests(Optional<Pod> pod) {
        return pod.map(present -> PodSlot.addTo(present.spec().requests())).orElse(Resources.NONE);
    }

    /** What the claims use of the hold. Requests that are credited to a hold that the claiming pod backs do not count. */
    Resources usedBy(HoldBalance entry, PackedMap<PodUid, Pod> activePods) {
        Resources size = entry.hold().size();
        Resources used = Resources.NONE.inDimensionsOf(size);
        for (Claim claim : entry.claims()) {
            used = used.plus(uncreditedRequestsOf(claim.pod(), activePods).inDimensionsOf(size));
        }
        return used;
    }

    /** The holds with backers that are linked to these holds or pods, in the order of their ids. */
    SortedSet<HoldId> linkedWith(Collection<HoldId> holds, Collection<PodUid> pods) {
        TreeSet<HoldId> found = new TreeSet<>();
        Set<PodUid> seen = new HashSet<>();
        Deque<HoldId> open = new ArrayDeque<>();
        holds.forEach(id -> reach(id, found, open));
        pods.forEach(pod -> reach(pod, seen, found, open));
        for (HoldId next = open.poll(); next != null; next = open.poll()) {
            @Nullable HoldBalance entry = balances.get(next);
            if (entry != null) {
                entry.hold().backers().forEach(pod -> reach(pod, seen, found, open));
                entry.claims().forEach(claim -> reach(claim.pod(), seen, found, open));
            }
        }
        return found;
    }

    /** A pod that backs no hold any more still links the hold that it claims to the holds that it backed before. */
    private void reach(PodUid pod, Set<PodUid> seen, Set<HoldId> found, Deque<HoldId> open) {
        if (seen.add(pod)) {
            holdsBackedBy(pod).forEach(id -> reach(id, found, open));
            claimResolver.findByPod(pod).ifPresent(claim -> reach(claim.hold(), found, open));
        }
    }

    private void reach(HoldId id, Set<HoldId> found, Deque<HoldId> open) {
        @Nullable HoldBalance entry = balances.get(id);
        if (entry != null && !entry.hold().backers().isEmpty() && found.add(id)) {
            open.add(id);
        }
    }

    /**
     * Credits these holds again.
     *
     * @param group all holds that are linked to each other, in the order of their ids
     * @param pods further pods, which may have backed holds before
     */
    void credit(SortedSet<HoldId> group, Collection<PodUid> pods, PackedMap<PodUid, Pod> activePods) {
        Map<PodUid, Integer> shares = new HashMap<>();
        pods.forEach(uncredited::remove);
        for (HoldId id : group) {
            HoldBalance entry = HoldBalance.require(id, balances);
            entry.hold().backers().forEach(uncredited::remove);
            entry.hold().backers().forEach(backer -> shares.merge(backer, 1, Integer::sum));
        }
        for (HoldId id : group) {
            creditFromBackers(HoldBalance.require(id, balances), shares, activePods);
        }
    }

    /** What is left of each pod's requests for the hold that it claims; absent for pods of which nothing is credited. */
    Map<PodUid, Resources> uncreditedRequests(Collection<PodUid> pods) {
        Map<PodUid, Resources> known = new HashMap<>();
        for (PodUid pod : pods) {
            @Nullable Resources rest = uncredited.get(pod);
            if (rest != null) {
                known.put(pod, rest);
            }
        }
        return known;
    }

    /** Credits to the hold from its backers what the hold lacks. Backers that claim the hold count as its claims already. */
    private void creditFromBackers(HoldBalance entry, Map<PodUid, Integer> shares, PackedMap<PodUid, Pod> activePods) {
        Hold hold = entry.hold();
        Resources unused = entry.unused(this, activePods);
        Resources missing = unused;
        Map<PodUid, Resources> parts = new HashMap<>();
        for (PodUid backer : backersInCreditOrder(hold, shares, activePods)) {
            if (!claimResolver.hasClaimOn(backer, hold.id())) {
                Resources available = uncreditedRequestsOf(backer, activePods);
                Resources part = available.inDimensionsOf(hold.size()).min(missing);
                uncredited.put(backer, available.minus(part));
                parts.put(backer, part);
                missing = missing.minus(part);
            }
        }
        entry.setCredit(unused.minus(missing), parts);
    }

    /**
     * The pods that claim no hold come first, because the hold that a pod claims needs the pod's requests, too. Among these,
     * pods that back this hold alone come before pods that back several holds.
     */
    private List<PodUid> backersInCreditOrder(
            Hold hold, Map<PodUid, Integer> shares, PackedMap<PodUid, Pod> activePods) {
        List<PodUid> unclaiming = new ArrayList<>();
        List<PodUid> claiming = new ArrayList<>();
        hold.backers().stream()
                .filter(backer -> activePods.get(backer).isPresent())
                .sorted(Comparator.<PodUid>comparingInt(backer -> shares.getOrDefault(backer, 0))
                        .thenComparing(Comparator.naturalOrder()))
                .forEach(backer -> (claimsHold(backer) ? claiming : unclaiming).add(backer));
        unclaiming.addAll(claiming);
        return unclaiming;
    }

    private boolean claimsHold(PodUid pod) {
        return claimResolver
                .findByPod(pod)
                .map(claim -> balances.get(claim.hold()))
                .isPresent();
    }
}
