package dev.berth.core.door.reserve;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.cluster.HostPorts;
import dev.berth.core.cluster.Pod;
import dev.berth.core.door.reserve.ReserveRequest.Seat;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Keeper;
import dev.berth.core.placement.filter.KeeperNames;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Whether a group fits where it wants to go: each pod in the order of the request, and what one takes the next no longer
 * finds. What is kept already for a pod on that very node is its own. Where the pod may go by taints, affinity and the
 * like is the business of whoever asks; room is the business of all.
 */
final class Fitting {
    private final LedgerView ledger;
    private final Function<Seat, Optional<Hold>> own;
    private final Map<String, Resources> free = new HashMap<>();
    private final Map<String, GroupPorts> taken = new HashMap<>();
    private final List<Seat> failed = new ArrayList<>();
    private final List<String> details = new ArrayList<>();
    private final Map<Shortage, String> holders = new HashMap<>();
    private boolean portsAlone = true;

    /** A resource that a node has too little of. */
    private record Shortage(String node, ResourceName resource) {}

    /** @param own what is kept already for this pod on this node */
    Fitting(LedgerView ledger, Function<Seat, Optional<Hold>> own) {
        this.ledger = ledger;
        this.own = own;
    }

    /** Why the group cannot have its places; empty when it can. */
    Optional<ReserveAnswer> refusal(List<Seat> seats) {
        return unfit(seats, this::state)
                .or(() -> unfit(seats, this::missing)
                        .map(answer ->
                                ReserveAnswer.refused(answer.failedPods(), ReserveAnswer.NO_NODE, answer.details())))
                .or(() -> crowded(seats));
    }

    /** Whether the pod is on the node already, where it needs no place beside its own. */
    boolean isThere(Seat seat) {
        return ledger.pod(seat.pod().uid()).flatMap(Pod::nodeName).equals(Optional.of(seat.node()));
    }

    private static Optional<ReserveAnswer> unfit(List<Seat> seats, Function<Seat, Optional<String>> reason) {
        List<Seat> unfit = new ArrayList<>();
        List<String> words = new ArrayList<>();
        for (Seat seat : seats) {
            reason.apply(seat).ifPresent(why -> {
                unfit.add(seat);
                words.add("Pod %s %s".formatted(seat.pod(), why));
            });
        }
        return unfit.isEmpty()
                ? Optional.empty()
                : Optional.of(ReserveAnswer.refused(ReserveRequest.names(unfit), words.get(0), words));
    }

    /** What is known of the pod by now, which may be more than its scheduler knows. */
    private Optional<String> state(Seat seat) {
        Optional<Pod> known = ledger.pod(seat.pod().uid());
        if (known.isEmpty()) {
            return Optional.empty();
        }
        Pod pod = known.get();
        if (pod.phase().terminal()) {
            return Optional.of("has ended (%s)".formatted(pod.phase()));
        }
        if (pod.nodeName().isPresent()) {
            return pod.nodeName()
                    .filter(node -> !node.equals(seat.node()))
                    .map("is bound to node %s already"::formatted);
        }
        return pod.terminating()
                ? Optional.of("is being deleted")
                : ledger.assumption(pod.uid())
                        .map(Assumption::nodeName)
                        .map("is being bound to node %s by Berth itself"::formatted);
    }

    private Optional<String> missing(Seat seat) {
        return ledger.node(seat.node()).isPresent()
                ? Optional.empty()
                : Optional.of("wants node %s, which does not exist".formatted(seat.node()));
    }

    private Optional<ReserveAnswer> crowded(List<Seat> seats) {
        for (Seat seat : seats) {
            if (!isThere(seat)) {
                ledger.node(seat.node()).ifPresent(state -> tryOn(seat, state));
            }
        }
        if (failed.isEmpty()) {
            return Optional.empty();
        }
        String error = portsAlone ? ReserveAnswer.NO_PORT : ReserveAnswer.NO_ROOM;
        return Optional.of(ReserveAnswer.refused(ReserveRequest.names(failed), error, details));
    }

