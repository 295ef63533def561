package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState.Draws;
import dev.berth.core.persistent.SortedArray;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What the holds of one node keep, worked out from all pods on it: outstanding(h) = max(0, size − claims − backers −
 * draws). {@link Credits} says which pod's room counts towards which hold, {@link Drawing} what holds draw on each other.
 */
final class Settlement {
    private Settlement() {}

    /** A hold on its way to its state. */
    private static final class Entry {
        private final Hold hold;
        private final List<Claim> claims;
        /** What its backers bring. */
        private Resources backed;
        /** What its claims that stay leave of it; known once all backers are credited. */
        private Resources left;

        private Entry(Hold hold, List<Claim> claims) {
            this.hold = hold;
            this.claims = claims;
            this.backed = Resources.NONE.onlyOf(hold.size());
            this.left = hold.size();
        }

        private boolean isSpent() {
            return hold.once() && !claims.isEmpty() && claims.get(0).confirmed();
        }

        /** Whether it is for once and a pod has it that is not about to leave it to the drawing hold. */
        private boolean isTakenFrom(Hold drawing) {
            return isSpent()
                    || (hold.once()
                            && claims.stream()
                                    .anyMatch(claim -> !drawing.backers().contains(claim.pod())));
        }

        private Set<PodUid> claimants() {
            Set<PodUid> pods = new HashSet<>();
            claims.forEach(claim -> pods.add(claim.pod()));
            return pods;
        }
    }

    /**
     * @param holds in the order of their ids
     * @param counting the pods that use the node
     * @param claims that are believed, by pod, those of ended pods among them
     */
    static List<HoldState> of(
            String nodeName, List<Hold> holds, SortedArray<PodUid, Pod> counting, SortedMap<PodUid, Claim> claims) {
        Map<HoldId, Entry> entries = entries(holds, counting, claims);
        Credits credits = credits(holds, entries, counting);
        entries.values().forEach(entry -> entry.left = left(entry, credits));
        Drawing drawing = drawing(holds, entries, credits);
        List<HoldState> states = new ArrayList<>(holds.size());
        for (Hold hold : holds) {
            Entry entry = find(entries, hold.id());
            Draws draws = drawing.draws(hold.id());
            Resources allocated = Resources.NONE.onlyOf(hold.size());
            for (Claim claim : entry.claims) {
                allocated = allocated.plus(
                        Credits.requests(counting.get(claim.pod())).onlyOf(hold.size()));
            }
            Resources left = entry.isSpent()
                    ? Resources.NONE.onlyOf(hold.size())
                    : entry.left.minus(entry.backed).minus(draws.given());
            states.add(new HoldState(hold, Optional.of(nodeName), left.atLeastZero(), allocated, entry.claims, draws));
        }
        return states;
    }

    private static Map<HoldId, Entry> entries(
            List<Hold> holds, SortedArray<PodUid, Pod> counting, SortedMap<PodUid, Claim> claims) {
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
        Map<HoldId, Entry> entries = new HashMap<>();
        for (Hold hold : holds) {
            List<Claim> valid = valid(hold, claimsByHold.getOrDefault(hold.id(), List.of()), counting);
            entries.put(hold.id(), new Entry(hold, valid));
        }
        return entries;
    }

    private static Credits credits(List<Hold> holds, Map<HoldId, Entry> entries, SortedArray<PodUid, Pod> counting) {
        Set<PodUid> claimants = new HashSet<>();
        Map<PodUid, Integer> shares = new HashMap<>();
        for (Entry entry : entries.values()) {
            if (!entry.isSpent()) {
                entry.claims.forEach(claim -> claimants.add(claim.pod()));
                entry.hold.backers().forEach(backer -> shares.merge(backer, 1, Integer::sum));
            }
        }
        Credits credits = new Credits(counting, claimants, shares);
        for (Hold hold : holds) {
            Entry entry = find(entries, hold.id());
            if (!hold.backers().isEmpty() && !entry.isSpent()) {
                Resources lacking = left(entry, credits).atLeastZero();
                entry.backed = credits.take(hold, lacking, entry.claimants());
            }
        }
        return credits;
    }

    private static Drawing drawing(List<Hold> holds, Map<HoldId, Entry> entries, Credits credits) {
        Drawing drawing = new Drawing();
        for (Hold hold : holds) {
            Optional<Draw> draw = hold.draw();
            @Nullable Entry source = draw.map(known -> entries.get(known.on())).orElse(null);
            Entry entry = find(entries, hold.id());
            if (draw.isPresent() && source != null && !entry.isSpent()) {
                Resources wanted = hold.size().minus(entry.backed).plus(credits.broughtBy(source.claimants(), hold));
                drawing.draw(
                        hold,
                        draw.get(),
                        wanted,
                        new Drawing.Source(source.hold, source.isTakenFrom(hold), source.left));
            }
        }
        return drawing;
    }

    private static Entry find(Map<HoldId, Entry> entries, HoldId id) {
        @Nullable Entry entry = entries.get(id);
        if (entry == null) {
            throw new IllegalStateException("hold (%s) is not on this node".formatted(id));
        }
        return entry;
    }

    /** The hold's size without what its claims use, as far as their room is not credited to a hold that they back. */
    private static Resources left(Entry entry, Credits credits) {
        Resources left = entry.hold.size();
        for (Claim claim : entry.claims) {
            left = left.minus(credits.roomOf(claim.pod()).onlyOf(entry.hold.size()));
        }
        return left;
    }

    /**
     * The holds that can no longer draw on the hold that they were part of, and that the node has no room for beside it, in
     * the order of the states. One that draws only a part is not among them: what it lacks it had from the node.
     *
     * @param states of the holds that draw and of those that they draw on
     * @param free the node's free room
     */
    static List<Hold> brokenDraws(Collection<HoldState> states, Resources free) {
        if (free.atLeastZero().equals(free)) {
            return List.of();
        }
        Map<HoldId, Hold> byId = new HashMap<>();
        states.forEach(state -> byId.put(state.hold().id(), state.hold()));
        List<Hold> broken = new ArrayList<>();
        for (HoldState state : states) {
            @Nullable
            Hold source = state.hold().draw().map(draw -> byId.get(draw.on())).orElse(null);
            if (source != null && !state.spent() && state.draws().on().isEmpty() && lacks(state, source, free)) {
                broken.add(state.hold());
            }
        }
        return broken;
    }

    private static boolean lacks(HoldState state, Hold source, Resources free) {
        Resources could = state.hold().size().min(source.size());
        for (int i = 0; i < could.size(); i++) {
            ResourceName name = could.nameAt(i);
            if (free.get(name) < 0 && could.amountAt(i) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Of a hold for once all of them, those of ended pods too; of a shared one those that still use the node. */
    private static List<Claim> valid(Hold hold, List<Claim> claims, SortedArray<PodUid, Pod> counting) {
        return hold.once()
                ? claims.stream().sorted().toList()
                : claims.stream()
                        .filter(claim -> counting.get(claim.pod()).isPresent())
                        .sorted()
                        .toList();
    }
}
