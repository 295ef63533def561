package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.preemption.PodDisruptionBudget;
import dev.berth.core.preemption.PreemptionFact;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A Reservation that no node fits preempts pods of lower priority. */
class PreemptingReservationTest {
    private static final Duration A_WHILE = Duration.ofSeconds(30);

    private final KoordinatorScene scene = new KoordinatorScene()
            .withPreemptingReservations()
            .upsert(aNode("n1").with("4 cpu"));

    private static PodBuilder low(String name, String cpu) {
        return aPod(name).asking(cpu).ofPriority(1);
    }

    private static ReservationBuilder vip(String cpu) {
        return aReservation("r").requesting(cpu).ofPriority(10);
    }

    private boolean isAvailable() {
        return scene.status("r").isAvailable();
    }

    private String scheduledMessage() {
        return scene.status("r").unschedulableMessage();
    }

    @Test
    @Scenario(129)
    void theVictimsAreEvictedOnceTheStatusShowsTheNode() {
        scene.upsert(low("low", "3 cpu")).createReservation(vip("4 cpu"));

        assertThat(scene.podWrites()).containsExactly("mark low", "delete low");
        assertThat(scene.status("r").nominatedNode()).isEqualTo("n1");
        assertThat(scene.conditions("r")).isEqualTo("NodeNominated=true/Preempting Scheduled=false/Unschedulable");
        assertThat(scheduledMessage())
                .isEqualTo(
                        "0/1 nodes are available: 1 Insufficient cpu. preemption: Berth evicts pods on node n1 for this"
                                + " Reservation: default/low.");
        assertThat(scene.events).contains("Preempted: Preempted by Reservation r on node n1");

        scene.deletePod("low").advance(A_WHILE);

        assertThat(isAvailable()).isTrue();
        assertThat(scene.status("r").nodeName()).isEqualTo("n1");
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
        assertThat(scene.cpuFree("n1")).isZero();
        scene.upsert(aPod("owner").labelled("app", "web").asking("4 cpu"));
        assertThat(scene.nodeOf("owner")).isEqualTo("n1");
    }

    @Test
    void noPodIsEvictedBeforeTheStatusIsWritten() {
        scene.upsert(low("low", "3 cpu")).delayAnswers(true).createReservation(vip("4 cpu"));
        assertThat(scene.podWrites()).isEmpty();

        scene.delayAnswers(false).advance(A_WHILE);
        assertThat(scene.podWrites()).containsExactly("mark low", "delete low");
    }

    /** The pod must not be evicted against its label because the status was written late. */
    @Test
    void aVictimThatIsProtectedBeforeItsEvictionStays() {
        scene.upsert(low("low", "3 cpu")).delayAnswers(true).createReservation(vip("4 cpu"));
        scene.label("low", "scheduling.koordinator.sh/disable-preemptible", "true");

        scene.delayAnswers(false).advance(A_WHILE);

        assertThat(scene.podWrites()).isEmpty();
        assertThat(scene.status("r").nominatedNode()).isEmpty();
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=false/Unschedulable");
    }

    @Test
    void aReservationPreemptsNothingIfTheSettingIsOff() {
        KoordinatorScene off = new KoordinatorScene()
                .withPreemption()
                .upsert(aNode("n1").with("4 cpu"))
                .upsert(low("low", "3 cpu"))
                .createReservation(vip("4 cpu"));

        assertThat(off.podWrites()).isEmpty();
        assertThat(off.status("r").unschedulableMessage()).isEqualTo("0/1 nodes are available: 1 Insufficient cpu.");
    }

    @Test
    @Scenario(129)
    void podsOfTheSamePriorityStay() {
        scene.upsert(low("low", "2 cpu"))
                .upsert(aPod("equal").asking("2 cpu").ofPriority(10))
                .createReservation(vip("3 cpu"));

        assertThat(scene.podWrites()).isEmpty();
        assertThat(scheduledMessage())
                .isEqualTo(
                        "0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 Insufficient"
                                + " cpu.");
    }

    @Test
    @Scenario(129)
    void aTemplateWithPreemptionPolicyNeverPreemptsNothing() {
        scene.upsert(low("low", "3 cpu")).createReservation(vip("4 cpu").neverPreempting());

        assertThat(scene.podWrites()).isEmpty();
        assertThat(scheduledMessage()).endsWith("preemption: not eligible due to preemptionPolicy=Never.");
    }

    @Test
    @Scenario(128)
    void aPodThatDisablesPreemptionIsNotAVictim() {
        scene.upsert(low("low", "3 cpu").labelled("scheduling.koordinator.sh/disable-preemptible", "true"))
                .createReservation(vip("4 cpu"));
        assertThat(scene.podWrites()).isEmpty();

        scene.relabel("low", "scheduling.koordinator.sh/disable-preemptible", "false")
                .advance(A_WHILE);
        assertThat(scene.podWrites()).containsExactly("mark low", "delete low");
    }

    @Test
    void thatLabelDoesNotProtectAPodFromPods() {
        scene.upsert(low("low", "3 cpu").labelled("scheduling.koordinator.sh/disable-preemptible", "true"))
                .upsert(aPod("high").asking("4 cpu").ofPriority(10));

        assertThat(scene.podWrites()).containsExactly("nominate high to n1", "mark low", "delete low");
    }

