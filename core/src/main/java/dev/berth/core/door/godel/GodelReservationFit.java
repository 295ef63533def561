package dev.berth.core.door.godel;

import dev.berth.core.cluster.HostPorts;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.filter.BlockingHoldSummary;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.Resources;
import java.util.Optional;
import java.util.stream.Collectors;

/** Decides whether a node may have the capacity for a Reservation, and says what is missing. */
final class GodelReservationFit {
    private GodelReservationFit() {}

    /**
     * Whether an attempt to put the hold may succeed. The cost does not depend on the number of holds of the node:
     * thousands of Reservations may wait for one node.
     *
     * @param hold of the desired Reservation
     * @param replaced the hold that the new one would replace; it may not exist
     */
    static boolean mayFit(GodelReservation desired, Hold hold, HoldId replaced, DoorHandle handle) {
        Optional<NodeState> node = handle.ledger().node(desired.nodeName());
        Resources available = node.map(NodeState::free)
                .orElse(Resources.NONE)
                .plus(outstandingOf(Optional.of(replaced), hold, handle));
        Optional<HoldId> drawnOn = hold.draw()
                .flatMap(draw -> handle.ledger().hold(draw.source()))
                .filter(hold::mayDrawOn)
                .map(Hold::id);
        Resources maxAvailable = available.plus(outstandingOf(drawnOn, hold, handle));
        // What the Reservation holds already takes nothing more, even if the node is over-committed.
        Resources alreadyHeld = handle.ledger().hold(replaced).map(Hold::size).orElse(Resources.NONE);
        boolean mustTry = drawnOn.isPresent() || handle.ledger().hold(replaced).isPresent();
        return hold.size().fitsIn(maxAvailable.max(alreadyHeld))
                && (mustTry
                        || node.filter(state -> HostPorts.conflict(hold.ports(), state.ports()))
                                .isEmpty());
    }

    private static Resources outstandingOf(Optional<HoldId> id, Hold hold, DoorHandle handle) {
        return id.flatMap(handle.ledger()::holdState)
                .filter(state -> state.hold().node().equals(hold.node()))
                .map(state -> state.remaining())
                .orElse(Resources.NONE);
    }

    /** What is missing and which holds need it, in the words of an unschedulable pod's message. */
    static String insufficientMessage(GodelReservation desired, DoorHandle handle) {
        Pod pod = Pod.builder(new PodUid(desired.uid()), desired.namespace(), desired.name())
                .spec(PodSpec.builder()
                        .requests(PodSlot.removeFrom(desired.size()))
                        .hostPorts(desired.hostPorts())
                        .build())
                .build();
        return insufficientMessage(pod, desired.nodeName(), handle);
    }

    /** The same for a pod that does not use the node. */
    static String insufficientMessage(Pod pod, String node, DoorHandle handle) {
        String reasons = handle.vetoes(pod, node, HoldUse.NONE).stream()
                .filter(GodelReservationFit::isCapacityVeto)
                .map(GodelReservationFit::vetoMessage)
                .collect(Collectors.joining(", "));
        return reasons.isEmpty() ? "other holds need it" : reasons;
    }

    private static boolean isCapacityVeto(Veto veto) {
        return switch (veto.code()) {
            case PORTS, PORTS_HELD, POD_SLOTS, RESOURCE, RESOURCE_HELD -> true;
            default -> false;
        };
    }

    private static String vetoMessage(Veto veto) {
        String holds = BlockingHoldSummary.of(veto.blockingHolds()).message(veto);
        String heldBy = holds.isEmpty() ? "" : " (%s)".formatted(holds);
        return veto.resource()
                .map(name -> "%s: %s requested, %s of %s free%s"
                        .formatted(
                                veto.message(),
                                Quantity.of(name, veto.requested()),
                                Quantity.of(name, Math.max(veto.free(), 0)),
                                Quantity.of(name, veto.capacity()),
                                heldBy))
                .orElseGet(() -> veto.message() + heldBy);
    }
}
