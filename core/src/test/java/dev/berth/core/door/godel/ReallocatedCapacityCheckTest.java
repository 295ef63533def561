package dev.berth.core.door.godel;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Berth is killed after it reallocated the capacity of a hold, and before a write shows it. */
class ReallocatedCapacityCheckTest {
    private static final String R = "koordinator/r";
    private static final Duration A_BATCH = Duration.ofSeconds(1);

    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("4 cpu")).sync();

    private static PodBuilder owner(String name) {
        return aPod(name)
                .labelled("app", "web")
                .asking("3 cpu")
                .annotated(GodelAnnotations.INDEX, "i")
                .annotated(GodelAnnotations.RESERVATION, "true");
    }

    private static HoldBuilder shared() {
        return aHold(R).on("n1").keeping("3 cpu", "10 pods");
    }

    /** The hold of the pod draws on a hold whose owners change, which reclaims its capacity and ends. */
    private void breakTheDraw() {
        scene.apply(new Fact.HoldUpserted(
                        shared().forPodsLabelled("app", "other").build()))
                .runTurns();
        scene.apply(new Fact.HoldDeleted(new HoldId(R))).runTurns();
        scene.upsert(aPod("x").asking("4 cpu"));
        assertThat(scene.nodeOf("x")).isEqualTo("n1");
    }

    @Test
    void reservationWithABrokenDrawIsNotHeldAgainIfItsDeletionIsDenied() {
        scene.apply(new Fact.HoldUpserted(shared().forPodsLabelled("app", "web").build()));
        scene.upsert(owner("first"))
                .advance(A_BATCH)
                .deletePod("first")
                .setServerMode(SchedulerScene.ServerMode.DENYING);
        breakTheDraw();
        scene.advance(A_BATCH).advance(A_BATCH).restart();

        assertThat(scene.cpuFree("n1")).isZero();
        assertThat(scene.events)
                .contains(
                        "Reservation default/first: The Reservation ended before its TTL: its capacity on node n1 was allocated to other pods"
                                + " before Berth restarted");
        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING)
                .advance(A_BATCH)
                .advance(Duration.ofSeconds(20));
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void reservationWithABrokenDrawIsNotHeldAgainIfItsDeletionWaitsForTheCheckpoint() {
        scene.apply(new Fact.HoldUpserted(shared().forPodsLabelled("app", "web").build()));
        scene.upsert(owner("first")).advance(Duration.ofSeconds(20)).deletePod("first");
        breakTheDraw();
        scene.restart();

        assertThat(scene.cpuFree("n1")).isZero();
        scene.advance(A_BATCH).advance(A_BATCH);
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    private PodBuilder finished(Instant deletion) {
        return owner("first")
                .annotated(GodelAnnotations.TTL, "10")
                .on("n1")
                .terminating()
                .in(PodPhase.FAILED)
                .with(pod -> pod.deletionTimestamp(Optional.of(deletion)));
    }

    @Test
    void finishedPodWithAnExpiredReservationGetsNoSecondOneDuringItsGracePeriod() {
        scene.upsert(owner("first").annotated(GodelAnnotations.TTL, "10").on("n1"))
                .advance(Duration.ofSeconds(20));
        Instant deletion = scene.clock.instant().plusSeconds(30);
        scene.upsert(finished(deletion)).advance(Duration.ofSeconds(11)).advance(A_BATCH);
        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.events)
                .contains(
                        "Reservation default/first: No pod returned to node n1 before the Reservation expired. Its capacity is free.");

        scene.restart();
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.upsert(aPod("x").asking("4 cpu"));
        assertThat(scene.nodeOf("x")).isEqualTo("n1");

        scene.advance(Duration.ofSeconds(30)).advance(A_BATCH);
        assertThat(scene.reservationNames())
                .as("a restarted Berth would not hold the capacity again")
                .isEmpty();
        scene.restart();
        assertThat(scene.cpuFree("n1")).isZero();
    }

    @Test
    void finishedPodWithoutAWrittenReservationHoldsNoReallocatedCapacity() {
        scene.upsert(owner("first").annotated(GodelAnnotations.TTL, "10").on("n1"))
                .advance(Duration.ofSeconds(20));
        scene.setServerMode(SchedulerScene.ServerMode.DENYING);
        Instant deletion = scene.clock.instant().plusSeconds(30);
        scene.upsert(finished(deletion)).advance(Duration.ofSeconds(11)).advance(A_BATCH);
        scene.upsert(aPod("x").asking("4 cpu"));
        assertThat(scene.nodeOf("x")).isEqualTo("n1");

        scene.restart();
        assertThat(scene.cpuFree("n1")).isZero();
        assertThat(scene.events)
                .contains(
                        "Pod default/first: No Reservation was created: node n1 has insufficient capacity for it next to other pods after Berth restarted");
    }

    @Test
    void podThatFinishedBeforeTheCheckpointBatchHoldsNoReallocatedCapacity() {
        scene.upsert(owner("first").on("n1")).advance(A_BATCH).advance(A_BATCH).finishPod("first");
        scene.upsert(aPod("x").asking("4 cpu"));
        assertThat(scene.nodeOf("x")).isEqualTo("n1");

        scene.deletePodUnseen("first").restartWithoutHistory();

        assertThat(scene.cpuFree("n1")).isZero();
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.events)
                .contains(
                        "Pod default/first: No Reservation was created: node n1 has insufficient capacity for it next to other pods after Berth restarted");
        scene.advance(A_BATCH).advance(A_BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    private void leaveReservation() {
        scene.upsert(owner("first").on("n1")).advance(Duration.ofSeconds(20)).deletePod("first");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
    }

    private void assertHeldAfterRestart() {
        scene.restart();
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
        assertThat(scene.reservationNames()).containsExactly("first");
        scene.restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
    }

    @Test
    void holdStaysIfAPodOfADifferentSchedulerUsesItsCapacity() {
        leaveReservation();
        scene.upsert(aPod("intruder").asking("4 cpu").on("n1").with(pod -> pod.schedulerName("another")));
        assertThat(scene.cpuFree("n1")).isEqualTo(-3_000);

        assertHeldAfterRestart();
    }

    @Test
    void placeOfAPodDeletedWhileBerthWasDownIsHeldNextToAPodOfADifferentScheduler() {
        scene.upsert(owner("first").on("n1")).advance(A_BATCH).advance(A_BATCH);
        scene.deletePodUnseen("first")
                .upsertUnseen(aPod("intruder").asking("4 cpu").on("n1").with(pod -> pod.schedulerName("another")))
                .restartWithoutHistory();

        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
        assertThat(scene.reservationNames()).containsExactly("first");
    }

    @Test
    void holdStaysOnAShrunkNodeIfAllPodsAreOlder() {
        Instant before = scene.clock.instant();
        scene.upsert(aPod("older").asking("1 cpu").on("n1").with(pod -> pod.startTime(Optional.of(before))));
        leaveReservation();
        scene.upsert(aNode("n1").with("3 cpu"));
        assertThat(scene.cpuFree("n1")).isEqualTo(-1_000);

        assertHeldAfterRestart();
    }

    @Test
    void holdStaysWhenAHandWrittenReservationExceedsFreeCapacity() {
        leaveReservation();
        scene.upsertReservation(scene.handWrittenReservation("huge").toBuilder()
                        .size(Resources.of(ResourceName.CPU, 100_000).plus(Resources.of(ResourceName.PODS, 1)))
                        .build())
                .runTurns();
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);

        scene.restart();
        assertThat(scene.reservationNames()).containsExactly("first", "huge");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
    }

    @Test
    void holdStaysWhenANodeAnnotationExceedsTheNode() {
        leaveReservation();
        scene.addObject(new Fact.HoldUpserted(aHold("node-annotation/n1")
                        .on("n1")
                        .keeping("4 cpu")
                        .from(Origin.DoorId.NODE_ANNOTATION, "annotation")
                        .forAllPods()
                        .build()))
                .runTurns();

        scene.restart();
        assertThat(scene.cpuHeld("n1")).isEqualTo(7_000);
    }

    @Test
    void holdStaysIfAStaticPodUsesItsCapacity() {
        leaveReservation();
        scene.upsert(aPod("static")
                .asking("4 cpu")
                .on("n1")
                .with(pod -> pod.controller(Optional.of(new ControllerRef("v1", "Node", "n1", "node-uid")))));
        assertThat(scene.cpuFree("n1")).isEqualTo(-3_000);

        assertHeldAfterRestart();
    }

    /** The TTL expires before anything is written, and a new pod gets the capacity. */
    private void reallocateUnwrittenReservation() {
        scene.upsert(owner("first").annotated(GodelAnnotations.TTL, "5").on("n1"))
                .advance(A_BATCH)
                .advance(A_BATCH);
        scene.delayAnswers(true).deletePod("first").advance(Duration.ofSeconds(6));
        scene.upsert(aPod("x").asking("3 cpu"));
        assertThat(scene.nodeOf("x")).isEqualTo("n1");
    }

    @Test
    void deletedPodGetsNoHoldOnReallocatedCapacityNextToAnOldPodOfADifferentScheduler() {
        addOldPodOfAnotherScheduler();
        reallocateUnwrittenReservation();

        scene.restartWithoutHistory();
        assertThat(scene.cpuFree("n1")).isZero();
        assertThat(scene.events)
                .contains(
                        "Pod default/first: No Reservation was created: node n1 has insufficient capacity for it next to other pods after Berth restarted");
    }

    @Test
    void reservationIsNotHeldOnReallocatedCapacityNextToAnOldPodOfADifferentScheduler() {
        addOldPodOfAnotherScheduler();
        leaveReservation();
        scene.setServerMode(SchedulerScene.ServerMode.DENYING).advance(GodelScene.DEFAULT_TTL);
        scene.upsert(aPod("x").asking("3 cpu"));
        assertThat(scene.nodeOf("x")).isEqualTo("n1");
        GodelReservation prolonged = scene.findReservation("first").orElseThrow();
        scene.upsertReservation(
                prolonged.toBuilder().ttlSeconds(Optional.of(3_600L)).build());

        scene.restart();
        assertThat(scene.cpuFree("n1")).isZero();
    }

    /** It uses as much as the hold needs. */
    private void addOldPodOfAnotherScheduler() {
        Optional<Instant> longAgo = Optional.of(scene.clock.instant().minusSeconds(3600));
        scene.upsert(aNode("n1").with("7 cpu"));
        scene.upsert(aPod("daemon")
                .asking("4 cpu")
                .on("n1")
                .with(pod -> pod.schedulerName("another").startTime(longAgo)));
    }

    @Test
    void ofTwoReservationsThatDoNotFitTheCheckpointedOneIsHeldAndTheOtherExpires() {
        leaveReservation();
        GodelReservation older = scene.findReservation("first").orElseThrow();
        scene.deleteReservation("first").runTurns();
        scene.upsert(owner("x").asking("4 cpu")).advance(Duration.ofSeconds(20)).deletePod("x");
        assertThat(scene.reservationNames()).containsExactly("x");
        // Berth was killed before it deleted the older Reservation.
        scene.setServerMode(SchedulerScene.ServerMode.WATCH_STALLED).upsertReservation(older);

        scene.restart();
        assertThat(scene.cpuHeld("n1")).isEqualTo(4_000);
        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING)
                .advance(GodelScene.DEFAULT_TTL.minusSeconds(20))
                .advance(A_BATCH);
        assertThat(scene.cpuHeld("n1")).isEqualTo(4_000);
        assertThat(scene.reservationNames()).containsExactly("x");
    }
}
