package dev.berth.core.door.comeback;

import dev.berth.core.cluster.HostPorts;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodShape;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.filter.KeeperNames;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.Optional;
import java.util.stream.Collectors;

/** Whether a node may have room for the place of a Reservation, and the words where it has none. */
final class NoRoom {
    private NoRoom() {}

    /**
     * Whether it is worth a try to put the hold. Costs the same however many holds the node has: thousands of Reservations
     * may wait for one node.
     *
     * @param hold of the Reservation as it is wanted
     * @param before the hold that would be replaced, maybe not there
     */
    static boolean isPossible(Placeholder wanted, Hold hold, HoldId before, Desk desk) {
        Optional<NodeState> node = desk.ledger().node(wanted.node());
        Resources room = node.map(NodeState::free).orElse(Resources.NONE).plus(keptBy(Optional.of(before), hold, desk));
        Optional<HoldId> source = hold.draw()
                .flatMap(draw -> desk.ledger().hold(draw.on()))
                .filter(hold::mayDrawOn)
                .map(Hold::id);
        Resources most = room.plus(keptBy(source, hold, desk));
        // What it keeps already makes nothing scarcer, even where the node is over-committed.
        Resources already = desk.ledger().hold(before).map(Hold::size).orElse(Resources.NONE);
        boolean onlyATryCanTell =
                source.isPresent() || desk.ledger().hold(before).isPresent();
        return hold.size().withoutZeros().isWithin(most.max(already))
                && (onlyATryCanTell
                        || node.filter(state -> HostPorts.conflict(hold.ports(), state.ports()))
                                .isEmpty());
    }

    private static Resources keptBy(Optional<HoldId> id, Hold hold, Desk desk) {
        return id.flatMap(desk.ledger()::holdState)
                .filter(state -> state.hold().node().equals(hold.node()))
                .map(state -> state.outstanding())
                .orElse(Resources.NONE);
    }

    /** What is missing and which holds keep it, as a refused pod is told. */
    static String words(Placeholder wanted, Desk desk) {
        Pod pod = Pod.builder(new PodUid(wanted.uid()), wanted.namespace(), wanted.name())
                .shape(PodShape.builder()
                        .requests(wanted.size().with(ResourceName.PODS, 0).withoutZeros())
                        .hostPorts(wanted.ports())
                        .build())
                .build();
        String reasons = desk.vetoes(pod, wanted.node(), HoldUse.NONE).stream()
                .filter(NoRoom::isRoom)
                .map(NoRoom::words)
                .collect(Collectors.joining(", "));
        return reasons.isEmpty() ? "other holds keep it" : reasons;
    }

    private static boolean isRoom(Veto veto) {
        return switch (veto.code()) {
            case PORTS, PORTS_HELD, POD_SLOTS, RESOURCE, RESOURCE_HELD -> true;
            default -> false;
        };
    }

    private static String words(Veto veto) {
        String holds = KeeperNames.of(veto.keepers()).words(veto);
        String kept = holds.isEmpty() ? "" : " (%s)".formatted(holds);
        return veto.resource()
                .map(name -> "%s: %s requested, %s of %s free%s"
                        .formatted(
                                veto.words(),
                                Quantity.of(name, veto.asked()),
                                Quantity.of(name, Math.max(veto.free(), 0)),
                                Quantity.of(name, veto.capacity()),
                                kept))
                .orElseGet(() -> veto.words() + kept);
    }
}