    private void tryOn(Seat seat, NodeState state) {
        Resources room = free.getOrDefault(seat.node(), state.free());
        Resources more = Place.sizeOf(seat.pod())
                .minus(own.apply(seat).map(ledger::outstanding).orElse(Resources.NONE))
                .atLeastZero();
        List<String> lacks = lacks(more, room, state);
        portsAlone &= lacks.isEmpty();
        clash(seat, state)
                .ifPresent(port -> lacks.add("host port %d is taken%s".formatted(port.port(), takenBy(port, state))));
        if (lacks.isEmpty()) {
            free.put(seat.node(), room.minus(more));
            taken.computeIfAbsent(seat.node(), node -> new GroupPorts())
                    .add(seat.pod().shape().hostPorts());
        } else {
            failed.add(seat);
            details.add(
                    "Pod %s does not fit on node %s: %s".formatted(seat.pod(), seat.node(), String.join(", ", lacks)));
        }
    }

    private List<String> lacks(Resources more, Resources room, NodeState state) {
        List<String> lacks = new ArrayList<>();
        for (int i = 0; i < more.size(); i++) {
            ResourceName name = more.nameAt(i);
            if (more.amountAt(i) > 0 && more.amountAt(i) > room.get(name)) {
                lacks.add(insufficient(name, more.amountAt(i), room.get(name), state));
            }
        }
        return lacks;
    }

    private String insufficient(ResourceName name, long more, long left, NodeState state) {
        long group = state.free().get(name) - left;
        return "Insufficient %s: %s more needed, %s free (allocatable %s, used %s, held %s%s%s)"
                .formatted(
                        name,
                        Quantity.of(name, more),
                        Quantity.of(name, Math.max(0, left)),
                        Quantity.of(name, state.node().allocatable().get(name)),
                        Quantity.of(name, state.used().get(name)),
                        Quantity.of(name, state.outstanding().get(name)),
                        holders.computeIfAbsent(
                                new Shortage(state.node().name(), name), shortage -> heldBy(name, state)),
                        group > 0 ? ", taken by this group's other pods " + Quantity.of(name, group) : "");
    }

    /** By which holds: those that hold the most first. */
    private String heldBy(ResourceName name, NodeState state) {
        List<Keeper> keepers = new ArrayList<>();
        for (HoldId id : state.holds()) {
            ledger.holdState(id)
                    .filter(hold -> hold.outstanding().get(name) > 0)
                    .ifPresent(hold -> keepers.add(
                            Keeper.of(hold.hold(), hold.outstanding().get(name))));
        }
        return keepers.isEmpty() ? "" : ": " + KeeperNames.of(keepers).words(Optional.of(name), "by", "hold");
    }

    /** By a pod, or by a hold; by neither where another pod of the group wants it. */
    private String takenBy(HostPort port, NodeState state) {
        Optional<String> pod = state.pods().stream()
                .filter(there -> there.shape().hostPorts().stream().anyMatch(port::conflictsWith))
                .findFirst()
                .map(there -> " by pod " + there);
        return pod.or(() -> state.holds().stream()
                        .flatMap(id -> ledger.hold(id).stream())
                        .filter(hold -> hold.ports().stream().anyMatch(port::conflictsWith))
                        .findFirst()
                        .map(hold -> " by " + hold.origin().words()))
                .orElse("");
    }

    private Optional<HostPort> clash(Seat seat, NodeState state) {
        List<HostPort> wanted = seat.pod().shape().hostPorts();
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        Optional<HostPort> inGroup =
                Optional.ofNullable(taken.get(seat.node())).flatMap(ports -> ports.firstConflict(wanted));
        List<HostPort> onNode = own.apply(seat).map(ledger::portsWith).orElse(state.ports());
        return Stream.of(inGroup, HostPorts.firstConflict(wanted, onNode))
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder());
    }
}
