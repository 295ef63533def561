package dev.berth.core.invariant;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Overcommitment;
import dev.berth.core.ledger.Removals;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The invariants of every ledger, checked on a snapshot by any thread. A violation is a bug of Berth, or a hold that a
 * door should not have put. The check reports it and changes nothing.
 */
public final class Invariants {
    public enum Rule {
        AMOUNTS_ADD_UP,
        OVERCOMMITMENT_IS_MARKED,
        ONE_PLACE_PER_POD,
        ALLOCATE_ONCE_HAS_ONE_CLAIM,
        HOLDS_HAVE_OWNERS,
        HOLDS_HAVE_AN_END,
        ROOM_IS_HELD_ONCE,
        ROOM_IS_PROMISED_ONCE,
        DRAWS_ARE_IN_ORDER,
        DEVICES_ARE_KEPT_ONCE,
        DEVICES_ARE_USED_ONCE,
        GENERATIONS_GROW,
        EQUAL_WHEN_REBUILT
    }

    /** A violated rule, and where it is violated. */
    public record Violation(Rule rule, String message) {}

    private final List<Violation> found = new ArrayList<>();

    private Invariants() {}

    /** Checks all rules on one snapshot, except {@link #checkRebuilt}. The cost is O(everything). */
    public static List<Violation> check(Snapshot snapshot) {
        Invariants invariants = new Invariants();
        Map<PodUid, String> places = new HashMap<>();
        Map<String, Pod> users = new HashMap<>();
        snapshot.forEachNode(state -> {
            invariants.checkAmounts(snapshot, state);
            invariants.checkOvercommitment(snapshot, state);
            invariants.checkPlaces(snapshot, state, places);
            invariants.checkDevices(snapshot, state);
            invariants.checkDeviceUsers(snapshot, state, users);
        });
        snapshot.forEachHold(state -> invariants.checkHold(snapshot, state));
        return List.copyOf(invariants.found);
    }

    /** Checks rules about two snapshots of one ledger, the earlier one first. */
    public static List<Violation> checkTransition(Snapshot before, Snapshot after) {
        Invariants invariants = new Invariants();
        if (after.generation() < before.generation() || after.version() < before.version()) {
            invariants.add(
                    Rule.GENERATIONS_GROW,
                    "generation went from %d to %d, version from %d to %d"
                            .formatted(before.generation(), after.generation(), before.version(), after.version()));
        }
        after.forEachNode(state -> before.node(state.node().name())
                .filter(older -> older.generation() > state.generation())
                .ifPresent(older -> invariants.add(
                        Rule.GENERATIONS_GROW,
                        "node (%s): generation went from %d to %d"
                                .formatted(state.node().name(), older.generation(), state.generation()))));
        return List.copyOf(invariants.found);
    }

    /**
     * Checks that Berth promised no more resources than there were. A single snapshot does not show this: another
     * scheduler may bind a pod to a full node, and a node may shrink.
     *
     * <p>A nomination promises the resources of its victims. So the sums must be right without the nominations that
     * wait for victims. They must also be right with them once the victims have terminated.
     *
     * @param excused the resources of the node that may be missing for such reasons
     */
    public static List<Violation> checkPromises(Snapshot snapshot, Function<NodeState, Resources> excused) {
        Invariants invariants = new Invariants();
        snapshot.forEachNode(
                state -> moments(snapshot, state).forEach(moment -> invariants.checkMoment(moment, excused)));
        return List.copyOf(invariants.found);
    }

    /**
     * A state of the node at which the sums are exact.
     *
     * @param when describes the state for the message
     */
    private record Moment(NodeState state, String when) {}

    /**
     * The present state. If nominations wait for victims: the present without them, and the state after the victims
     * have terminated.
     */
    private static List<Moment> moments(Snapshot snapshot, NodeState state) {
        Set<PodUid> activePods = state.pods().stream().map(Pod::uid).collect(Collectors.toSet());
        Set<HoldId> waiting = new HashSet<>();
        Set<PodUid> victims = new HashSet<>();
        for (HoldId id : state.holds()) {
            Optional<Hold> nomination = snapshot.hold(id).filter(Hold::isNomination);
            for (PodUid backer : nomination.map(Hold::backers).orElse(Set.of())) {
                if (activePods.contains(backer)) {
                    waiting.add(id);
                    victims.add(backer);
                }
            }
        }
        if (waiting.isEmpty()) {
            return List.of(new Moment(state, ""));
        }
        Ledger ledger = Ledger.of(snapshot.facts());
        return List.of(
                new Moment(
                        stateWithout(ledger, state, new Removals(Set.of(), waiting)),
                        " without nominations that wait for victims"),
                new Moment(
                        stateWithout(ledger, state, new Removals(victims, Set.of())),
                        " when the victims %s have left".formatted(victims)));
    }

    private static NodeState stateWithout(Ledger ledger, NodeState state, Removals removals) {
        String node = state.node().name();
        return ledger.simulateWithout(node, removals)
                .flatMap(view -> view.node(node))
                .orElseThrow();
    }

