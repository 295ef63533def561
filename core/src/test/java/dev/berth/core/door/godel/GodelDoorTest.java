package dev.berth.core.door.godel;

import static dev.berth.core.door.godel.GodelScene.requestingPod;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodPhase;
import dev.berth.core.fact.Fact;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A pod is deleted and held: every way in which a hold begins, and every way in which it ends. */
class GodelDoorTest {
    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("4 cpu")).sync();

    private static PodBuilder returningPod(String name, String index) {
        return aPod(name).asking("3 cpu").annotated(GodelAnnotations.INDEX, index);
    }

    @Test
    void deletedPodIsHeldOnlyForAPodWithTheSameIndex() {
        scene.upsert(requestingPod("res-pod", "i").on("n1")).deletePod("res-pod");
        assertThat(scene.findReservation("res-pod").orElseThrow().nodeName()).isEqualTo("n1");
        scene.upsert(aPod("other").asking("2 cpu"));
        assertThat(scene.nodeOf("other")).as("the capacity is held").isEmpty();
        scene.upsert(returningPod("back-pod", "i"));
        assertThat(scene.nodeOf("back-pod")).isEqualTo("n1");
        assertThat(scene.matchedReservationOf("back-pod")).isEqualTo("default/res-pod-placeholder");
        assertThat(scene.writes)
                .containsExactly("create res-pod on n1", "match res-pod with back-pod", "delete res-pod");
        assertThat(scene.pendingDurability()).isEmpty();
    }

    @Test
    void podThatADifferentSchedulerBindsOntoHeldCapacityIsReportedOnTheNodeAndTheReservation() {
        scene.upsert(requestingPod("res-pod", "i").on("n1")).deletePod("res-pod");
        scene.events.clear();
        scene.upsert(aPod("intruder").asking("2 cpu").on("n1"));
        String missing = "node n1 is over-committed: 1 cpu of what is reserved there are not available; pods there that"
                + " use no hold: default/intruder (scheduler default-scheduler)";
        assertThat(scene.events)
                .containsExactly(
                        "Node n1: " + missing + "; reserved by: godelreservation default/res-pod",
                        "Reservation default/res-pod: " + missing);
    }

    @Test
    void reservationObservedAfterItsDeadlineIsDeletedAndReclaimsNoReallocatedCapacity() {
        scene.upsert(requestingPod("res-pod", "i")
                        .annotated(GodelAnnotations.TTL, "10")
                        .on("n1"))
                .delayAnswers(true)
                .deletePod("res-pod")
                .advance(Duration.ofSeconds(10));
        scene.upsert(aPod("other").asking("4 cpu"));
        assertThat(scene.nodeOf("other")).as("the time is over").isEqualTo("n1");

        scene.delayAnswers(false);
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.advance(Duration.ofMinutes(1));

        assertThat(scene.writes).containsExactly("create res-pod on n1", "delete res-pod");
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void podWithTheSameIndexInADifferentNamespaceDoesNotClaimTheHold() {
        scene.upsert(requestingPod("res-pod", "i").on("n1")).deletePod("res-pod");
        scene.upsert(returningPod("elsewhere/back-pod", "i"));
        assertThat(scene.nodeOf("back-pod")).isEmpty();
    }

    @Test
    void podWithoutTheReservationAnnotationGetsNoReservation() {
        scene.upsert(requestingPod("p", "i")
                        .annotated(GodelAnnotations.RESERVATION, "false")
                        .on("n1"))
                .deletePod("p");
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void legacyReservationAnnotationCreatesAReservation() {
        scene.upsert(returningPod("p", "i")
                        .annotated(GodelAnnotations.LEGACY_RESERVATION, "true")
                        .on("n1"))
                .deletePod("p");
        assertThat(scene.reservationNames()).containsExactly("p");
    }

    @Test
    void unboundPodGetsNoReservation() {
        scene.upsert(requestingPod("p", "i").asking("8 cpu")).deletePod("p");
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void podThatFinishedBeforeItsDeletionGetsNoReservation() {
        scene.upsert(requestingPod("p", "i").on("n1"))
                .upsert(requestingPod("p", "i").on("n1").in(PodPhase.SUCCEEDED))
                .deletePod("p");
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void terminatingPodIsHeldFromTheMomentItFinishes() {
        scene.upsert(requestingPod("p", "i").on("n1"));
        scene.upsert(aPod("other").asking("2 cpu"));
        scene.upsert(requestingPod("p", "i").on("n1").terminating());
        assertThat(scene.cpuHeld("n1")).as("the pod itself is still there").isZero();
        scene.upsert(requestingPod("p", "i").on("n1").terminating().in(PodPhase.FAILED));
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        scene.deletePod("p");
        assertThat(scene.nodeOf("other")).isEmpty();
        assertThat(scene.reservationNames()).containsExactly("p");
    }

    @Test
    void holdOfATerminatingPodDoesNotAdmitASuccessorYet() {
        scene.upsert(aNode("n1").with("7 cpu"));
        scene.upsert(requestingPod("p", "i").on("n1"))
                .upsert(requestingPod("p", "i").on("n1").terminating());
        scene.upsert(returningPod("back", "i"));
        assertThat(scene.matchedReservationOf("back"))
                .as("it uses free capacity")
                .isEmpty();
    }

    @Test
    void successorThatDoesNotFitItsHoldIsPlacedElsewhere() {
        scene.upsert(requestingPod("p", "i").on("n1")).deletePod("p");
        scene.upsert(aNode("n2").with("8 cpu"));
        scene.upsert(returningPod("larger", "i").asking("6 cpu"));
        assertThat(scene.nodeOf("larger")).isEqualTo("n2");
        assertThat(scene.matchedReservationOf("larger")).isEmpty();
        assertThat(scene.reservationNames()).containsExactly("p");
    }

    @Test
    void successorClaimsOneHoldAndOfSeveralTheOneThatFits() {
        scene.upsert(aNode("n1").with("8 cpu"));
        scene.upsert(requestingPod("large", "i").asking("5 cpu").on("n1")).deletePod("large");
        scene.upsert(requestingPod("small", "i").asking("2 cpu").on("n1")).deletePod("small");
        scene.upsert(returningPod("first", "i").asking("2 cpu"));
        assertThat(scene.matchedReservationOf("first")).isEqualTo("default/small-placeholder");
        scene.upsert(returningPod("second", "i").asking("2 cpu"));
        assertThat(scene.matchedReservationOf("second")).isEqualTo("default/large-placeholder");
        assertThat(scene.cpuHeld("n1")).as("what it does not need is free").isZero();
    }

    @Test
    void capacityIsFreeAfterTheTtl() {
        scene.upsert(requestingPod("p", "i").on("n1")).deletePod("p");
        scene.upsert(aPod("other").asking("2 cpu"));
        scene.advance(GodelScene.DEFAULT_TTL.minusSeconds(1));
        assertThat(scene.nodeOf("other")).isEmpty();
        scene.advance(Duration.ofSeconds(1)).advance(Duration.ofSeconds(10));
        assertThat(scene.nodeOf("other")).isEqualTo("n1");
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.events)
                .anyMatch(event -> event.contains("No pod returned to node n1 before the Reservation expired."));
    }

    @Test
    void deletingTheReservationFreesItsCapacityAtOnce() {
        scene.upsert(requestingPod("p", "i").on("n1")).deletePod("p");
        scene.upsert(aPod("other").asking("2 cpu"));
        scene.deleteReservation("p").advance(Duration.ofSeconds(10));
        assertThat(scene.nodeOf("other")).isEqualTo("n1");
    }

    @Test
    void deletedNodeHoldsNothingAndNeitherDoesANewNodeOfTheSameName() {
        scene.upsert(requestingPod("p", "i").on("n1")).deletePod("p");
        scene.deleteNode("n1");
        assertThat(scene.reservationNames()).isEmpty();
        scene.upsert(aNode("n1").uid("another").with("4 cpu")).runTurns();
        assertThat(scene.cpuHeld("n1")).isZero();
    }

    @Test
    void successorClaimsTheHoldBeforeTheReservationIsCreated() {
        scene.delayAnswers(true).upsert(requestingPod("p", "i").on("n1")).deletePod("p");
        assertThat(scene.pendingDurability()).hasSize(1);
        scene.upsert(returningPod("back", "i"));
        assertThat(scene.matchedReservationOf("back")).isEqualTo("default/p-placeholder");
        scene.delayAnswers(false);
        assertThat(scene.writes).containsExactly("create p on n1", "match p with back", "delete p");
        assertThat(scene.pendingDurability()).isEmpty();
    }

    @Test
    void forgedHoldAnnotationDoesNotMatch() {
        scene.upsert(requestingPod("p", "i").on("n1")).deletePod("p");
        scene.upsert(aPod("liar")
                .annotated(GodelAnnotations.MATCHED_PLACEHOLDER, "default/p-placeholder")
                .on("n1"));
        assertThat(scene.reservationNames()).containsExactly("p");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
    }

    @Test
    void podWithoutAReturnKeyGetsAWarningAtItsCreationAndNotAtItsDeletion() {
        scene.upsert(aPod("p").asking("3 cpu").annotated(GodelAnnotations.RESERVATION, "true"));
        assertThat(scene.events)
                .containsExactly("Pod default/p: No Reservation will be created: the pod has no return key. Set the"
                        + " annotation godel.bytedance.com/reservation-index.");
        scene.deletePod("p");
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.events).hasSize(1);
    }

    @Test
    void podLargerThanTheNodeThatReplacedItsOwnIsNotHeldAndAnEventSaysWhy() {
        scene.upsert(aNode("n1").with("8 cpu"));
        scene.upsert(aPod("p")
                .asking("6 cpu")
                .annotated(GodelAnnotations.RESERVATION, "true")
                .annotated(GodelAnnotations.INDEX, "i")
                .on("n1"));
        scene.upsert(aNode("n1").with("4 cpu"));
        scene.deletePod("p");
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.events)
                .contains("Pod default/p: No Reservation was created: the pod requests 6 of cpu, but node n1 has 4"
                        + " allocatable");
    }

    @Test
    void reservationsBeyondTheTimeBudgetOfATurnAreCreatedInTheNextTurns() {
        scene.upsert(aNode("n1").with("40 cpu", "100 pods"));
        List<String> names = IntStream.range(0, 30).mapToObj("p%02d"::formatted).toList();
        names.forEach(
                name -> scene.upsert(requestingPod(name, name).asking("1 cpu").on("n1")));
        scene.limitToOneObjectPerTurn();
        names.forEach(name -> {
            Fact gone = new Fact.PodDeleted(scene.pod(name).uid());
            scene.deletePodUnseen(name).apply(gone);
        });

        scene.runTurns();
        assertThat(scene.reservationNames().size()).as("after ten turns").isBetween(1, 10);
        scene.runTurns().runTurns().runTurns();
        assertThat(scene.reservationNames()).containsExactlyElementsOf(names);
    }
}
