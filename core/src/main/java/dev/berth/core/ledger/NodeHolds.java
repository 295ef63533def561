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
 * The holds of one node with their states. Most holds depend on their own claims alone; backers and draws link some of them.
 * {@link HoldAccounting} recomputes the holds that changed and the holds that are linked to them.
 */
final class NodeHolds {
    private final TreeMap<HoldId, Hold> holds = new TreeMap<>();
    /** The holds of nominated pods that have backers, which are the victims. Most nodes have none. */
    private final Map<HoldId, Hold> nominations = new HashMap<>();

    private TrieMap<HoldId, HoldId> ids = TrieMap.empty();
    private final ClaimResolver claimResolver = new ClaimResolver(holds);
    private final HoldAccounting holdAccounting = new HoldAccounting(claimResolver);

    private final TreeMap<HoldId, HoldState> states = new TreeMap<>();
    private final ResourceSum outstanding = new ResourceSum();
    private final NeighbourHolds neighbours = new NeighbourHolds();
    private int withPorts;
    private boolean portsChanged;

    /**
     * The following fields are results for the state of the node. They change only with the holds and not with most pods, so
     * a pod that uses no hold finds them without reading anything else of the holds.
     */
    private Resources heldResources = Resources.NONE;

    private List<HoldId> idList = List.of();
    private List<Hold> neighbourList = List.of();
    private boolean hasDeniedDraws;
    private boolean hasNominations;
    /** Whether no pod claims or backs a hold, and no evidence of a pod names one. */
    private boolean unused;

    /** Whether the states must be recomputed. Most changes of pods do not concern holds. */
    private boolean dirty;

    /** A copy that the caller may change; its states are not computed yet. */
    NodeHolds copyWithout(Removals removals) {
        NodeHolds copy = new NodeHolds();
        for (Hold hold : holds.values()) {
            if (!removals.holds().contains(hold.id())) {
                copy.put(hold);
            }
        }
        claimResolver.copyTo(copy.claimResolver, removals);
        copy.dirty = true;
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
        return idList;
    }

    /** As of the last {@link #recompute}, in the order of their ids. */
    Collection<HoldState> states() {
        return Collections.unmodifiableCollection(states.values());
    }

    /** See {@link NodeState#neighbours}. */
    List<Hold> neighbours() {
        return neighbourList;
    }

    /** As of the last {@link #recompute}, without zeros. */
    Resources outstanding() {
        return heldResources;
    }

    boolean havePorts() {
        return withPorts > 0;
    }

    /** Whether some hold may not draw on its source although the source exists. */
    boolean hasDeniedDraws() {
        return hasDeniedDraws;
    }

    /** The nominations that wait for victims on the node, and the victims. */
    Removals nominationsAwaitingVictims(PackedMap<PodUid, Pod> activePods) {
        if (!hasNominations) {
            return Removals.NONE;
        }
        Set<PodUid> victims = new HashSet<>();
        Set<HoldId> waiting = new HashSet<>();
        for (Hold hold : nominations.values()) {
            for (PodUid backer : hold.backers()) {
                if (activePods.get(backer).isPresent()) {
                    victims.add(backer);
                    waiting.add(hold.id());
                }
            }
        }
        return new Removals(victims, waiting);
    }

    /** See {@link HoldAccounting#brokenDraws}. */
    List<Hold> brokenDraws(Resources free) {
        return holdAccounting.brokenDraws(free);
    }

    void clear() {
        for (HoldId id : List.copyOf(holds.keySet())) {
            remove(id);
        }
        dirty = true;
    }

    void put(Hold hold) {
        remove(hold.id());
        holds.put(hold.id(), hold);
        if (hold.isNomination() && !hold.backers().isEmpty()) {
            nominations.put(hold.id(), hold);
        }
        setIds(ids.with(hold.id(), hold.id()));
        countPorts(hold, 1);
        claimResolver.put(hold);
        holdAccounting.put(hold);
        unused = false;
        dirty = true;
    }

    void remove(HoldId id) {
        @Nullable Hold hold = holds.remove(id);
        if (hold == null) {
            return;
        }
        nominations.remove(id);
        neighbours.remove(id);
        setIds(ids.without(id));
        countPorts(hold, -1);
        claimResolver.remove(hold);
        holdAccounting.remove(hold);
        @Nullable HoldState state = states.remove(id);
        if (state != null) {
            outstanding.subtract(state.outstanding());
        }
        dirty = true;
    }

    private void setIds(TrieMap<HoldId, HoldId> changed) {
        ids = changed;
        idList = changed.isEmpty() ? List.of() : new SortedHoldIds(changed);
    }

    private void countPorts(Hold hold, int delta) {
        if (!hold.ports().isEmpty()) {
            withPorts += delta;
            portsChanged = true;
        }
    }

    /** Whether a hold with ports was added, removed or changed since the last call. */
    boolean pollPortsChanged() {
        boolean changed = portsChanged;
        portsChanged = false;
        return changed;
    }

    /** Replaces the evidence for a claim of the pod. */
    void setEvidence(PodUid pod, ClaimEvidence evidence) {
        if (unused && evidence.isEmpty()) {
            return;
        }
        unused = false;
        claimResolver.setEvidence(pod, evidence);
        dirty |= claimResolver.isDirty();
    }

    /** The claim of the pod, as of the last {@link #recompute}. */
    Optional<Claim> claimBy(PodUid pod) {
        return unused ? Optional.empty() : claimResolver.findByPod(pod);
    }

    /** The holds that the pod backs, in the order of their ids. */
    List<HoldId> holdsBackedBy(PodUid pod) {
        return holdAccounting.holdsBackedBy(pod);
    }

    /** The pod was added, removed or changed. */
    void onPodChanged(PodUid pod) {
        if (unused) {
            return;
        }
        claimResolver.onPodChanged(pod);
        boolean backs = holdAccounting.onPodChanged(pod);
        dirty |= backs || claimResolver.isDirty();
    }

    boolean isDirty() {
        return dirty;
    }

    /**
     * Recomputes what changed.
     *
     * @param activePods the pods that use the node
     * @param finishedPods pods that finished there and may have consumed an allocateOnce hold
     * @return the states that changed
     */
    List<HoldState> recompute(String nodeName, PackedMap<PodUid, Pod> activePods, PackedMap<PodUid, Pod> finishedPods) {
        ClaimResolver.ChangedClaims changedClaims =
                claimResolver.recompute(uid -> activePods.get(uid).or(() -> finishedPods.get(uid)));
        List<HoldState> newStates = new ArrayList<>();
        holdAccounting.recompute(nodeName, holds, changedClaims, activePods).forEach(state -> {
            neighbours.update(state, activePods);
            storeIfChanged(state, newStates);
        });
        dirty = false;
        updateResults();
        return newStates;
    }

    private void updateResults() {
        heldResources = outstanding.total().withoutZeros();
        neighbourList = neighbours.asList();
        hasNominations = !nominations.isEmpty();
        hasDeniedDraws = holdAccounting.hasDeniedDraws();
        unused = claimResolver.isUnused() && !holdAccounting.hasBackers();
    }

    private void storeIfChanged(HoldState state, List<HoldState> newStates) {
        @Nullable HoldState before = states.get(state.hold().id());
        if (!state.equals(before)) {
            states.put(state.hold().id(), state);
            if (before != null) {
                outstanding.subtract(before.outstanding());
            }
            outstanding.add(state.outstanding());
            newStates.add(state);
        }
    }
}
