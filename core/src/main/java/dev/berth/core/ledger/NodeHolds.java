package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.persistent.SortedArray;
import dev.berth.core.persistent.TrieMap;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The holds of one node with what is left of them. Most holds depend on nothing but their own claims, and a change of one
 * of them costs nothing for the others. Holds with backers or draws depend on each other: these, the holds that they draw
 * on and the holds that their backers claim are worked out together, whenever something that concerns holds changed.
 */
final class NodeHolds {
    private final TreeMap<HoldId, Hold> holds = new TreeMap<>();
    private TrieMap<HoldId, HoldId> ids = TrieMap.empty();
    private final Claims claims = new Claims(holds);
    /** The holds that a pod backs. */
    private final Map<PodUid, TreeSet<HoldId>> backed = new HashMap<>();
    /** The holds with backers or a draw. */
    private final Set<HoldId> entangling = new HashSet<>();
    /** What was worked out together the last time. */
    private Set<HoldId> entangled = Set.of();

    private final TreeMap<HoldId, HoldState> states = new TreeMap<>();
    private Resources outstanding = Resources.NONE;
    private int withPorts;
    private int withDraws;

    private final Set<HoldId> changed = new HashSet<>();
    /** Whether something happened since that concerns holds; most pods never do. */
    private boolean unsettled;

    /** A copy that the caller may change; nothing of it is settled. */
    NodeHolds copyWithout(Absence absent) {
        NodeHolds copy = new NodeHolds();
        for (Hold hold : holds.values()) {
            if (!absent.holds().contains(hold.id())) {
                copy.put(hold);
            }
        }
        claims.copyTo(copy.claims, absent);
        copy.unsettled = true;
        return copy;
    }

    boolean isEmpty() {
        return holds.isEmpty();
    }

    /** In the order of their ids. */
    Collection<Hold> all() {
        return Collections.unmodifiableCollection(holds.values());
    }

    /** Their ids, in order. */
    List<HoldId> ids() {
        return ids.isEmpty() ? List.of() : new SortedIds(ids);
    }

    /** As of the last time that they were settled, in the order of their ids. */
    Collection<HoldState> states() {
        return Collections.unmodifiableCollection(states.values());
    }

    Resources outstanding() {
        return outstanding;
    }

    boolean keepPorts() {
        return withPorts > 0;
    }

    boolean hasDraws() {
        return withDraws > 0;
    }

    /**
     * The holds whose draws no longer fit, in the order of their ids.
     *
     * @param free the node's free room
     */
    List<Hold> brokenDraws(Resources free) {
        List<HoldState> concerned = new ArrayList<>(entangled.size());
        for (HoldId id : entangled) {
            @Nullable HoldState state = states.get(id);
            if (state != null) {
                concerned.add(state);
            }
        }
        return Settlement.brokenDraws(concerned, free);
    }

    void clear() {
        for (HoldId id : List.copyOf(holds.keySet())) {
            remove(id);
        }
        unsettled = true;
    }

    void put(Hold hold) {
        remove(hold.id());
        holds.put(hold.id(), hold);
        ids = ids.with(hold.id(), hold.id());
        withPorts += hold.ports().isEmpty() ? 0 : 1;
        withDraws += hold.draw().isPresent() ? 1 : 0;
        hold.backers()
                .forEach(pod ->
                        backed.computeIfAbsent(pod, same -> new TreeSet<>()).add(hold.id()));
        if (!hold.backers().isEmpty() || hold.draw().isPresent()) {
            entangling.add(hold.id());
        }
        claims.put(hold);
        touch(hold.id());
    }

    void remove(HoldId id) {
        @Nullable Hold hold = holds.remove(id);
        if (hold == null) {
            return;
        }
        ids = ids.without(id);
        withPorts -= hold.ports().isEmpty() ? 0 : 1;
        withDraws -= hold.draw().isPresent() ? 1 : 0;
        hold.backers()
                .forEach(pod ->
                        backed.computeIfPresent(pod, (same, its) -> its.remove(id) && its.isEmpty() ? null : its));
        entangling.remove(id);
        claims.remove(hold);
        @Nullable HoldState state = states.remove(id);
        if (state != null) {
            replace(Optional.of(state.outstanding()), Resources.NONE);
        }
        touch(id);
    }

