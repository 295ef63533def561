package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A failed try to put a waiting Reservation is no change of its node: else it would be tried again in every turn. */
class FailedTriesTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private final Ledger ledger = new Ledger();
    private final Decider decider = new Decider(
            ledger,
            new Placer(ledger, ScoreWeights.DEFAULT),
            new SchedulingQueue(BackOff.DEFAULT),
            Set.of("default-scheduler"),
            List.of(new ComebackDoor(Duration.ofHours(1))));

    private static Placeholder.Builder byHand(String name, List<HostPort> ports) {
        return Placeholder.builder("default", name, "uid-" + name, NOW)
                .key("j")
                .node("n1")
                .ports(ports)
                .size(Resources.of(ResourceName.PODS, 1));
    }

    private void tell(Fact fact) {
        decider.learn(fact, NOW);
    }

    private void turn() {
        decider.advance(NOW);
        decider.settle(NOW);
        while (decider.next(NOW).isPresent()) {}
        decider.takeEffects();
    }

    /** Two Reservations that are kept, and many that draw on the first and want the port of the second. */
    private void waitingReservations(int count) {
        tell(new Fact.NodeSeen(aNode("n1").with("8 cpu", "110 pods").build()));
        tell(new Fact.NodeSeen(aNode("n2").with("8 cpu", "110 pods").build()));
        List<HostPort> port = List.of(new HostPort("TCP", "", 80));
        tell(new ComebackFact.PlaceholderSeen(byHand("source", List.of()).build()));
        tell(new ComebackFact.PlaceholderSeen(byHand("port", port).build()));
        turn();
        Draw draw = Draw.forSuccessorOf(
                aPod("any").annotated(ReturnKey.INDEX, "j").build(), new HoldId("return/default/source/uid-source"));
        for (int i = 0; i < count; i++) {
            tell(new ComebackFact.PlaceholderSeen(
                    byHand("w" + i, port).draw(Optional.of(draw)).build()));
        }
        turn();
        turn();
    }

    @Test
    void whatHappensOnAnotherNodeTriesNoWaitingReservation() {
        waitingReservations(1);
        long before = ledger.node("n1").orElseThrow().generation();
        for (int i = 0; i < 5; i++) {
            tell(new Fact.PodSeen(aPod("x" + i).asking("100m cpu").on("n2").build()));
            turn();
        }
        assertThat(ledger.node("n1").orElseThrow().generation())
                .as("n1 did not change")
                .isEqualTo(before);
    }
}
