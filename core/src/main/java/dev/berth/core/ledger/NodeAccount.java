package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.persistent.PackedMap;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.ResourceSum;
import dev.berth.core.resource.Resources;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The pods and holds under one node name. It exists as long as a node of that name or a pod on it does, because pods are often
 * observed before their node. The sums of pods are updated with each pod; {@link NodeHolds} has the holds.
 */
final class NodeAccount {
    private final String name;
    private PackedMap<PodUid, Pod> activePods = PackedMap.keyedBy(Pod::uid);
    /** Finished pods with evidence of a claim: an allocateOnce hold stays consumed. */
    private PackedMap<PodUid, Pod> endedPods = PackedMap.keyedBy(Pod::uid);

    private @Nullable Node node;
    private int slot = -1;
    private long generation;
    private ResourceSum used = new ResourceSum();
    private ResourceSum scoringUsed = new ResourceSum();
    /** Null while the node has no holds and its pods have no evidence of claims, which is so for most nodes. */
    private @Nullable NodeHolds holds;
    /** How many active pods have host ports: where there are none, the pods need not be read. */
    private int podsWithPorts;
    /** As of the last change of a pod or hold with ports. */
    private @Nullable List<HostPort> ports;

    /** Allocatable minus what the holds hold; null after a change of either. */
    private @Nullable Resources unheld;

    private Optional<NodeState> state = Optional.empty();

    NodeAccount(String name) {
        this.name = name;
    }

    String name() {
        return name;
    }

    Optional<Node> node() {
        return Optional.ofNullable(node);
    }

    /** Negative while no node of this name is known. */
    int slot() {
        return slot;
    }

    boolean isEmpty() {
        return node == null && activePods.isEmpty() && endedPods.isEmpty();
    }

    boolean hasHolds() {
        return holds != null && !holds.isEmpty();
    }

    /** In the order of their ids. */
    List<Hold> holds() {
        return holds == null ? List.of() : List.copyOf(holds.all());
    }

    /** The claim of the pod, as of the last {@link #recompute}. */
    Optional<Claim> claimBy(PodUid uid) {
        return holds == null ? Optional.empty() : holds.claimBy(uid);
    }

    /** The holds that the pod backs. */
    List<HoldId> holdsBackedBy(PodUid pod) {
        return holds == null ? List.of() : holds.holdsBackedBy(pod);
    }

    /** The holds' states as of the last {@link #recompute}, in the order of their ids. */
    Collection<HoldState> holdStates() {
        return holds == null ? List.of() : holds.states();
    }

    private NodeHolds holdsOrNew() {
        if (holds == null) {
            holds = new NodeHolds();
        }
        return holds;
    }

    void attachNode(Node newNode, int newSlot, Collection<Hold> itsHolds) {
        node = newNode;
        unheld = null;
        slot = newSlot;
        itsHolds.forEach(this::put);
    }

    void updateNode(Node changed) {
        node = changed;
        unheld = null;
    }

    void detachNode() {
        node = null;
        slot = -1;
        if (holds != null) {
            holds.clear();
        }
    }

    /** A hold of the node was created or changed. */
    void put(Hold hold) {
        holdsOrNew().put(hold);
    }

    void remove(HoldId hold) {
        holdsOrNew().remove(hold);
    }

    /** A copy of the account without these pods and holds. */
    NodeAccount without(Removals removals) {
        NodeAccount copy = new NodeAccount(name);
        copy.activePods = activePods;
        copy.endedPods = endedPods;
        copy.holds = holds == null ? null : holds.copyWithout(removals);
        copy.used = used.copy();
        copy.scoringUsed = scoringUsed.copy();
        copy.podsWithPorts = podsWithPorts;
        copy.node = node;
        copy.slot = slot;
        for (PodUid uid : removals.pods()) {
            copy.endedPods = copy.endedPods.without(uid);
            activePods.get(uid).ifPresent(copy::subtract);
        }
        copy.recompute(generation);
        return copy;
    }

    void add(NodeAssignment nodeAssignment) {
        Pod pod = nodeAssignment.pod();
        if (!nodeAssignment.evidence().isEmpty()) {
            holdsOrNew().setEvidence(pod.uid(), nodeAssignment.evidence());
        }
        if (holds != null) {
            holds.onPodChanged(pod.uid());
        }
        if (!nodeAssignment.isActive()) {
            endedPods = endedPods.with(pod);
            return;
        }
        activePods = activePods.with(pod);
        countPorts(pod, 1);
        used.add(pod.spec().requests());
        used.add(PodSlot.ONE);
        scoringUsed.add(pod.spec().scoringRequests());
    }

