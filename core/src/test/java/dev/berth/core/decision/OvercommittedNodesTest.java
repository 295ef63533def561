package dev.berth.core.decision;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node with less room than pods use and holds keep there is reported by an event on the node. */
class OvercommittedNodesTest {
    /** So short that a few changes overflow it. */
    private static final int LOGGED_CHANGES = 8;

    private final Ledger ledger = new Ledger(LOGGED_CHANGES);
    private final Decider decider = new Decider(
            ledger,
            new Placer(ledger, ScoreWeights.DEFAULT),
            new SchedulingQueue(BackOff.DEFAULT),
            Set.of("berth-scheduler"));
    private final Instant now = Instant.parse("2026-01-01T00:00:00Z");

    @BeforeEach
    void aNodeOfEightCpu() {
        seen(node("n1"));
    }

    private static NodeBuilder node(String name) {
        return aNode(name).with("8 cpu", "10 pods");
    }

    private static HoldBuilder hold(String id, String cpu) {
        return aHold(id).on("n1").keeping(cpu).forPodsLabelled("app", "web");
    }

    private static PodBuilder intruder(String name) {
        return aPod(name).asking("4 cpu").on("n1");
    }

    private void seen(NodeBuilder node) {
        learn(new Fact.NodeSeen(node.build()));
    }

    private void seen(HoldBuilder hold) {
        learn(new Fact.HoldSeen(hold.build()));
    }

    private void seen(PodBuilder pod) {
        learn(new Fact.PodSeen(pod.build()));
    }

    private void gone(String pod) {
        learn(new Fact.PodGone(new PodUid(pod)));
    }

    private void learn(Fact fact) {
        decider.learn(fact, now);
    }

    private List<Effect> settled() {
        decider.settle(now);
        return decider.takeEffects();
    }

    private List<String> reports() {
        return settled().stream()
                .map(Effect.Announce.class::cast)
                .map(event -> "%s %s %s: %s"
                        .formatted(event.kind().type(), event.kind().reason(), event.subject(), event.note()))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = Origin.Door.class,
            names = {"RESERVATION", "RETURN", "NODE_ANNOTATION", "RESERVE"})
    void whenAnotherSchedulerBindsAPodOntoHeldRoomTheNodeNamesThePodTheAmountAndTheHold(Origin.Door door) {
        seen(hold("h", "6 cpu").from(door, "what keeps it"));
        seen(intruder("intruder"));
        assertThat(reports())
                .containsExactly("Warning Overcommitted Node n1: node n1 is over-committed: 2 cpu of what is reserved"
                        + " there are not available; pods there that use no hold: default/intruder (scheduler"
                        + " default-scheduler); reserved by: what keeps it");
    }

    @Test
    void anOvercommittedNodeIsReportedOnceUntilItIsOver() {
        seen(hold("h", "6 cpu"));
        seen(intruder("first"));
        assertThat(reports()).hasSize(1);
        seen(intruder("second"));
        gone("first");
        assertThat(reports()).as("still over-committed").isEmpty();
        gone("second");
        assertThat(reports()).isEmpty();
        seen(intruder("third"));
        assertThat(reports()).as("over-committed again").hasSize(1);
        learn(new Fact.HoldGone(new HoldId("h")));
        assertThat(reports()).isEmpty();
        seen(hold("h", "6 cpu"));
        assertThat(reports()).as("by a hold").hasSize(1);
    }

    @Test
    void aNodeOfTheSameNameIsAnotherNode() {
        seen(hold("h", "6 cpu"));
        seen(intruder("intruder"));
        assertThat(reports()).hasSize(1);
        learn(new Fact.NodeGone(new NodeUid("n1")));
        seen(node("n1").uid("n1-again"));
        seen(hold("other", "6 cpu").on("n1-again"));
        assertThat(reports()).hasSize(1);
    }

    @Test
    void moreChangesThanTheLedgerRemembersHideNothing() {
        seen(hold("h", "6 cpu"));
        assertThat(reports()).isEmpty();
        seen(intruder("intruder"));
        for (int i = 0; i < 2 * LOGGED_CHANGES; i++) {
            seen(node("other-" + i));
        }
        assertThat(reports()).hasSize(1);
        gone("intruder");
        for (int i = 0; i < 2 * LOGGED_CHANGES; i++) {
            seen(node("more-" + i));
        }
        assertThat(reports()).isEmpty();
        seen(intruder("intruder-2"));
        assertThat(reports()).hasSize(1);
    }

    @Test
    void aNodeThatPodsAloneFillIsNotReported() {
        seen(hold("h", "0 cpu"));
        seen(intruder("first").asking("9 cpu"));
        assertThat(reports()).isEmpty();
    }

    @Test
    void aNominatedPodThatLosesItsRoomIsNotReportedOnTheNode() {
        seen(hold("h", "6 cpu").from(Origin.Door.PREEMPTION, "nominated pod default/p"));
        seen(intruder("intruder"));
        assertThat(reports()).isEmpty();
    }

    @Test
    void threeHoldsAndPodsAreNamedAndTheOthersCounted() {
        for (int i = 0; i < 5; i++) {
            seen(hold("h" + i, "1 cpu"));
            seen(intruder("p" + i).asking("1 cpu"));
        }
        assertThat(reports())
                .singleElement()
                .asString()
                .contains(
                        "2 cpu of what is reserved",
                        " and 2 more; reserved by: Reservation h0, Reservation h1," + " Reservation h2 and 2 more");
    }

    @Test
    void anEventThatWasNotWrittenIsSentAgainAtTheNextChangeOfTheNode() {
        seen(hold("h", "6 cpu"));
        seen(intruder("intruder"));
        settled().forEach(decider::untold);
        seen(aPod("small").asking("1 cpu").on("n1"));
        assertThat(reports()).hasSize(1);
    }
}