    private void checkMoment(Moment moment, Function<NodeState, Resources> excused) {
        NodeState state = moment.state();
        Resources missing = excused.apply(state);
        for (int i = 0; i < state.free().size(); i++) {
            ResourceName name = state.free().nameAt(i);
            long free = state.free().amountAt(i);
            if (free < 0 && free + missing.get(name) < 0) {
                add(
                        Rule.ROOM_IS_PROMISED_ONCE,
                        "node (%s): free %s is %d with the holds %s%s, and %d are excused"
                                .formatted(
                                        state.node().name(),
                                        name,
                                        free,
                                        state.holds(),
                                        moment.when(),
                                        missing.get(name)));
            }
        }
    }

    /** Checks that a ledger rebuilt from the same facts is equal. Costs as much as rebuilding. */
    public static List<Violation> checkRebuilt(Snapshot snapshot) {
        return SnapshotDifferences.between(snapshot, Ledger.of(snapshot.facts()).snapshot()).stream()
                .map(message -> new Violation(Rule.EQUAL_WHEN_REBUILT, message))
                .toList();
    }

    private void checkAmounts(Snapshot snapshot, NodeState state) {
        Resources used = Resources.NONE;
        Resources scoring = Resources.NONE;
        for (Pod pod : state.pods()) {
            used = used.plus(PodSlot.addTo(pod.spec().requests()));
            scoring = scoring.plus(pod.spec().scoringRequests());
        }
        Resources outstanding = Resources.NONE;
        for (HoldId id : state.holds()) {
            outstanding = outstanding.plus(
                    snapshot.holdState(id).map(HoldState::outstanding).orElse(Resources.NONE));
        }
        Resources free = state.node().allocatable().minus(used).minus(outstanding);
        checkSum(state, "used", used, state.used());
        checkSum(state, "scoring", scoring, state.scoringUsed());
        checkSum(state, "outstanding", outstanding, state.outstanding());
        checkSum(state, "free", free, state.free());
    }

    private void checkSum(NodeState state, String what, Resources expected, Resources actual) {
        if (!expected.equals(actual)) {
            add(
                    Rule.AMOUNTS_ADD_UP,
                    "node (%s): %s is (%s) and should be (%s)"
                            .formatted(state.node().name(), what, actual, expected));
        }
    }

    /** A node is over-committed if resources are missing in one of the states at which the sums are exact. */
    private void checkOvercommitment(Snapshot snapshot, NodeState state) {
        Resources missing = Resources.NONE;
        for (Moment moment : moments(snapshot, state)) {
            Resources free = moment.state().free();
            missing = missing.max(free.atLeastZero().minus(free));
        }
        List<ResourceName> marked =
                state.overcommitments().stream().map(Overcommitment::resource).toList();
        if (!missing.equals(state.shortfall())
                || !marked.equals(List.copyOf(missing.withoutZeros().toMap().keySet()))) {
            add(
                    Rule.OVERCOMMITMENT_IS_MARKED,
                    "node (%s): (%s) are missing; (%s) are said to be missing, and marked as over-committed are %s"
                            .formatted(state.node().name(), missing.withoutZeros(), state.shortfall(), marked));
        }
    }

    private void checkPlaces(Snapshot snapshot, NodeState state, Map<PodUid, String> places) {
        String node = state.node().name();
        for (Pod pod : state.pods()) {
            String other = places.put(pod.uid(), node);
            if (other != null) {
                add(Rule.ONE_PLACE_PER_POD, "pod (%s) is on node (%s) and on node (%s)".formatted(pod, other, node));
            }
            Optional<String> place = snapshot.nodeNameOf(pod.uid());
            if (!place.equals(Optional.of(node))) {
                add(
                        Rule.ONE_PLACE_PER_POD,
                        "pod (%s) counts on node (%s) and is on (%s)".formatted(pod, node, place.orElse("none")));
            }
        }
    }

    private void checkDevices(Snapshot snapshot, NodeState state) {
        Map<String, HoldId> holdsByDevice = new HashMap<>();
        for (HoldId id : state.holds()) {
            for (String device : snapshot.hold(id).map(Hold::devices).orElse(Set.of())) {
                HoldId other = holdsByDevice.put(device, id);
                if (other != null) {
                    add(
                            Rule.DEVICES_ARE_KEPT_ONCE,
                            "node (%s): device (%s) is kept by hold (%s) and by hold (%s)"
                                    .formatted(state.node().name(), device, other, id));
                }
            }
        }
    }

    /**
     * Only what this process granted counts: tenants can write anything on pods. Device names are unique in the
     * cluster.
     */
    private void checkDeviceUsers(Snapshot snapshot, NodeState state, Map<String, Pod> users) {
        for (Pod pod : state.pods()) {
            Labels record = snapshot.assumption(pod.uid())
                    .or(() -> snapshot.confirmedAssumption(pod.uid()))
                    .map(Assumption::bindAnnotations)
                    .orElse(Labels.NONE);
            for (String device :
                    DeviceUse.recordedIn(record).orElse(DeviceUse.NONE).devices()) {
                Pod other = users.put(device, pod);
                if (other != null) {
                    add(
                            Rule.DEVICES_ARE_USED_ONCE,
                            "device (%s) is used by pod (%s) and by pod (%s)".formatted(device, other, pod));
                }
            }
        }
    }

