package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.persistent.PackedMap;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.ResourceSum;
import dev.berth.core.resource.Resources;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that is booked under one node name. It exists as long as a node of that name or a pod on it does, because pods
 * are often heard of before their node. Sums of pods are kept as they come and go; what concerns holds is with
 * {@link NodeHolds}.
 */
final class Account {
    static final Resources ONE_POD = Resources.of(ResourceName.PODS, 1);

    private final String name;
    private PackedMap<PodUid, Pod> counting = PackedMap.by(Pod::uid);
    /** Pods that ended but carry the record of a claim: a hold for once stays spent. */
    private PackedMap<PodUid, Pod> ended = PackedMap.by(Pod::uid);

    private @Nullable Node node;
    private int slot = -1;
    private long generation;
    private ResourceSum used = new ResourceSum();
    private ResourceSum scoringUsed = new ResourceSum();
    /** With what the pods above say they use. Most nodes have none of either. */
    private @Nullable NodeHolds holds;
    /** How many of the counting pods want ports: mostly none, and then nobody need ask each for its ports. */
    private int podsWithPorts;
    /** As of the last change of a pod or hold that has any. */
    private @Nullable List<HostPort> ports;

    private Optional<NodeState> state = Optional.empty();

    Account(String name) {
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
        return node == null && counting.isEmpty() && ended.isEmpty();
    }

    boolean hasHolds() {
        return holds != null && !holds.isEmpty();
    }

    /** In the order of their ids. */
    List<Hold> holds() {
        return holds == null ? List.of() : List.copyOf(holds.all());
    }

    /** The claim of the pod that is believed, as of the last {@link #touch}. */
    Optional<Claim> claimBy(PodUid uid) {
        return holds == null ? Optional.empty() : holds.claimBy(uid);
    }

    /** The holds that the pod backs. */
    List<HoldId> backedBy(PodUid pod) {
        return holds == null ? List.of() : holds.backedBy(pod);
    }

    /** The holds' states as of the last {@link #touch}, in the order of their ids. */
    Collection<HoldState> holdStates() {
        return holds == null ? List.of() : holds.states();
    }

    private NodeHolds keptHolds() {
        if (holds == null) {
            holds = new NodeHolds();
        }
        return holds;
    }

    void open(Node newNode, int newSlot, Collection<Hold> itsHolds) {
        node = newNode;
        slot = newSlot;
        itsHolds.forEach(this::put);
    }

    void replace(Node changed) {
        node = changed;
    }

    void close() {
        node = null;
        slot = -1;
        if (holds != null) {
            holds.clear();
        }
    }

    /** A hold of the node appeared or changed. */
    void put(Hold hold) {
        keptHolds().put(hold);
    }

    void remove(HoldId hold) {
        keptHolds().remove(hold);
    }

    /** What would be if these pods and holds were not there; the account itself stays as it is. */
    Account without(Absence absent) {
        Account copy = new Account(name);
        copy.counting = counting;
        copy.ended = ended;
        copy.holds = holds == null ? null : holds.copyWithout(absent);
        copy.used = used.copy();
        copy.scoringUsed = scoringUsed.copy();
        copy.podsWithPorts = podsWithPorts;
        copy.node = node;
        copy.slot = slot;
        for (PodUid uid : absent.pods()) {
            copy.ended = copy.ended.without(uid);
            counting.get(uid).ifPresent(copy::discount);
        }
        copy.touch(generation);
        return copy;
    }

    void add(Booking booking) {
        Pod pod = booking.pod();
        if (!booking.evidence().isEmpty()) {
            keptHolds().evidence(pod.uid(), booking.evidence());
        }
        if (holds != null) {
            holds.moved(pod.uid());
        }
        if (!booking.counts()) {
            ended = ended.with(pod);
            return;
        }
        counting = counting.with(pod);
        countPorts(pod, 1);
        used.add(pod.shape().requests());
        used.add(ONE_POD);
        scoringUsed.add(pod.shape().scoringRequests());
    }

    void remove(Booking booking) {
        Pod pod = booking.pod();
        if (holds != null) {
            holds.evidence(pod.uid(), Evidence.NONE);
            holds.moved(pod.uid());
        }
        if (!booking.counts()) {
            ended = ended.without(pod.uid());
            return;
        }
        discount(pod);
    }

    private void discount(Pod pod) {
        counting = counting.without(pod.uid());
        countPorts(pod, -1);
        used.subtract(pod.shape().requests());
        used.subtract(ONE_POD);
        scoringUsed.subtract(pod.shape().scoringRequests());
    }

    private void countPorts(Pod pod, int delta) {
        if (!pod.shape().hostPorts().isEmpty()) {
            podsWithPorts += delta;
            ports = null;
        }
    }

    /** See {@link Settlement#brokenDraws}. */
    List<Hold> brokenDraws() {
        if (holds == null || !holds.hasUndrawn()) {
            return List.of();
        }
        return holds.brokenDraws(state().map(NodeState::free).orElse(Resources.NONE));
    }

    /**
     * Something changed: what was derived from it no longer holds.
     *
     * @return the states of holds that are new because of that
     */
    List<HoldState> touch(long newGeneration) {
        generation = newGeneration;
        state = Optional.empty();
        return holds != null && holds.unsettled() ? holds.settle(name, counting, ended) : List.of();
    }

    Optional<NodeState> state() {
        if (state.isEmpty() && node != null) {
            state = Optional.of(stateOf(node));
        }
        return state;
    }

    private NodeState stateOf(Node present) {
        Resources nowUsed = used.total().withoutZeros();
        Resources outstanding =
                holds == null ? Resources.NONE : holds.outstanding().withoutZeros();
        Resources free = present.allocatable().minus(nowUsed).minus(outstanding);
        return new NodeState(
                slot,
                generation,
                present,
                nowUsed,
                outstanding,
                free,
                missing(free),
                scoringUsed.total().withoutZeros(),
                counting.asList(),
                ports(),
                holds == null ? List.of() : holds.ids());
    }

    /**
     * What pods use and holds keep beyond what there is. While victims of preemption leave, room may be kept twice, or a draw
     * may hide what is missing. So two moments count: now, without the nominations that wait for the victims, and later,
     * without the victims.
     */
    private Resources missing(Resources free) {
        Resources there = free.atLeastZero();
        if (there.equals(free) && (holds == null || !holds.hasDrawingNomination())) {
            return Resources.NONE;
        }
        Absence waiting = holds == null ? Absence.NONE : holds.waiting(counting);
        if (waiting.holds().isEmpty()) {
            return there.minus(free).withoutZeros();
        }
        Resources withoutNominations = missingWithout(new Absence(Set.of(), waiting.holds()));
        Resources withoutVictims = missingWithout(new Absence(waiting.pods(), Set.of()));
        return withoutNominations.max(withoutVictims).withoutZeros();
    }

    private Resources missingWithout(Absence absent) {
        return without(absent).state().map(NodeState::missing).orElse(Resources.NONE);
    }

    private List<HostPort> ports() {
        if (podsWithPorts == 0 && (holds == null || !holds.keepPorts())) {
            return List.of();
        }
        if (ports == null || (holds != null && holds.takePortsChanged())) {
            ports = TakenPorts.of(counting.asList(), holdStates());
        }
        return ports;
    }
}
