package dev.berth.core.door.alldoors;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationCondition;
import dev.berth.core.effect.Effect;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.reporting.OvercommitmentMessage;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Compares what users are told of over-committed nodes with what the ledger says. That the ledger says it exactly if room is
 * missing is one of the {@link dev.berth.core.invariant.Invariants}.
 */
final class OvercommitmentReportChecker {
    /** The nodes that this process has reported, as far as they are still over-committed. */
    private Set<NodeUid> reported = Set.of();

    /** Another process leads: it reports again. */
    void onRestart() {
        reported = Set.of();
    }

    /** The doors have received every fact and have reconciled: exactly the nodes that became over-committed get an event. */
    void checkEvents(Snapshot now, List<Effect> effects) {
        Set<NodeUid> overcommitted = new TreeSet<>();
        now.forEachNode(node -> {
            if (node.holds().stream()
                    .flatMap(id -> now.holdState(id).stream())
                    .anyMatch(hold -> isMissingRoom(hold, node))) {
                overcommitted.add(node.node().uid());
            }
        });
        Set<NodeUid> news = new TreeSet<>(overcommitted);
        news.removeAll(reported);
        Set<NodeUid> told = effects.stream()
                .flatMap(effect -> effect instanceof Effect.RecordEvent event
                                && event.kind().reason().equals(OvercommitmentMessage.REASON)
                                && event.target().kind().equals("Node")
                        ? List.of(new NodeUid(event.target().uid())).stream()
                        : List.<NodeUid>of().stream())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(told)
                .as("nodes that get the event Overcommitted, and nodes that became over-committed")
                .isEqualTo(news);
        reported = overcommitted;
    }

    /** Everything that was to be written is written: exactly the Reservations whose room is missing are not ready. */
    void checkReservations(Snapshot now, Collection<Reservation> reservations) {
        for (Reservation reservation : reservations) {
            boolean missing = now.holdState(new HoldId("koordinator/" + reservation.uid())).stream()
                    .anyMatch(hold ->
                            hold.nodeName().flatMap(now::node).stream().anyMatch(node -> isMissingRoom(hold, node)));
            boolean told = reservation.status().conditions().stream()
                    .anyMatch(condition -> condition.type() == ReservationCondition.Type.READY
                            && !condition.isTrue()
                            && condition.reason().equals(OvercommitmentMessage.REASON));
            assertThat(told)
                    .as("Reservation %s is told that room is missing: %s", reservation.name(), reservation.status())
                    .isEqualTo(missing && reservation.status().isAvailable());
        }
    }

    private static boolean isMissingRoom(HoldState hold, NodeState node) {
        return !hold.hold().isNomination()
                && node.overcommitments().stream()
                        .anyMatch(over -> hold.outstanding().get(over.resource()) > 0);
    }
}
