package dev.berth.core.door.godel;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** A tenant creates a Reservation: it takes no capacity that is held for other pods. */
class TenantReservationTest {
    private static final String R = "koordinator/r";
    private static final String FREE =
            "free cpu: where it is less, a tenant's Reservation took room that is kept for others";
    private static final Duration A_BATCH = Duration.ofSeconds(1);
    private static final HostPort PORT = new HostPort("TCP", "", 80);

    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("8 cpu")).sync();

    private static HoldBuilder held(String cpu) {
        return aHold(R).on("n1").keeping(cpu, "2 pods").forPodsLabelled("app", "web");
    }

    private static PodBuilder owner(String cpu) {
        return aPod("owner").labelled("app", "web").asking(cpu);
    }

    private static PodBuilder returningPod(String name, String cpu) {
        return aPod(name)
                .asking(cpu)
                .annotated(GodelAnnotations.RESERVATION, "true")
                .annotated(GodelAnnotations.INDEX, "i");
    }

    private GodelReservation reservationOf(String name, int cpus) {
        return scene.handWrittenReservation(name).toBuilder()
                .key("j")
                .size(size(cpus))
                .build();
    }

    private static Resources size(int cpus) {
        return Resources.of(ResourceName.CPU, 1_000L * cpus).plus(Resources.of(ResourceName.PODS, 1));
    }

    /** With all annotations that Berth would write for the original pod. */
    private static GodelReservation forged(GodelReservation it) {
        return it.toBuilder()
                .originalPodUid("forged-" + it.name())
                .nodeUid("n1")
                .build();
    }

    private void assertOwnerIsPlaced(String cpu) {
        scene.upsert(owner(cpu));
        assertThat(scene.nodeOf("owner"))
                .as("the owner of a hold is refused for a Reservation that anybody can write")
                .isEqualTo("n1");
    }

    @Test
    void reservationThatExceedsFreeCapacityHoldsNothingAndAnEventNamesTheBlockingHolds() {
        scene.addObject(new Fact.HoldUpserted(held("5 cpu").build()))
                .upsertReservation(reservationOf("big", 6))
                .runTurns();

        assertThat(scene.cpuFree("n1")).as(FREE).isEqualTo(3_000);
        assertThat(scene.events)
                .containsExactly(
                        "Reservation default/big: Node n1 has insufficient capacity for the Reservation, which holds nothing until there is enough:"
                                + " Insufficient cpu: 6 requested, 3 of 8 free (5 held by Reservation koordinator/r).");
        assertOwnerIsPlaced("5 cpu");
    }

    @Test
    void editedReservationThatStillDoesNotFitReportsWhatIsInsufficientNow() {
        scene.addObject(new Fact.HoldUpserted(held("5 cpu").build()))
                .upsertReservation(reservationOf("big", 6))
                .runTurns();
        scene.events.clear();

        scene.upsertReservation(reservationOf("big", 4)).runTurns();

        assertThat(scene.events)
                .singleElement(as(InstanceOfAssertFactories.STRING))
                .contains("Insufficient cpu: 4 requested, 3 of 8 free");
    }

    @Test
    void reservationEditedBeyondFreeCapacityWaitsAfterARestart() {
        scene.upsert(returningPod("first", "2 cpu").on("n1")).advance(A_BATCH).advance(A_BATCH);
        scene.deletePod("first").advance(A_BATCH).advance(A_BATCH);
        scene.addObject(new Fact.HoldUpserted(held("5 cpu").build()));
        GodelReservation written = scene.findReservation("first").orElseThrow();
        scene.upsertReservation(written.toBuilder().size(size(4)).build()).runTurns();

        scene.restart();
        scene.advance(A_BATCH).advance(A_BATCH);

        assertThat(scene.reservationNames())
                .as("an event reported that it waits for capacity")
                .containsExactly("first");
        scene.addObject(new Fact.HoldDeleted(new HoldId(R))).runTurns();
        assertThat(scene.cpuHeld("n1")).isEqualTo(4_000);
    }

    @Test
    void waitingReservationThatNamesAPodStillWaitsAfterARestart() {
        scene.addObject(new Fact.HoldUpserted(held("5 cpu").build()))
                .upsertReservation(forged(reservationOf("big", 4)))
                .runTurns();

        scene.restart();
        scene.advance(A_BATCH).advance(A_BATCH);

        assertThat(scene.reservationNames())
                .as("an event reported that it waits for capacity")
                .containsExactly("big");
        scene.addObject(new Fact.HoldDeleted(new HoldId(R))).runTurns();
        assertThat(scene.cpuHeld("n1")).isEqualTo(4_000);
    }

    @Test
    void reservationWithForgedBerthAnnotationsHoldsNoMoreThanFreeCapacity() {
        scene.addObject(new Fact.HoldUpserted(held("5 cpu").build()))
                .upsertReservation(forged(reservationOf("big", 4)))
                .runTurns();

        assertThat(scene.cpuFree("n1")).as(FREE).isEqualTo(3_000);
        assertOwnerIsPlaced("5 cpu");
    }

    @Test
    void reservationThatHeldNothingHoldsNothingAfterARestart() {
        scene.addObject(new Fact.HoldUpserted(held("5 cpu").build()))
                .upsertReservation(forged(reservationOf("big", 100)))
                .upsertReservation(reservationOf("large", 4))
                .runTurns();
        scene.restart();
        assertThat(scene.cpuFree("n1")).as(FREE).isEqualTo(3_000);
        scene.restartWithoutHistory();
        assertThat(scene.cpuFree("n1")).as(FREE).isEqualTo(3_000);
        assertOwnerIsPlaced("5 cpu");
    }

    @Test
    void tenantsReservationCreatedWhileBerthIsDownTakesNoCapacityOfADeletedPod() {
        scene.upsert(returningPod("first", "6 cpu").on("n1"))
                .advance(A_BATCH)
                .advance(A_BATCH)
                .deletePod("first");
        scene.advance(A_BATCH)
                .upsertReservationUnseen(forged(reservationOf("newer", 6)))
                .upsertReservationUnseen(reservationOf("huge", 100))
                .restart();

        assertThat(scene.cpuHeld("n1")).isEqualTo(6_000);
        scene.upsert(returningPod("back", "6 cpu"));
        assertThat(scene.matchedReservationOf("back"))
                .as("the successor lost its capacity to a Reservation of a tenant")
                .isEqualTo("default/first-placeholder");
    }

    @Test
    void tenantsOlderReservationTakesNoCapacityOfADeletedPodAfterARestart() {
        scene.upsert(returningPod("first", "6 cpu").on("n1"))
                .upsertReservation(forged(reservationOf("older", 6)))
                .upsertReservation(reservationOf("old", 6))
                .advance(A_BATCH)
                .advance(A_BATCH)
                .deletePod("first");
        scene.restart();

        scene.upsert(returningPod("back", "6 cpu"));
        assertThat(scene.matchedReservationOf("back")).isEqualTo("default/first-placeholder");
    }

    @Test
    void waitingReservationIsHeldWhenADeletedPodFreesCapacity() {
        scene.upsert(aPod("x").asking("5 cpu").on("n1"))
                .upsertReservation(reservationOf("big", 4))
                .runTurns();
        assertThat(scene.cpuHeld("n1")).isZero();

        scene.deletePod("x");
        assertThat(scene.cpuHeld("n1")).isEqualTo(4_000);
        scene.upsert(aPod("back").asking("4 cpu").annotated(GodelAnnotations.INDEX, "j"));
        assertThat(scene.matchedReservationOf("back")).isEqualTo("default/big-placeholder");
    }

    @Test
    void reservationThatNeverFitExpires() {
        scene.upsertReservation(reservationOf("big", 9)).runTurns().events.clear();
        scene.advance(GodelScene.DEFAULT_TTL).advance(A_BATCH);

        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.events)
                .containsExactly(
                        "Reservation default/big: Node n1 had insufficient capacity for the Reservation until it expired.");
    }

    @Test
    void editBeyondFreeCapacityKeepsTheOldHoldUntilTheEditFits() {
        scene.upsert(aPod("x").asking("4 cpu").on("n1"))
                .upsertReservation(reservationOf("mine", 2))
                .runTurns();
        scene.upsertReservation(reservationOf("mine", 5)).runTurns();

        assertThat(scene.cpuHeld("n1")).isEqualTo(2_000);
        assertThat(scene.events)
                .containsExactly("Reservation default/mine: Node n1 has insufficient capacity for the edit:"
                        + " Insufficient cpu: 5 requested, 2 of 8 free. The Reservation holds what it held before the"
                        + " edit. If Berth restarts, it holds nothing until there is enough capacity.");
        scene.deletePod("x");
        assertThat(scene.cpuHeld("n1")).isEqualTo(5_000);
    }

    @Test
    void editThatShrinksAReservationAppliesOnAnOvercommittedNode() {
        scene.upsertReservation(reservationOf("mine", 5)).runTurns();
        scene.upsert(aPod("intruder").asking("8 cpu").on("n1").with(pod -> pod.schedulerName("another")));
        scene.upsertReservation(reservationOf("mine", 2)).runTurns();

        assertThat(scene.cpuHeld("n1")).isEqualTo(2_000);
    }

    @Test
    void hostPortOfAnExistingHoldIsNotHeldTwice() {
        scene.addObject(new Fact.HoldUpserted(held("1 cpu").keepingHostPort(80).build()))
                .upsertReservation(reservationOf("port", 1).toBuilder()
                        .hostPorts(List.of(PORT))
                        .build())
                .runTurns();

        assertThat(scene.cpuHeld("n1")).isEqualTo(1_000);
        scene.upsert(owner("1 cpu").withHostPort(80));
        assertThat(scene.nodeOf("owner")).isEqualTo("n1");
    }

    @Test
    void tenantsReservationUnderTheNameOfATerminatingPodDoesNotReplaceItsHold() {
        scene.upsert(returningPod("first", "3 cpu").on("n1")).delayAnswers(true);
        scene.upsert(aPod("x").asking("4 cpu").on("n1")).deletePod("first");
        scene.upsertReservation(reservationOf("first", 7).toBuilder()
                        .originalPodUid(aPod("first").build().uid().value())
                        .build())
                .runTurns();
        scene.delayAnswers(false).advance(A_BATCH).advance(A_BATCH);

        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
        scene.deleteReservation("first").runTurns();
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
        scene.upsert(returningPod("back", "3 cpu"));
        assertThat(scene.matchedReservationOf("back")).startsWith("default/first-");
    }

    @Test
    void reservationThatDrawsOnAHoldThatAdmitsItIsHeldOnAFullNode() {
        scene.addObject(new Fact.HoldUpserted(held("5 cpu").build()))
                .upsert(aPod("x").asking("3 cpu"));
        Draw draw = new Draw(
                new HoldId(R),
                aPod("successor")
                        .labelled("app", "web")
                        .annotated(GodelAnnotations.INDEX, "j")
                        .build());
        scene.upsertReservation(reservationOf("part", 4).toBuilder()
                        .draw(Optional.of(draw))
                        .build())
                .runTurns();

        assertThat(scene.cpuFree("n1")).isZero();
        assertThat(scene.cpuHeld("n1")).isEqualTo(5_000);
        assertThat(scene.events).isEmpty();
        scene.restart();
        assertThat(scene.cpuHeld("n1")).isEqualTo(5_000);
    }
}
