package dev.berth.core.door.comeback;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.Phase;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Berth is killed after it gave the room of a place away, and before anything durable says so. */
class RoomGivenAwayTest {
    private static final String R = "reservation/r";
    private static final Duration A_BATCH = Duration.ofSeconds(1);

    private final Scene scene = new Scene().node(aNode("n1").with("4 cpu")).listed();

    private static PodBuilder owner(String name) {
        return aPod(name)
                .labelled("app", "web")
                .asking("3 cpu")
                .annotated(ReturnKey.INDEX, "i")
                .annotated(Words.RESERVATION, "true");
    }

    private static HoldBuilder shared() {
        return aHold(R).on("n1").keeping("3 cpu", "10 pods");
    }

    /** The place of the pod draws on a hold, which then is for other pods, takes the room back and ends. */
    private void breakTheDraw() {
        scene.hear(new Fact.HoldSeen(shared().forPodsLabelled("app", "other").build()))
                .settle();
        scene.hear(new Fact.HoldGone(new HoldId(R))).settle();
        scene.pod(aPod("x").asking("4 cpu"));
        assertThat(scene.nodeOf("x")).isEqualTo("n1");
    }

    @Test
    void aPlaceWhoseDrawBrokeDoesNotComeBackWhenItsDeletionIsDenied() {
        scene.hear(new Fact.HoldSeen(shared().forPodsLabelled("app", "web").build()));
        scene.pod(owner("first")).pass(A_BATCH).delete("first").server(Scene.Mood.DENYING);
        breakTheDraw();
        scene.pass(A_BATCH).pass(A_BATCH).restart();

        assertThat(scene.cpuFree("n1")).isZero();
        assertThat(scene.events)
                .contains(
                        "Reservation default/first: the reservation ended: its room on node n1 was given to other pods"
                                + " before Berth restarted");
        scene.server(Scene.Mood.TAKING).pass(A_BATCH).pass(Duration.ofSeconds(20));
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void aPlaceWhoseDrawBrokeDoesNotComeBackWhenItsDeletionWaitsForTheCheckpoint() {
        scene.hear(new Fact.HoldSeen(shared().forPodsLabelled("app", "web").build()));
        scene.pod(owner("first")).pass(Duration.ofSeconds(20)).delete("first");
        breakTheDraw();
        scene.restart();

        assertThat(scene.cpuFree("n1")).isZero();
        scene.pass(A_BATCH).pass(A_BATCH);
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    private PodBuilder finished(Instant deletion) {
        return owner("first")
                .annotated(Words.TTL, "10")
                .on("n1")
                .terminating()
                .in(Phase.FAILED)
                .with(pod -> pod.deletion(Optional.of(deletion)));
    }

    @Test
    void aFinishedPodWhosePlaceIsOverGetsNoSecondPlaceThoughItsGracePeriodLasts() {
        scene.pod(owner("first").annotated(Words.TTL, "10").on("n1")).pass(Duration.ofSeconds(20));
        Instant deletion = scene.clock.instant().plusSeconds(30);
        scene.pod(finished(deletion)).pass(Duration.ofSeconds(11)).pass(A_BATCH);
        assertThat(scene.cpuKept("n1")).isZero();
        assertThat(scene.events)
                .contains(
                        "Reservation default/first: No pod returned to node n1 before the Reservation expired. Its room is free.");

        scene.restart();
        assertThat(scene.cpuKept("n1")).isZero();
        scene.pod(aPod("x").asking("4 cpu"));
        assertThat(scene.nodeOf("x")).isEqualTo("n1");

        scene.pass(Duration.ofSeconds(30)).pass(A_BATCH);
        assertThat(scene.reservations())
                .as("nothing would keep the place again")
                .isEmpty();
        scene.restart();
        assertThat(scene.cpuFree("n1")).isZero();
    }

    @Test
    void aFinishedPodWhosePlaceCouldNotBeWrittenKeepsNoRoomThatWasGivenAway() {
        scene.pod(owner("first").annotated(Words.TTL, "10").on("n1")).pass(Duration.ofSeconds(20));
        scene.server(Scene.Mood.DENYING);
        Instant deletion = scene.clock.instant().plusSeconds(30);
        scene.pod(finished(deletion)).pass(Duration.ofSeconds(11)).pass(A_BATCH);
        scene.pod(aPod("x").asking("4 cpu"));
        assertThat(scene.nodeOf("x")).isEqualTo("n1");

        scene.restart();
        assertThat(scene.cpuFree("n1")).isZero();
        assertThat(scene.events)
                .contains("Pod default/first: no reservation was created: there is no room for it on node n1 beside"
                        + " other pods after Berth restarted");
    }

    @Test
    void aPodThatEndedByItselfBeforeTheBatchKeepsNoRoomThatWasGivenAway() {
        scene.pod(owner("first").on("n1")).pass(A_BATCH).pass(A_BATCH).endByItself("first");
        scene.pod(aPod("x").asking("4 cpu"));
        assertThat(scene.nodeOf("x")).isEqualTo("n1");

        scene.deleteUnseen("first").restartWithoutHistory();

        assertThat(scene.cpuFree("n1")).isZero();
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.events)
                .contains("Pod default/first: no reservation was created: there is no room for it on node n1 beside"
                        + " other pods after Berth restarted");
        scene.pass(A_BATCH).pass(A_BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    private void leaveAPlace() {
        scene.pod(owner("first").on("n1")).pass(Duration.ofSeconds(20)).delete("first");
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
    }

    private void staysAfterARestart() {
        scene.restart();
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
        assertThat(scene.reservations()).containsExactly("first");
        scene.restartWithoutHistory();
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
    }

    @Test
    void aPlaceStaysWhereAPodOfAnotherSchedulerUsesItsRoom() {
        leaveAPlace();
        scene.pod(aPod("intruder").asking("4 cpu").on("n1").with(pod -> pod.schedulerName("another")));
        assertThat(scene.cpuFree("n1")).isEqualTo(-3_000);

        staysAfterARestart();
    }

    @Test
    void thePlaceOfAPodThatWasDeletedWhileBerthWasDownIsKeptBesideAPodOfAnotherScheduler() {
        scene.pod(owner("first").on("n1")).pass(A_BATCH).pass(A_BATCH);
        scene.deleteUnseen("first")
                .createUnseen(aPod("intruder").asking("4 cpu").on("n1").with(pod -> pod.schedulerName("another")))
                .restartWithoutHistory();

        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
        assertThat(scene.reservations()).containsExactly("first");
    }

    @Test
    void aPlaceStaysOnANodeThatShrankIfAllPodsThereAreOlder() {
        Instant before = scene.clock.instant();
        scene.pod(aPod("older").asking("1 cpu").on("n1").with(pod -> pod.started(Optional.of(before))));
        leaveAPlace();
        scene.node(aNode("n1").with("3 cpu"));
        assertThat(scene.cpuFree("n1")).isEqualTo(-1_000);

        staysAfterARestart();
    }

    @Test
    void aPlaceStaysBesideAReservationThatAPersonWroteBeyondTheFreeRoom() {
        leaveAPlace();
        scene.reservation(scene.byHand("huge").toBuilder()
                        .size(Resources.of(ResourceName.CPU, 100_000).plus(Resources.of(ResourceName.PODS, 1)))
                        .build())
                .settle();
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);

        scene.restart();
        assertThat(scene.reservations()).containsExactly("first", "huge");
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
    }

    @Test
    void aPlaceStaysBesideAnAnnotationThatKeepsMoreThanTheNodeHas() {
        leaveAPlace();
        scene.tell(new Fact.HoldSeen(aHold("node-annotation/n1")
                        .on("n1")
                        .keeping("4 cpu")
                        .from(Origin.Door.NODE_ANNOTATION, "annotation")
                        .forEverybody()
                        .build()))
                .settle();

        scene.restart();
        assertThat(scene.cpuKept("n1")).isEqualTo(7_000);
    }

    @Test
    void aPlaceStaysWhereAStaticPodUsesItsRoom() {
        leaveAPlace();
        scene.pod(aPod("static")
                .asking("4 cpu")
                .on("n1")
                .with(pod -> pod.controller(Optional.of(new ControllerRef("v1", "Node", "n1", "node-uid")))));
        assertThat(scene.cpuFree("n1")).isEqualTo(-3_000);

        staysAfterARestart();
    }

    /** The time of the place is over before anything of it can be written, and another pod gets the room. */
    private void giveTheRoomOfAnUnwrittenPlaceAway() {
        scene.pod(owner("first").annotated(Words.TTL, "5").on("n1"))
                .pass(A_BATCH)
                .pass(A_BATCH);
        scene.silent(true).delete("first").pass(Duration.ofSeconds(6));
        scene.pod(aPod("x").asking("3 cpu"));
        assertThat(scene.nodeOf("x")).isEqualTo("n1");
    }

    @Test
    void aPlaceWhoseRoomWasGivenAwayIsNotKeptBesideAnOldPodOfAnotherScheduler() {
        besideAnOldPodOfAnotherScheduler();
        giveTheRoomOfAnUnwrittenPlaceAway();

        scene.restartWithoutHistory();
        assertThat(scene.cpuFree("n1")).isZero();
        assertThat(scene.events)
                .contains("Pod default/first: no reservation was created: there is no room for it on node n1 beside"
                        + " other pods after Berth restarted");
    }

    @Test
    void aWrittenPlaceWhoseRoomWasGivenAwayIsNotKeptBesideAnOldPodOfAnotherScheduler() {
        besideAnOldPodOfAnotherScheduler();
        leaveAPlace();
        scene.server(Scene.Mood.DENYING).pass(Scene.USUAL);
        scene.pod(aPod("x").asking("3 cpu"));
        assertThat(scene.nodeOf("x")).isEqualTo("n1");
        Placeholder prolonged = scene.reservation("first").orElseThrow();
        scene.reservation(prolonged.toBuilder().ttl(Optional.of(3_600L)).build());

        scene.restart();
        assertThat(scene.cpuFree("n1")).isZero();
    }

    /** It uses as much as the place is to keep. */
    private void besideAnOldPodOfAnotherScheduler() {
        Optional<Instant> longAgo = Optional.of(scene.clock.instant().minusSeconds(3600));
        scene.node(aNode("n1").with("7 cpu"));
        scene.pod(aPod("daemon")
                .asking("4 cpu")
                .on("n1")
                .with(pod -> pod.schedulerName("another").started(longAgo)));
    }

    @Test
    void ofTwoPlacesThatDoNotFitTheOneOfTheCheckpointIsKeptAndTheOtherEndsInItsTime() {
        leaveAPlace();
        Placeholder older = scene.reservation("first").orElseThrow();
        scene.deleteReservation("first").settle();
        scene.pod(owner("x").asking("4 cpu")).pass(Duration.ofSeconds(20)).delete("x");
        assertThat(scene.reservations()).containsExactly("x");
        // The deletion of the older one was not written before the process was killed.
        scene.server(Scene.Mood.HIDING).reservation(older);

        scene.restart();
        assertThat(scene.cpuKept("n1")).isEqualTo(4_000);
        scene.server(Scene.Mood.TAKING).pass(Scene.USUAL.minusSeconds(20)).pass(A_BATCH);
        assertThat(scene.cpuKept("n1")).isEqualTo(4_000);
        assertThat(scene.reservations()).containsExactly("x");
    }
}
