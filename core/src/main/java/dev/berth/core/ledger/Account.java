package dev.berth.core.ledger;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.persistent.SortedArray;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All that is booked under one node name. It exists as long as a node of that name or a pod on it does, because pods
 * are often heard of before their node. Sums of pods are kept as they come and go; what concerns holds is settled anew
 * from all that is on the node, which is little.
 */
final class Account {
    static final Resources ONE_POD = Resources.of(ResourceName.PODS, 1);

    private final String name;
    private SortedArray<PodUid, Pod> counting = SortedArray.by(Pod::uid);
    /** Pods that ended but carry the record of a claim: a hold for once stays spent. */
    private SortedArray<PodUid, Pod> ended = SortedArray.by(Pod::uid);
    /** What the pods above say they use: holds that are elsewhere or gone, too. */
    private final TreeMap<PodUid, Claim> claims = new TreeMap<>();

    private @Nullable Node node;
    private int slot = -1;
    private long generation;
    private Resources used = Resources.NONE;
    private Resources scoringUsed = Resources.NONE;
    private List<Hold> holds = List.of();
    private List<HoldId> holdIds = List.of();
    /** How many of the counting pods want ports: mostly none, and then nobody need ask each for its ports. */
    private int podsWithPorts;

    private Settlement settlement = Settlement.EMPTY;
    /** Whether something happened since that concerns holds; most pods never do. */
    private boolean unsettled;

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
        return !holds.isEmpty();
    }

    List<Hold> holds() {
        return holds;
    }

    /** The holds' states as of the last {@link #touch}, in the order of their ids. */
    List<HoldState> holdStates() {
        return settlement.states();
    }

    void open(Node newNode, int newSlot, List<Hold> itsHolds) {
        node = newNode;
        slot = newSlot;
        holds(itsHolds);
    }

    void replace(Node changed) {
        node = changed;
    }

    void close() {
        node = null;
        slot = -1;
        holds(List.of());
    }

    void holds(List<Hold> changed) {
        holds = changed;
        holdIds = changed.stream().map(Hold::id).toList();
        unsettled = true;
    }

    /** What would be if these pods and holds were not there; the account itself stays as it is. */
    Account without(Absence absent) {
        Account copy = new Account(name);
        copy.counting = counting;
        copy.ended = ended;
        copy.claims.putAll(claims);
        copy.used = used;
        copy.scoringUsed = scoringUsed;
        copy.podsWithPorts = podsWithPorts;
        copy.node = node;
        copy.slot = slot;
        copy.holds(holds.stream()
                .filter(hold -> !absent.holds().contains(hold.id()))
                .toList());
        for (PodUid uid : absent.pods()) {
            copy.claims.remove(uid);
            counting.get(uid).ifPresent(copy::discount);
        }
        copy.touch(generation);
        return copy;
    }

    void add(Booking booking) {
        Pod pod = booking.pod();
        unsettled |= concernsHolds(booking);
        booking.claim().ifPresent(claim -> claims.put(pod.uid(), claim));
        if (!booking.counts()) {
            ended = ended.with(pod);
            return;
        }
        counting = counting.with(pod);
        podsWithPorts += pod.shape().hostPorts().isEmpty() ? 0 : 1;
        used = used.plus(pod.shape().requests()).plus(ONE_POD);
        scoringUsed = scoringUsed.plus(pod.shape().scoringRequests());
    }

    void remove(Booking booking) {
        Pod pod = booking.pod();
        unsettled |= concernsHolds(booking);
        claims.remove(pod.uid());
        if (!booking.counts()) {
            ended = ended.without(pod.uid());
            return;
        }
        discount(pod);
    }

    private void discount(Pod pod) {
        counting = counting.without(pod.uid());
        podsWithPorts -= pod.shape().hostPorts().isEmpty() ? 0 : 1;
        if (used.isCapped() || scoringUsed.isCapped()) {
            sumAnew();
            return;
        }
        used = used.minus(pod.shape().requests()).minus(ONE_POD);
        scoringUsed = scoringUsed.minus(pod.shape().scoringRequests());
    }

    /**
     * The holds whose draws no longer fit: the hold that they draw on gives less than it could, and the node is
     * over-committed in what is missing.
     */
    List<Hold> brokenDraws() {
        if (!settlement.hasDraws()) {
            return List.of();
        }
        Resources free = state().map(NodeState::free).orElse(Resources.NONE);
        return settlement.brokenDraws(free);
    }

    /** Something changed: what was derived from it no longer holds. Says whether the holds' states are new, too. */
    boolean touch(long newGeneration) {
        generation = newGeneration;
        state = Optional.empty();
        if (!unsettled) {
            return false;
        }
        unsettled = false;
        settlement = holds.isEmpty() ? Settlement.EMPTY : Settlement.of(name, holds, counting, claims);
        return true;
    }

    Optional<NodeState> state() {
        if (state.isEmpty() && node != null) {
            state = Optional.of(stateOf(node));
        }
        return state;
    }

    private boolean concernsHolds(Booking booking) {
        if (booking.claim().isPresent()) {
            return true;
        }
        for (Hold hold : holds) {
            if (hold.backers().contains(booking.pod().uid())) {
                return true;
            }
        }
        return false;
    }

    private NodeState stateOf(Node present) {
        Resources nowUsed = used.withoutZeros();
        Resources outstanding = settlement.outstanding().withoutZeros();
        return new NodeState(
                slot,
                generation,
                present,
                nowUsed,
                outstanding,
                present.allocatable().minus(nowUsed).minus(outstanding),
                scoringUsed.withoutZeros(),
                counting.asList(),
                ports(),
                holdIds);
    }

    private List<HostPort> ports() {
        if (podsWithPorts == 0 && !settlement.keepsPorts()) {
            return List.of();
        }
        TreeSet<HostPort> ports = new TreeSet<>();
        for (Pod pod : counting.asList()) {
            ports.addAll(pod.shape().hostPorts());
        }
        for (HoldState holdState : settlement.states()) {
            if (!holdState.spent()) {
                ports.addAll(holdState.hold().ports());
            }
        }
        return List.copyOf(ports);
    }

    private void sumAnew() {
        used = Resources.NONE;
        scoringUsed = Resources.NONE;
        for (Pod pod : counting.asList()) {
            used = used.plus(pod.shape().requests()).plus(ONE_POD);
            scoringUsed = scoringUsed.plus(pod.shape().scoringRequests());
        }
    }
}
