package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.persistent.PackedMap;
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
 * Which part of a pod's room counts towards which hold. A pod's room is credited first to the holds that it backs, in
 * the order of their ids and no more than each lacks, and the rest to the hold that it claims: so that what the pod
 * leaves is promised once, and all of it is. Holds are credited together where a pod links them: it backs both, or it
 * backs one and claims the other, and the other has backers, too. A change costs what is linked to it.
 */
final class Credits {
    private final Map<HoldId, HoldEntry> entries;
    private final Claims claims;
    /** The holds that a pod backs. */
    private final Map<PodUid, TreeSet<HoldId>> backed = new HashMap<>();
    /** What of a backer's room no hold that it backs has taken; absent while none has taken anything. */
    private final Map<PodUid, Resources> rest = new HashMap<>();

    Credits(Map<HoldId, HoldEntry> entries, Claims claims) {
        this.entries = entries;
        this.claims = claims;
    }

    void put(Hold hold) {
        hold.backers()
                .forEach(pod ->
                        backed.computeIfAbsent(pod, same -> new TreeSet<>()).add(hold.id()));
    }

    void remove(Hold hold) {
        hold.backers()
                .forEach(pod -> backed.computeIfPresent(
                        pod, (same, its) -> its.remove(hold.id()) && its.isEmpty() ? null : its));
    }

    /** Whether no pod backs a hold, or did when holds were last credited. */
    boolean areNone() {
        return backed.isEmpty() && rest.isEmpty();
    }

    boolean isBacker(PodUid pod) {
        return backed.containsKey(pod);
    }

    /** The holds that the pod backs, in the order of their ids. */
    SortedSet<HoldId> backedBy(PodUid pod) {
        return backed.getOrDefault(pod, new TreeSet<>());
    }

    /** What of the pod's room has not been credited to a hold that it backs. */
    private Resources roomOf(PodUid pod, PackedMap<PodUid, Pod> counting) {
        Resources left = rest.get(pod);
        return left == null ? requests(counting.get(pod)) : left;
    }

    static Resources requests(Optional<Pod> pod) {
        return pod.map(present -> present.shape().requests().plus(Account.ONE_POD))
                .orElse(Resources.NONE);
    }

    /** What the claims of the hold use of it, as far as their room is not credited to a hold that they back. */
    Resources usedBy(HoldEntry entry, PackedMap<PodUid, Pod> counting) {
        Resources size = entry.hold().size();
        Resources used = Resources.NONE.onlyOf(size);
        for (Claim claim : entry.claims()) {
            used = used.plus(roomOf(claim.pod(), counting).onlyOf(size));
        }
        return used;
    }

    /** The holds with backers that are linked with these holds or pods, in the order of their ids. */
    SortedSet<HoldId> linkedWith(Collection<HoldId> holds, Collection<PodUid> pods) {
        TreeSet<HoldId> found = new TreeSet<>();
        Set<PodUid> seen = new HashSet<>();
        Deque<HoldId> open = new ArrayDeque<>();
        holds.forEach(id -> reach(id, found, open));
        pods.forEach(pod -> reach(pod, seen, found, open));
        for (HoldId next = open.poll(); next != null; next = open.poll()) {
            @Nullable HoldEntry entry = entries.get(next);
            if (entry != null) {
                entry.hold().backers().forEach(pod -> reach(pod, seen, found, open));
                entry.claims().forEach(claim -> reach(claim.pod(), seen, found, open));
            }
        }
        return found;
    }

    /** A pod that backs nothing any more still links the hold that it claims with what it backed before. */
    private void reach(PodUid pod, Set<PodUid> seen, Set<HoldId> found, Deque<HoldId> open) {
        if (seen.add(pod)) {
            backedBy(pod).forEach(id -> reach(id, found, open));
            claims.by(pod).ifPresent(claim -> reach(claim.hold(), found, open));
        }
    }

    private void reach(HoldId id, Set<HoldId> found, Deque<HoldId> open) {
        @Nullable HoldEntry entry = entries.get(id);
        if (entry != null && !entry.hold().backers().isEmpty() && found.add(id)) {
            open.add(id);
        }
    }

    /**
     * Credits these holds again.
     *
     * @param group all holds that are linked with each other, in the order of their ids
     * @param pods others that may have backed holds before
     */
    void credit(SortedSet<HoldId> group, Collection<PodUid> pods, PackedMap<PodUid, Pod> counting) {
        Map<PodUid, Integer> shares = new HashMap<>();
        pods.forEach(rest::remove);
        for (HoldId id : group) {
            HoldEntry entry = HoldEntry.of(id, entries);
            entry.hold().backers().forEach(rest::remove);
            entry.hold().backers().forEach(backer -> shares.merge(backer, 1, Integer::sum));
        }
        for (HoldId id : group) {
            take(HoldEntry.of(id, entries), shares, counting);
        }
    }

    /** What is left of each pod's room for the hold that it claims; nothing for pods that no hold has taken room from. */
    Map<PodUid, Resources> rests(Collection<PodUid> pods) {
        Map<PodUid, Resources> known = new HashMap<>();
        for (PodUid pod : pods) {
            @Nullable Resources left = rest.get(pod);
            if (left != null) {
                known.put(pod, left);
            }
        }
        return known;
    }

    /** Takes from the hold's backers what the hold lacks; the room of its own claims counts there anyway. */
    private void take(HoldEntry entry, Map<PodUid, Integer> shares, PackedMap<PodUid, Pod> counting) {
        Hold hold = entry.hold();
        Resources lacking = hold.size().minus(usedBy(entry, counting)).atLeastZero();
        Resources missing = lacking;
        Map<PodUid, Resources> parts = new HashMap<>();
        for (PodUid backer : inOrder(hold, shares, counting)) {
            if (!claims.isClaim(backer, hold.id())) {
                Resources room = roomOf(backer, counting);
                Resources part = room.onlyOf(hold.size()).min(missing);
                rest.put(backer, room.minus(part));
                parts.put(backer, part);
                missing = missing.minus(part);
            }
        }
        entry.credit(lacking.minus(missing), parts);
    }

    /**
     * The pods that claim no other hold come first: the room of a claimant is also wanted by the hold that it claims. Of
     * these, pods that back this hold alone come before pods whose room other holds want, too.
     */
    private List<PodUid> inOrder(Hold hold, Map<PodUid, Integer> shares, PackedMap<PodUid, Pod> counting) {
        List<PodUid> free = new ArrayList<>();
        List<PodUid> claiming = new ArrayList<>();
        hold.backers().stream()
                .filter(backer -> counting.get(backer).isPresent())
                .sorted(Comparator.<PodUid>comparingInt(backer -> shares.getOrDefault(backer, 0))
                        .thenComparing(Comparator.naturalOrder()))
                .forEach(backer -> (claimsHold(backer) ? claiming : free).add(backer));
        free.addAll(claiming);
        return free;
    }

    private boolean claimsHold(PodUid pod) {
        return claims.by(pod).map(claim -> entries.get(claim.hold())).isPresent();
    }
}
