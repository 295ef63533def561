package dev.berth.core.door.comeback;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.HostPort;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

/** Anybody who may write Reservations in a namespace writes one: it takes no room that is kept for other pods. */
class HandWrittenPlaceTest {
    private static final String R = "reservation/r";
    private static final String FREE =
            "free cpu: where it is less, a tenant's Reservation took room that is kept for others";
    private static final Duration A_BATCH = Duration.ofSeconds(1);
    private static final HostPort PORT = new HostPort("TCP", "", 80);

    private final Scene scene = new Scene().node(aNode("n1").with("8 cpu")).listed();

    private static HoldBuilder held(String cpu) {
        return aHold(R).on("n1").keeping(cpu, "2 pods").forPodsLabelled("app", "web");
    }

    private static PodBuilder owner(String cpu) {
        return aPod("owner").labelled("app", "web").asking(cpu);
    }

    private static PodBuilder returning(String name, String cpu) {
        return aPod(name).asking(cpu).annotated(Words.RESERVATION, "true").annotated(ReturnKey.INDEX, "i");
    }

    private Placeholder wanting(String name, int cpus) {
        return scene.byHand(name).toBuilder().key("j").size(size(cpus)).build();
    }

    private static Resources size(int cpus) {
        return Resources.of(ResourceName.CPU, 1_000L * cpus).plus(Resources.of(ResourceName.PODS, 1));
    }

    /** With all that Berth would say of the pod that left. */
    private static Placeholder forged(Placeholder it) {
        return it.toBuilder().podUid("forged-" + it.name()).nodeUid("n1").build();
    }

    private void theOwnerIsPlaced(String cpu) {
        scene.pod(owner(cpu));
        assertThat(scene.nodeOf("owner"))
                .as("the owner of a hold is refused for a Reservation that anybody can write")
                .isEqualTo("n1");
    }

    @Test
    void aReservationBeyondTheFreeRoomKeepsNothingAndAnEventSaysWhoseHoldsKeepIt() {
        scene.tell(new Fact.HoldSeen(held("5 cpu").build()))
                .reservation(wanting("big", 6))
                .settle();

        assertThat(scene.cpuFree("n1")).as(FREE).isEqualTo(3_000);
        assertThat(scene.events)
                .containsExactly("Reservation default/big: The Reservation keeps nothing until node n1 has room for it:"
                        + " Insufficient cpu: 6 requested, 3 of 8 free (5 held by Reservation reservation/r).");
        theOwnerIsPlaced("5 cpu");
    }

    @Test
    void aReservationThatIsEditedAndStillLacksRoomSaysWhatItLacksNow() {
        scene.tell(new Fact.HoldSeen(held("5 cpu").build()))
                .reservation(wanting("big", 6))
                .settle();
        scene.events.clear();

        scene.reservation(wanting("big", 4)).settle();

        assertThat(scene.events)
                .singleElement(as(InstanceOfAssertFactories.STRING))
                .contains("Insufficient cpu: 4 requested, 3 of 8 free");
    }

    @Test
    void aReservationThatAnEditMadeTooLargeWaitsForRoomAfterARestart() {
        scene.pod(returning("first", "2 cpu").on("n1")).pass(A_BATCH).pass(A_BATCH);
        scene.delete("first").pass(A_BATCH).pass(A_BATCH);
        scene.tell(new Fact.HoldSeen(held("5 cpu").build()));
        Placeholder written = scene.reservation("first").orElseThrow();
        scene.reservation(written.toBuilder().size(size(4)).build()).settle();

        scene.restart();
        scene.pass(A_BATCH).pass(A_BATCH);

        assertThat(scene.reservations())
                .as("the author was told that it waits for room")
                .containsExactly("first");
        scene.tell(new Fact.HoldGone(new HoldId(R))).settle();
        assertThat(scene.cpuKept("n1")).isEqualTo(4_000);
    }

    @Test
    void aReservationThatNamesAPodAndOnlyWaitedForRoomWaitsAfterARestart() {
        scene.tell(new Fact.HoldSeen(held("5 cpu").build()))
                .reservation(forged(wanting("big", 4)))
                .settle();

        scene.restart();
        scene.pass(A_BATCH).pass(A_BATCH);

        assertThat(scene.reservations())
                .as("the author was told that it waits for room")
                .containsExactly("big");
        scene.tell(new Fact.HoldGone(new HoldId(R))).settle();
        assertThat(scene.cpuKept("n1")).isEqualTo(4_000);
    }

    @Test
    void aReservationWithAllAnnotationsOfBerthKeepsNothingBeyondTheFreeRoom() {
        scene.tell(new Fact.HoldSeen(held("5 cpu").build()))
                .reservation(forged(wanting("big", 4)))
                .settle();

        assertThat(scene.cpuFree("n1")).as(FREE).isEqualTo(3_000);
        theOwnerIsPlaced("5 cpu");
    }

    @Test
    void aReservationThatKeptNothingKeepsNothingAfterARestart() {
        scene.tell(new Fact.HoldSeen(held("5 cpu").build()))
                .reservation(forged(wanting("big", 100)))
                .reservation(wanting("large", 4))
                .settle();
        scene.restart();
        assertThat(scene.cpuFree("n1")).as(FREE).isEqualTo(3_000);
        scene.restartWithoutHistory();
        assertThat(scene.cpuFree("n1")).as(FREE).isEqualTo(3_000);
        theOwnerIsPlaced("5 cpu");
    }

