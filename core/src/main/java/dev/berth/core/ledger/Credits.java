package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.persistent.SortedArray;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which part of a pod's room counts towards which hold. A pod's room is credited first to the holds that it backs, in
 * the order of their ids and no more than each lacks, and the rest to the hold that it claims: so that what the pod
 * leaves is promised once, and all of it is.
 */
final class Credits {
    private final SortedArray<PodUid, Pod> counting;
    private final Set<PodUid> claimants;
    /** How many holds that are not spent a pod backs. */
    private final Map<PodUid, Integer> shares;

    /** What of a backer's room no hold that it backs has taken; absent while none has taken anything. */
    private final Map<PodUid, Resources> rest = new HashMap<>();
    /** What each backer brings to each hold. */
    private final Map<HoldId, Map<PodUid, Resources>> parts = new HashMap<>();

    /**
     * @param claimants the pods that claim a hold which is not spent
     * @param shares how many holds that are not spent a pod backs
     */
    Credits(SortedArray<PodUid, Pod> counting, Set<PodUid> claimants, Map<PodUid, Integer> shares) {
        this.counting = counting;
        this.claimants = claimants;
        this.shares = shares;
    }

    /**
     * Takes from the hold's backers what the hold lacks.
     *
     * @param lacking of the hold's size, what its own claims do not use
     * @param own the pods that claim this hold: their room counts there anyway
     * @return what is taken, in the dimensions of the hold's size
     */
    Resources take(Hold hold, Resources lacking, Set<PodUid> own) {
        Resources missing = lacking;
        for (PodUid backer : inOrder(hold)) {
            if (!own.contains(backer)) {
                Resources room = roomOf(backer);
                Resources part = room.onlyOf(hold.size()).min(missing);
                rest.put(backer, room.minus(part));
                parts.computeIfAbsent(hold.id(), id -> new HashMap<>()).put(backer, part);
                missing = missing.minus(part);
            }
        }
        return lacking.minus(missing);
    }

    /**
     * The pods that claim no other hold come first: the room of a claimant is also wanted by the hold that it claims. Of
     * these, pods that back this hold alone come before pods whose room other holds want, too.
     */
    private List<PodUid> inOrder(Hold hold) {
        List<PodUid> free = new ArrayList<>();
        List<PodUid> claiming = new ArrayList<>();
        hold.backers().stream()
                .filter(backer -> counting.get(backer).isPresent())
                .sorted(Comparator.<PodUid>comparingInt(backer -> shares.getOrDefault(backer, 0))
                        .thenComparing(Comparator.naturalOrder()))
                .forEach(backer -> (claimants.contains(backer) ? claiming : free).add(backer));
        free.addAll(claiming);
        return free;
    }

    /** What these backers bring to the hold. */
    Resources broughtBy(Set<PodUid> backers, Hold hold) {
        Resources sum = Resources.NONE.onlyOf(hold.size());
        for (Map.Entry<PodUid, Resources> part :
                parts.getOrDefault(hold.id(), Map.of()).entrySet()) {
            sum = backers.contains(part.getKey()) ? sum.plus(part.getValue()) : sum;
        }
        return sum;
    }

    /** What of the pod's room has not been credited to a hold that it backs. */
    Resources roomOf(PodUid pod) {
        Resources left = rest.get(pod);
        return left == null ? requests(counting.get(pod)) : left;
    }

    static Resources requests(Optional<Pod> pod) {
        return pod.map(present -> present.shape().requests().plus(Account.ONE_POD))
                .orElse(Resources.NONE);
    }
}
