package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.persistent.SortedArray;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What the holds of one node keep, worked out from all pods on it. Each pod's room is credited to one hold at most: to
 * the one it claims, else to the first that it backs; else room would be promised twice once the pod is gone.
 */
record Settlement(List<HoldState> states, Resources outstanding) {
    static final Settlement EMPTY = new Settlement(List.of(), Resources.NONE);

    /**
     * @param holds in the order of their ids
     * @param counting the pods that use the node
     * @param claims by pod, those of ended pods among them; of holds that are elsewhere or gone, too
     */
    static Settlement of(
            String nodeName, List<Hold> holds, SortedArray<PodUid, Pod> counting, TreeMap<PodUid, Claim> claims) {
        Map<HoldId, List<Claim>> claimsByHold = new HashMap<>();
        for (Hold hold : holds) {
            claimsByHold.put(hold.id(), new ArrayList<>());
        }
        for (Claim claim : claims.values()) {
            List<Claim> known = claimsByHold.get(claim.hold());
            if (known != null) {
                known.add(claim);
            }
        }
        Set<PodUid> credited = new HashSet<>();
        for (Hold hold : holds) {
            List<Claim> valid = valid(hold, claimsByHold.getOrDefault(hold.id(), List.of()), counting);
            claimsByHold.put(hold.id(), valid);
            if (!isSpent(hold, valid)) {
                valid.forEach(claim -> credited.add(claim.pod()));
            }
        }
        List<HoldState> states = new ArrayList<>(holds.size());
        Resources outstanding = Resources.NONE;
        for (Hold hold : holds) {
            HoldState state =
                    state(nodeName, hold, claimsByHold.getOrDefault(hold.id(), List.of()), counting, credited);
            states.add(state);
            outstanding = outstanding.plus(state.outstanding());
        }
        return new Settlement(List.copyOf(states), outstanding);
    }

    boolean keepsPorts() {
        for (HoldState state : states) {
            if (!state.hold().ports().isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Of a hold for once the first claim alone, be its pod at an end; of a shared one those that still use the node. */
    private static List<Claim> valid(Hold hold, List<Claim> claims, SortedArray<PodUid, Pod> counting) {
        return hold.once()
                ? claims.stream().sorted().limit(1).toList()
                : claims.stream()
                        .filter(claim -> counting.get(claim.pod()).isPresent())
                        .sorted()
                        .toList();
    }

    private static boolean isSpent(Hold hold, List<Claim> valid) {
        return hold.once() && !valid.isEmpty() && valid.get(0).confirmed();
    }

    private static HoldState state(
            String nodeName, Hold hold, List<Claim> claims, SortedArray<PodUid, Pod> counting, Set<PodUid> credited) {
        Resources allocated = Resources.NONE.onlyOf(hold.size());
        for (Claim claim : claims) {
            allocated = allocated.plus(requests(counting.get(claim.pod())).onlyOf(hold.size()));
        }
        Resources left = Resources.NONE.onlyOf(hold.size());
        if (!isSpent(hold, claims)) {
            left = hold.size().minus(allocated);
            for (PodUid backer : hold.backers()) {
                Optional<Pod> pod = counting.get(backer);
                if (pod.isPresent() && credited.add(backer)) {
                    left = left.minus(requests(pod).onlyOf(hold.size()));
                }
            }
        }
        return new HoldState(hold, Optional.of(nodeName), left.atLeastZero(), allocated, claims);
    }

    private static Resources requests(Optional<Pod> pod) {
        return pod.map(present -> present.shape().requests().plus(Account.ONE_POD))
                .orElse(Resources.NONE);
    }
}