    @Test
    void aReservationThatWasWrittenWhileNoBerthLedTakesNoPlaceThatAPodLeft() {
        scene.pod(returning("first", "6 cpu").on("n1"))
                .pass(A_BATCH)
                .pass(A_BATCH)
                .delete("first");
        scene.pass(A_BATCH)
                .reservationUnseen(forged(wanting("newer", 6)))
                .reservationUnseen(wanting("huge", 100))
                .restart();

        assertThat(scene.cpuKept("n1")).isEqualTo(6_000);
        scene.pod(returning("back", "6 cpu"));
        assertThat(scene.matchOf("back"))
                .as("the successor lost its place to a Reservation that anybody can write")
                .isEqualTo("default/first-placeholder");
    }

    @Test
    void aReservationOlderThanThePlaceOfAPodTakesNothingOfItAfterARestart() {
        scene.pod(returning("first", "6 cpu").on("n1"))
                .reservation(forged(wanting("older", 6)))
                .reservation(wanting("old", 6))
                .pass(A_BATCH)
                .pass(A_BATCH)
                .delete("first");
        scene.restart();

        scene.pod(returning("back", "6 cpu"));
        assertThat(scene.matchOf("back")).isEqualTo("default/first-placeholder");
    }

    @Test
    void aReservationIsKeptWhenAPodLeavesTheRoomForIt() {
        scene.pod(aPod("x").asking("5 cpu").on("n1"))
                .reservation(wanting("big", 4))
                .settle();
        assertThat(scene.cpuKept("n1")).isZero();

        scene.delete("x");
        assertThat(scene.cpuKept("n1")).isEqualTo(4_000);
        scene.pod(aPod("back").asking("4 cpu").annotated(ReturnKey.INDEX, "j"));
        assertThat(scene.matchOf("back")).isEqualTo("default/big-placeholder");
    }

    @Test
    void aReservationThatNeverHadRoomEndsInItsTime() {
        scene.reservation(wanting("big", 9)).settle().events.clear();
        scene.pass(Scene.USUAL).pass(A_BATCH);

        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.events)
                .containsExactly("Reservation default/big: Node n1 had no room for the Reservation before it expired.");
    }

    @Test
    void anEditBeyondTheFreeRoomLeavesThePlaceAsItWasUntilThereIsRoom() {
        scene.pod(aPod("x").asking("4 cpu").on("n1"))
                .reservation(wanting("mine", 2))
                .settle();
        scene.reservation(wanting("mine", 5)).settle();

        assertThat(scene.cpuKept("n1")).isEqualTo(2_000);
        assertThat(scene.events)
                .containsExactly("Reservation default/mine: The Reservation keeps the place as before the edit until"
                        + " node n1 has room for the edit: Insufficient cpu: 5 requested, 2 of 8 free. If Berth"
                        + " restarts before that, the Reservation keeps nothing.");
        scene.delete("x");
        assertThat(scene.cpuKept("n1")).isEqualTo(5_000);
    }

    @Test
    void anEditThatMakesAPlaceSmallerCountsOnAnOvercommittedNode() {
        scene.reservation(wanting("mine", 5)).settle();
        scene.pod(aPod("intruder").asking("8 cpu").on("n1").with(pod -> pod.schedulerName("another")));
        scene.reservation(wanting("mine", 2)).settle();

        assertThat(scene.cpuKept("n1")).isEqualTo(2_000);
    }

    @Test
    void aPortThatAnotherHoldKeepsIsNotKeptASecondTime() {
        scene.tell(new Fact.HoldSeen(held("1 cpu").keepingHostPort(80).build()))
                .reservation(wanting("port", 1).toBuilder().ports(List.of(PORT)).build())
                .settle();

        assertThat(scene.cpuKept("n1")).isEqualTo(1_000);
        scene.pod(owner("1 cpu").withHostPort(80));
        assertThat(scene.nodeOf("owner")).isEqualTo("n1");
    }

    @Test
    void aReservationUnderTheNameOfALeavingPodDoesNotTakeItsPlace() {
        scene.pod(returning("first", "3 cpu").on("n1")).silent(true);
        scene.pod(aPod("x").asking("4 cpu").on("n1")).delete("first");
        scene.reservation(wanting("first", 7).toBuilder()
                        .podUid(aPod("first").build().uid().value())
                        .build())
                .settle();
        scene.silent(false).pass(A_BATCH).pass(A_BATCH);

        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
        scene.deleteReservation("first").settle();
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
        scene.pod(returning("back", "3 cpu"));
        assertThat(scene.matchOf("back")).startsWith("default/first-");
    }

    @Test
    void aReservationThatIsPartOfAHoldThatAdmitsItIsKeptOnAFullNode() {
        scene.tell(new Fact.HoldSeen(held("5 cpu").build())).pod(aPod("x").asking("3 cpu"));
        Draw draw = new Draw(
                new HoldId(R),
                aPod("successor")
                        .labelled("app", "web")
                        .annotated(ReturnKey.INDEX, "j")
                        .build());
        scene.reservation(wanting("part", 4).toBuilder().draw(Optional.of(draw)).build())
                .settle();

        assertThat(scene.cpuFree("n1")).isZero();
        assertThat(scene.cpuKept("n1")).isEqualTo(5_000);
        assertThat(scene.events).isEmpty();
        scene.restart();
        assertThat(scene.cpuKept("n1")).isEqualTo(5_000);
    }
}