    void remove(NodeAssignment nodeAssignment) {
        Pod pod = nodeAssignment.pod();
        if (holds != null) {
            holds.setEvidence(pod.uid(), ClaimEvidence.NONE);
            holds.onPodChanged(pod.uid());
        }
        if (!nodeAssignment.isActive()) {
            endedPods = endedPods.without(pod.uid());
            return;
        }
        subtract(pod);
    }

    private void subtract(Pod pod) {
        activePods = activePods.without(pod.uid());
        countPorts(pod, -1);
        used.subtract(pod.spec().requests());
        used.subtract(PodSlot.ONE);
        scoringUsed.subtract(pod.spec().scoringRequests());
    }

    private void countPorts(Pod pod, int delta) {
        if (!pod.spec().hostPorts().isEmpty()) {
            podsWithPorts += delta;
            ports = null;
        }
    }

    /** See {@link HoldAccounting#brokenDraws}. */
    List<Hold> brokenDraws() {
        if (holds == null || !holds.hasDeniedDraws()) {
            return List.of();
        }
        return holds.brokenDraws(state().map(NodeState::free).orElse(Resources.NONE));
    }

    /**
     * Recomputes the holds after a change. The state of the node is computed at the next {@link #state()}.
     *
     * @return the states of holds that changed
     */
    List<HoldState> recompute(long newGeneration) {
        generation = newGeneration;
        state = Optional.empty();
        if (holds == null || !holds.isDirty()) {
            return List.of();
        }
        unheld = null;
        return holds.recompute(name, activePods, endedPods);
    }

    Optional<NodeState> state() {
        if (state.isEmpty() && node != null) {
            state = Optional.of(stateOf(node));
        }
        return state;
    }

    private NodeState stateOf(Node present) {
        Resources usedNow = used.total().withoutZeros();
        Resources outstanding = holds == null ? Resources.NONE : holds.outstanding();
        if (unheld == null) {
            unheld = present.allocatable().minus(outstanding);
        }
        // No amount is negative, so the result is the same in any order, even at the end of the range.
        Resources free = unheld.minus(usedNow);
        return new NodeState(
                slot,
                generation,
                present,
                usedNow,
                outstanding,
                free,
                shortfall(free),
                scoringUsed.total().withoutZeros(),
                activePods.asList(),
                ports(),
                holds == null ? List.of() : holds.ids(),
                holds == null ? List.of() : holds.neighbours());
    }

    /**
     * What pods use and holds hold beyond what the node has. While preemption victims terminate, resources may be held twice, or
     * a draw or the credit of a victim may hide what is missing. So two moments count: now, without the nominations that wait for
     * the victims, and later, without the victims.
     */
    private Resources shortfall(Resources free) {
        Removals waiting = holds == null ? Removals.NONE : holds.nominationsAwaitingVictims(activePods);
        if (waiting.holds().isEmpty()) {
            Resources nonNegative = free.atLeastZero();
            return nonNegative.equals(free)
                    ? Resources.NONE
                    : nonNegative.minus(free).withoutZeros();
        }
        Resources withoutNominations = shortfallWithout(new Removals(Set.of(), waiting.holds()));
        Resources withoutVictims = shortfallWithout(new Removals(waiting.pods(), Set.of()));
        return withoutNominations.max(withoutVictims).withoutZeros();
    }

    /** What will be free when the victims that nominations wait for have left; now, if none waits. */
    Resources freeWithoutVictims() {
        Removals waiting = holds == null ? Removals.NONE : holds.nominationsAwaitingVictims(activePods);
        NodeAccount later = waiting.pods().isEmpty() ? this : without(new Removals(waiting.pods(), Set.of()));
        return later.state().map(NodeState::free).orElse(Resources.NONE);
    }

    private Resources shortfallWithout(Removals removals) {
        return without(removals).state().map(NodeState::shortfall).orElse(Resources.NONE);
    }

    private List<HostPort> ports() {
        if (podsWithPorts == 0 && (holds == null || !holds.havePorts())) {
            return List.of();
        }
        if (ports == null || (holds != null && holds.pollPortsChanged())) {
            ports = UsedPorts.of(activePods.asList(), holdStates());
        }
        return ports;
    }
}
