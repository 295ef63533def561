package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.persistent.PackedMap;
import dev.berth.core.persistent.TrieMap;
import dev.berth.core.resource.ResourceSum;
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
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The holds of one node with what is left of them. Most holds depend on nothing but their own claims; backers and draws
 * link some of them. {@link Settlement} works out what changed, and what is linked with it.
 */
final class NodeHolds {
    private final TreeMap<HoldId, Hold> holds = new TreeMap<>();
    /** The nominations among them that have backers; mostly none. */
    private final Map<HoldId, Hold> nominations = new HashMap<>();

    private TrieMap<HoldId, HoldId> ids = TrieMap.empty();
    private final Claims claims = new Claims(holds);
    private final Settlement settlement = new Settlement(claims);

    private final TreeMap<HoldId, HoldState> states = new TreeMap<>();
    private final ResourceSum outstanding = new ResourceSum();
    private int withPorts;
    private boolean portsChanged;

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
        return outstanding.total();
    }

    boolean keepPorts() {
        return withPorts > 0;
    }

    /** Whether some hold may not draw although the hold that it would draw on is there: mostly none. */
    boolean hasUndrawn() {
        return settlement.hasUndrawn();
    }

    /** The nominations that wait for victims on the node, and these victims. */
    Absence waiting(PackedMap<PodUid, Pod> counting) {
        if (nominations.isEmpty()) {
            return Absence.NONE;
        }
        Set<PodUid> victims = new HashSet<>();
        Set<HoldId> waiting = new HashSet<>();
        for (Hold hold : nominations.values()) {
            for (PodUid backer : hold.backers()) {
                if (counting.get(backer).isPresent()) {
                    victims.add(backer);
                    waiting.add(hold.id());
                }
            }
        }
        return new Absence(victims, waiting);
    }

    /** Whether a nomination that may wait for victims draws on another hold: the sums may be too small until they leave. */
    boolean hasDrawingNomination() {
        return !nominations.isEmpty()
                && nominations.values().stream().anyMatch(hold -> hold.draw().isPresent());
    }

    /** See {@link Settlement#brokenDraws}. */
    List<Hold> brokenDraws(Resources free) {
        return settlement.brokenDraws(free);
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
        if (hold.isNomination() && !hold.backers().isEmpty()) {
            nominations.put(hold.id(), hold);
        }
        ids = ids.with(hold.id(), hold.id());
        countPorts(hold, 1);
        claims.put(hold);
        settlement.put(hold);
        unsettled = true;
    }

    void remove(HoldId id) {
        @Nullable Hold hold = holds.remove(id);
        if (hold == null) {
            return;
        }
        nominations.remove(id);
        ids = ids.without(id);
        countPorts(hold, -1);
        claims.remove(hold);
        settlement.remove(hold);
        @Nullable HoldState state = states.remove(id);
        if (state != null) {
            outstanding.subtract(state.outstanding());
        }
        unsettled = true;
    }

    private void countPorts(Hold hold, int delta) {
        if (!hold.ports().isEmpty()) {
            withPorts += delta;
            portsChanged = true;
        }
    }

    /** Whether a hold with ports came, went or changed since the last time that this was asked. */
    boolean takePortsChanged() {
        boolean changed = portsChanged;
        portsChanged = false;
        return changed;
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
        return settlement.backedBy(pod);
    }

    /** The pod came, went or changed. */
    void moved(PodUid pod) {
        claims.moved(pod);
        boolean backs = settlement.moved(pod);
        unsettled |= backs || claims.isDirty();
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
    List<HoldState> settle(String nodeName, PackedMap<PodUid, Pod> counting, PackedMap<PodUid, Pod> ended) {
        Claims.News news = claims.settle(uid -> counting.get(uid).or(() -> ended.get(uid)));
        List<HoldState> newStates = new ArrayList<>();
        settlement.settle(nodeName, holds, news, counting).forEach(state -> take(state, newStates));
        unsettled = false;
        return newStates;
    }

    private void take(HoldState state, List<HoldState> news) {
        @Nullable HoldState before = states.get(state.hold().id());
        if (!state.equals(before)) {
            states.put(state.hold().id(), state);
            if (before != null) {
                outstanding.subtract(before.outstanding());
            }
            outstanding.add(state.outstanding());
            news.add(state);
        }
    }
}