    @Test
    @Scenario(128)
    void aReservationSparesPodsThatABudgetProtects() {
        scene.apply(new PreemptionFact.BudgetUpserted(new PodDisruptionBudget(
                "pdb", "default", Optional.of(LabelSelector.of(Labels.of("app", "protected"))), 0, Set.of())));
        scene.upsert(aNode("n2").with("4 cpu"));
        scene.upsert(low("protected", "4 cpu").labelled("app", "protected"))
                .upsert(low("unprotected", "4 cpu"))
                .createReservation(vip("4 cpu"));

        assertThat(scene.podWrites()).containsExactly("mark unprotected", "delete unprotected");
    }

    @Test
    void systemPodsStayEvenIfTheReservationNamesNoPriority() {
        scene.upsert(aPod("critical").asking("3 cpu").ofPriority(2_000_000_000))
                .createReservation(aReservation("r").requesting("4 cpu"));

        assertThat(scene.podWrites()).isEmpty();
    }

    @Test
    @Scenario(130)
    void theFreedCapacityIsHeldForTheReservationUntilItLands() {
        scene.upsert(low("low", "3 cpu"))
                .createReservation(vip("4 cpu"))
                .upsert(aPod("late").asking("3 cpu").ofPriority(10))
                .acceptBindsOnly()
                .deletePod("low");
        assertThat(scene.cpuFree("n1")).isZero();
        scene.advance(A_WHILE);

        assertThat(isAvailable()).isTrue();
        assertThat(scene.nodeOf("late")).isEmpty();
    }

    @Test
    @Scenario(130)
    void aPodOfHigherPriorityTakesTheNodeFromTheReservation() {
        scene.upsert(low("low", "3 cpu"))
                .createReservation(vip("4 cpu"))
                .upsert(aPod("higher").asking("3 cpu").ofPriority(20));
        assertThat(scene.status("r").nominatedNode()).isEmpty();

        scene.deletePod("low").advance(A_WHILE);

        assertThat(scene.nodeOf("higher")).isEqualTo("n1");
        assertThat(isAvailable()).isFalse();
        assertThat(scene.podWrites()).containsOnlyOnce("delete low");
    }

    @Test
    void aDeletedReservationFreesWhatWasHeldForIt() {
        scene.upsert(low("low", "3 cpu")).createReservation(vip("4 cpu")).deletePod("low");
        scene.deleteReservation("r").upsert(aPod("late").asking("4 cpu")).advance(A_WHILE);

        assertThat(scene.nodeOf("late")).isEqualTo("n1");
    }

    @Test
    void anExpiredReservationFreesWhatWasHeldForIt() {
        scene.upsert(low("low", "3 cpu"))
                .createReservation(vip("4 cpu").until(Instant.EPOCH.plusSeconds(60)))
                .upsert(aPod("late").asking("4 cpu"))
                .advance(Duration.ofSeconds(61));
        assertThat(scene.conditions("r")).doesNotContain("NodeNominated");

        scene.deletePod("low").advance(A_WHILE);

        assertThat(scene.nodeOf("late")).isEqualTo("n1");
    }

    @Test
    void anEditedReservationIsScheduledAgain() {
        scene.upsert(low("low", "3 cpu"))
                .createReservation(vip("4 cpu"))
                .edit(vip("1 cpu"))
                .advance(A_WHILE);

        assertThat(isAvailable()).isTrue();
        assertThat(scene.cpuFree("n1")).isZero();
    }

    @Test
    void aMalformedEditEndsTheNomination() {
        scene.upsert(low("low", "3 cpu")).createReservation(vip("4 cpu"));
        scene.editSpec("r", Optional.empty(), "spec.owners is empty").advance(A_WHILE);

        assertThat(scene.conditions("r")).doesNotContain("NodeNominated");
        scene.deletePod("low").upsert(aPod("late").asking("4 cpu"));
        assertThat(scene.nodeOf("late")).isEqualTo("n1");
    }

    @Test
    void anotherNodeThatBecomesFreeIsUsedAndNoFurtherPodIsEvicted() {
        scene.upsert(low("low", "3 cpu"))
                .delayAnswers(true)
                .createReservation(vip("4 cpu"))
                .upsert(aNode("n2").with("4 cpu"))
                .delayAnswers(false)
                .advance(A_WHILE);

        assertThat(isAvailable()).isTrue();
    }

    @Test
    void aDeniedEvictionIsReportedOnTheReservation() {
        scene.upsert(low("low", "3 cpu")).denyEvictions().createReservation(vip("4 cpu"));
        scene.advance(A_WHILE);

        assertThat(scheduledMessage()).contains("The API server denied the deletion: default/low (forbidden).");
        assertThat(scene.conditions("r")).doesNotContain("NodeNominated");
        assertThat(scene.eventTargetsOf("WriteDenied")).contains("Reservation r");
    }

    @Test
    void aReservationWithANodeNamePreemptsOnlyThere() {
        scene.upsert(aNode("n2").with("4 cpu"))
                .upsert(low("low", "3 cpu").on("n1"))
                .upsert(aPod("lower").asking("3 cpu").ofPriority(0).on("n2"));
        scene.createReservation(vip("4 cpu").onNode("n1"));
        assertThat(scene.podWrites()).containsExactly("mark low", "delete low");

        scene.deletePod("low").advance(A_WHILE);
        assertThat(scene.status("r").nodeName()).isEqualTo("n1");
    }
}