    private void checkHold(Snapshot snapshot, HoldState state) {
        Hold hold = state.hold();
        // Claims that were made while the hold was shared stay.
        boolean extraClaim = state.claims().stream()
                .anyMatch(claim -> !hold.listedUsers().contains(claim.pod())
                        && snapshot.assumption(claim.pod()).isEmpty()
                        && snapshot.confirmedAssumption(claim.pod())
                                .filter(it -> it.hold().isPresent()
                                        || !it.bindAnnotations().isEmpty())
                                .isEmpty());
        if (hold.allocateOnce() && state.claims().size() > 1 && extraClaim) {
            add(
                    Rule.ALLOCATE_ONCE_HAS_ONE_CLAIM,
                    "hold (%s) is for once and has the claims %s".formatted(hold, state.claims()));
        }
        // A hold may be without owners while a backer exists or while the hold is closed.
        if (hold.owners().isEmpty() && !hold.isClosed() && !isBacked(snapshot, state)) {
            add(Rule.HOLDS_HAVE_OWNERS, "hold (%s) has no owner".formatted(hold));
        }
        if (!hasEnd(snapshot, state)) {
            add(Rule.HOLDS_HAVE_AN_END, "hold (%s) has neither a deadline nor an object that keeps it".formatted(hold));
        }
        checkDraws(snapshot, state);
    }

    private static boolean isBacked(Snapshot snapshot, HoldState state) {
        return state.hold().backers().stream()
                .anyMatch(backer -> state.nodeName().isEmpty()
                        || snapshot.nodeNameOf(backer).equals(state.nodeName()));
    }

    /** Whether the hold ends by itself, with a pod, or with an object that a user can delete. */
    private static boolean hasEnd(Snapshot snapshot, HoldState state) {
        Hold hold = state.hold();
        return hold.deadline().isPresent()
                || (hold.origin().component() instanceof Origin.DoorId door
                        ? switch (door) {
                            case KOORDINATOR, NODE_ANNOTATION, DEVICES -> true;
                            // Until its pod is deleted, which starts the TTL.
                            case GODEL -> hold.owners().isEmpty() && isBacked(snapshot, state);
                            case GLOBALRESERVE -> false;
                        }
                        : isOwnedByKnownPodOrRequest(snapshot, hold));
    }

    /**
     * A nomination ends with the nominated pod, or with the door's object of a placement request. The UID of a request has
     * a slash, and no pod has such a UID.
     */
    private static boolean isOwnedByKnownPodOrRequest(Snapshot snapshot, Hold hold) {
        return hold.owners().stream()
                .flatMap(owner -> owner.pod().stream())
                .flatMap(match -> match.uid().stream())
                .anyMatch(uid ->
                        uid.contains("/") || snapshot.pod(new PodUid(uid)).isPresent());
    }

    /** What a hold gives to other holds and keeps itself is no more than its size, and what it gives is drawn. */
    private void checkDraws(Snapshot snapshot, HoldState state) {
        HoldState.Draws draws = state.draws();
        Resources both = state.outstanding().plus(draws.given());
        if (!both.isWithin(state.hold().size())) {
            add(
                    Rule.ROOM_IS_HELD_ONCE,
                    "hold (%s) of (%s) has (%s) but gives (%s) to other holds"
                            .formatted(state.hold(), state.hold().size(), state.outstanding(), draws.given()));
        }
        draws.source().flatMap(snapshot::holdState).ifPresent(source -> {
            checkOrder(state.hold(), source);
            if (isClaimedByNonBackerOf(state.hold(), source)
                    || !draws.taken().isWithin(source.draws().given())) {
                add(
                        Rule.ROOM_IS_HELD_ONCE,
                        "hold (%s) draws (%s) on hold (%s), which gives (%s)"
                                .formatted(
                                        state.hold(),
                                        draws.taken(),
                                        source.hold(),
                                        source.draws().given()));
            }
        });
    }

    /** A draw goes from a nomination to a hold that may draw, and from there to a hold that does not draw. */
    private void checkOrder(Hold hold, HoldState source) {
        boolean drawsToo = source.draws().source().isPresent();
        if (source.hold().isNomination() || (drawsToo && !hold.isNomination())) {
            add(
                    Rule.DRAWS_ARE_IN_ORDER,
                    "hold (%s) draws on hold (%s), which draws on %s"
                            .formatted(hold, source.hold(), source.draws().source()));
        }
    }

    /** Whether the source is allocateOnce and a pod claims it that does not back the drawing hold. */
    private static boolean isClaimedByNonBackerOf(Hold hold, HoldState source) {
        return source.hold().allocateOnce()
                && source.claims().stream().anyMatch(claim -> !hold.backers().contains(claim.pod()));
    }

    private void add(Rule rule, String message) {
        found.add(new Violation(rule, message));
    }
}
