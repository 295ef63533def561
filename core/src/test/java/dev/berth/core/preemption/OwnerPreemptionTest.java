package dev.berth.core.preemption;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A pod that may use a reservation preempts other pods on the reservation's node. */
class OwnerPreemptionTest {
    private static final Duration A_WHILE = Duration.ofSeconds(30);
    private static final String R = "koordinator/r";

    private final PreemptionScene scene =
            new PreemptionScene().upsert(aNode("n1").with("4 cpu")).listed();

    private void hold(HoldBuilder hold) {
        scene.addObject(new Fact.HoldUpserted(
                hold.on("n1").forPodsLabelled("app", "web").build()));
    }

    private static PodBuilder owner(String name, String cpu, int priority) {
        return aPod(name).labelled("app", "web").asking(cpu).ofPriority(priority);
    }

    private static PodBuilder low(String cpu) {
        return owner("low", cpu, 1).on("n1").using(R);
    }

    private String claimOf(String pod) {
        return scene.pod(pod).annotations().get(Claim.ANNOTATION).orElse("");
    }

    @Test
    void anOwnerThatPreemptsAnotherOwnerUsesTheSharedReservation() {
        hold(aHold(R).keeping("4 cpu", "10 pods"));
        scene.upsert(low("4 cpu"), owner("high", "4 cpu", 10));
        assertThat(scene.writes).containsExactly("nominate high to n1", "mark low", "delete low");
        assertThat(scene.cpuFree("n1")).isZero();
        assertThat(scene.cpuHeld(R)).isZero();

        scene.deletePod("low").advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(claimOf("high")).isEqualTo(R);
        assertThat(scene.hasNominationHold("high")).isFalse();
        assertThat(scene.cpuFree("n1")).isZero();

        scene.deletePod("high");
        assertThat(scene.cpuHeld(R)).isEqualTo(4_000);
    }

    @Test
    void anOwnerThatPreemptsANonOwnerUsesItsAllocateOnceReservation() {
        hold(aHold(R).keeping("2 cpu").allocateOnce());
        scene.upsert(aPod("stranger").asking("2 cpu").ofPriority(1).on("n1"), owner("high", "4 cpu", 10));
        assertThat(scene.writes).containsExactly("nominate high to n1", "mark stranger", "delete stranger");
        assertThat(scene.cpuFree("n1")).isZero();

        scene.deletePod("stranger").advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(claimOf("high")).isEqualTo(R);
        assertThat(scene.cpuFree("n1")).isZero();
    }

    @Test
    void aRestartBetweenTheNominationAndTheVictimsEndGivesTheSameAnswer() {
        hold(aHold(R).keeping("4 cpu", "10 pods"));
        scene.upsert(low("4 cpu"), owner("high", "4 cpu", 10));

        scene.restart();
        assertThat(scene.cpuFree("n1")).isZero();
        assertThat(scene.cpuHeld(R)).isZero();
        scene.deletePod("low").restart();
        assertThat(scene.cpuFree("n1")).isZero();
        scene.advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(claimOf("high")).isEqualTo(R);
    }

    @Test
    void noOtherOwnerTakesTheCapacityThatTheNominationDrawsOn() {
        hold(aHold(R).keeping("4 cpu", "10 pods"));
        scene.upsert(low("4 cpu"), owner("high", "4 cpu", 10)).deletePod("low");
        scene.upsert(owner("late", "1 cpu", 5)).advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(scene.nodeOf("late")).isEmpty();
    }

    @Test
    void anOwnerThatGivesUpLeavesTheCapacityToTheReservation() {
        hold(aHold(R).keeping("4 cpu", "10 pods"));
        scene.delayAnswers(true).upsert(low("4 cpu"), owner("high", "4 cpu", 10));
        scene.deletePod("low").deletePod("high").delayAnswers(false);

        assertThat(scene.cpuHeld(R)).isEqualTo(4_000);
        assertThat(scene.cpuFree("n1")).isZero();

        scene.upsert(owner("next", "4 cpu", 0)).advance(A_WHILE);
        assertThat(claimOf("next")).isEqualTo(R);
    }

    @Test
    void anOwnerOfARestrictedReservationUsesIt() {
        hold(aHold(R).keeping("4 cpu", "10 pods").restrictedTo("cpu"));
        scene.upsert(low("4 cpu"), owner("high", "4 cpu", 10)).deletePod("low").advance(A_WHILE);

        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(claimOf("high")).isEqualTo(R);
    }

    @Test
    void aReservationThatNoLongerAdmitsTheNominatedPodEndsTheNomination() {
        hold(aHold(R).keeping("4 cpu", "10 pods"));
        scene.delayAnswers(true)
                .upsert(low("4 cpu"), owner("high", "4 cpu", 10))
                .deletePod("low");
        assertThat(scene.hasNominationHold("high")).isTrue();

        scene.addObject(new Fact.HoldUpserted(aHold(R).on("n1")
                .keeping("4 cpu", "10 pods")
                .forPodsLabelled("app", "other")
                .build()));
        scene.delayAnswers(false).advance(A_WHILE);

        assertThat(scene.hasNominationHold("high")).isFalse();
        assertThat(scene.cpuHeld(R)).isEqualTo(4_000);
        assertThat(scene.cpuFree("n1")).isZero();
    }

    @Test
    void anOwnerMayPreemptForMoreThanItsReservationHas() {
        hold(aHold(R).keeping("1 cpu", "10 pods"));
        scene.upsert(
                low("1 cpu"), aPod("stranger").asking("3 cpu").ofPriority(1).on("n1"), owner("high", "4 cpu", 10));
        scene.deletePod("low");
        assertThat(scene.cpuFree("n1")).isZero();
        scene.deletePod("stranger").advance(A_WHILE);

        assertThat(claimOf("high")).isEqualTo(R);
        assertThat(scene.hold(new HoldId("preemption/high"))).isEmpty();
    }
}