    /** What speaks for a claim of the pod from now on. */
    void evidence(PodUid pod, Evidence evidence) {
        claims.evidence(pod, evidence);
        unsettled |= claims.isDirty();
    }

    /** The claim of the pod that is believed, as of the last time that the holds were settled. */
    Optional<Claim> claimBy(PodUid pod) {
        return claims.by(pod);
    }

    /** The holds that the pod backs, in the order of their ids. */
    List<HoldId> backedBy(PodUid pod) {
        return List.copyOf(backed.getOrDefault(pod, new TreeSet<>()));
    }

    /** The pod came, went or changed. */
    void moved(PodUid pod) {
        claims.moved(pod);
        unsettled |= claims.isDirty() || backed.containsKey(pod);
    }

    private void touch(HoldId id) {
        changed.add(id);
        unsettled = true;
    }

    boolean unsettled() {
        return unsettled;
    }

    /**
     * Works out what changed.
     *
     * @param counting the pods that use the node
     * @param ended pods that ended there and may have spent a hold for once
     * @return the states that are new
     */
    List<HoldState> settle(String nodeName, SortedArray<PodUid, Pod> counting, SortedArray<PodUid, Pod> ended) {
        changed.addAll(claims.settle(uid -> counting.get(uid).or(() -> ended.get(uid))));
        Set<HoldId> together = together();
        Set<HoldId> alone = new TreeSet<>(changed);
        alone.addAll(entangled);
        alone.removeAll(together);
        List<HoldState> news = new ArrayList<>();
        if (!together.isEmpty()) {
            Settlement.of(nodeName, find(together), counting, claimsOf(together))
                    .forEach(state -> take(state, news));
        }
        for (HoldId id : alone) {
            @Nullable Hold hold = holds.get(id);
            if (hold != null) {
                Settlement.of(nodeName, List.of(hold), counting, claims.on(id)).forEach(state -> take(state, news));
            }
        }
        if (outstanding.isCapped()) {
            outstanding = Resources.NONE;
            states.values().forEach(state -> outstanding = outstanding.plus(state.outstanding()));
        }
        entangled = together;
        changed.clear();
        unsettled = false;
        return news;
    }

    private Set<HoldId> together() {
        if (entangling.isEmpty()) {
            return Set.of();
        }
        Set<HoldId> together = new TreeSet<>(entangling);
        for (Hold hold : find(entangling)) {
            hold.draw().ifPresent(draw -> together.add(draw.on()));
        }
        for (PodUid pod : backed.keySet()) {
            claims.by(pod).ifPresent(claim -> together.add(claim.hold()));
        }
        together.retainAll(holds.keySet());
        return together;
    }

    private List<Hold> find(Set<HoldId> wanted) {
        List<Hold> found = new ArrayList<>(wanted.size());
        for (HoldId id : wanted) {
            @Nullable Hold hold = holds.get(id);
            if (hold != null) {
                found.add(hold);
            }
        }
        return found;
    }

    private SortedMap<PodUid, Claim> claimsOf(Set<HoldId> wanted) {
        SortedMap<PodUid, Claim> found = new TreeMap<>();
        wanted.forEach(id -> found.putAll(claims.on(id)));
        return found;
    }

    private void take(HoldState state, List<HoldState> news) {
        @Nullable HoldState before = states.get(state.hold().id());
        if (!state.equals(before)) {
            states.put(state.hold().id(), state);
            replace(Optional.ofNullable(before).map(HoldState::outstanding), state.outstanding());
            news.add(state);
        }
    }

    /** A sum that reached the end of the range is summed again when everything is settled. */
    private void replace(Optional<Resources> before, Resources after) {
        if (!outstanding.isCapped()) {
            outstanding = before.map(outstanding::minus).orElse(outstanding).plus(after);
        }
    }
}
