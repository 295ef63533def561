package dev.berth.core.door.godel;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pod that uses a shared hold requests a Reservation. */
class ReturnHoldDrawTest {
    private static final String R = "koordinator/r";

    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("4 cpu")).sync();

    private static HoldBuilder shared() {
        return aHold(R).on("n1").keeping("3 cpu", "10 pods");
    }

    private void hold(HoldBuilder hold) {
        scene.addObject(new Fact.HoldUpserted(hold.build()));
    }

    private static PodBuilder owner(String name) {
        return aPod(name).labelled("app", "web").asking("3 cpu").annotated(GodelAnnotations.INDEX, "i");
    }

    private static PodBuilder user(String name) {
        return owner(name)
                .annotated(GodelAnnotations.RESERVATION, "true")
                .on("n1")
                .using(R);
    }

    private String holdRecordedOn(String pod) {
        return scene.pod(pod).annotations().get(Claim.ANNOTATION).orElse("");
    }

    @ParameterizedTest
    @EnumSource(
            value = Origin.DoorId.class,
            names = {"KOORDINATOR", "NODE_ANNOTATION", "GLOBALRESERVE"})
    void returnHoldDrawsOnTheSharedHoldUntilTheSuccessorIsBound(Origin.DoorId doorId) {
        hold(shared().from(doorId, "shared")
                .until(scene.clock.instant().plusSeconds(900))
                .forPodsLabelled("app", "web"));
        scene.upsert(user("first")).upsert(user("first").terminating());
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);

        scene.deletePod("first");
        assertThat(scene.cpuFree("n1")).as("held once").isEqualTo(1_000);
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
        assertThat(scene.reservationNames()).containsExactly("first");

        scene.upsert(owner("second"));
        assertThat(scene.nodeOf("second")).isEqualTo("n1");
        assertThat(holdRecordedOn("second")).isEqualTo(R);
        assertThat(scene.matchedReservationOf("second")).isEqualTo("default/first-placeholder");
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void secondOwnerOfTheHoldDoesNotGetTheCapacityBeforeTheTtl() {
        hold(shared().forPodsLabelled("app", "web"));
        scene.upsert(user("first")).deletePod("first");
        scene.upsert(aPod("other").labelled("app", "web").asking("3 cpu"));
        assertThat(scene.nodeOf("other")).isEmpty();

        scene.advance(GodelScene.DEFAULT_TTL).advance(Duration.ofSeconds(20));
        assertThat(scene.nodeOf("other")).isEqualTo("n1");
        assertThat(holdRecordedOn("other")).isEqualTo(R);
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
    }

    @Test
    void restartAtAnyPointLeavesTheSameHolds() {
        hold(shared().forPodsLabelled("app", "web"));
        scene.upsert(user("first")).upsert(user("first").terminating()).restart();
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        scene.deletePod("first").restart();
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);

        scene.upsert(owner("second")).restart();
        assertThat(holdRecordedOn("second")).isEqualTo(R);
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void holdThatDoesNotAdmitTheSuccessorReclaimsItsCapacityWithAnEvent() {
        hold(shared().forPod("default/first").forPodsLabelled("app", "web"));
        scene.upsert(user("first"));
        hold(shared().forPodsLabelled("app", "other").listingUser("first"));
        scene.deletePod("first");

        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
        assertThat(scene.events)
                .contains("Pod default/first: No Reservation was created: the capacity returns to Reservation " + R
                        + ", which does not admit the pod's successor");
    }

    @Test
    void holdWhoseOwnersAreEditedReclaimsItsCapacityWithAnEvent() {
        hold(shared().forPodsLabelled("app", "web"));
        scene.upsert(user("first")).deletePod("first");
        assertThat(scene.reservationNames()).containsExactly("first");

        hold(shared().forPodsLabelled("app", "other"));
        scene.runTurns();

        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        assertThat(scene.events)
                .contains("Reservation default/first: The Reservation ended before its TTL: Reservation " + R
                        + " reclaimed its capacity on node n1");
    }

    @Test
    void podIsHeldOnceIfItsHoldAnnotationIsRemovedWhileItTerminatesAfterARestart() {
        hold(shared().forPodsLabelled("app", "web"));
        scene.upsert(user("first"));
        hold(shared().forPodsLabelled("app", "web").listingUser("first"));
        scene.restart();
        scene.upsert(owner("first")
                        .annotated(GodelAnnotations.RESERVATION, "true")
                        .on("n1")
                        .terminating())
                .deletePod("first");
        assertThat(scene.cpuFree("n1")).as("held once").isEqualTo(1_000);
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
    }

    @Test
    void podWithAForgedHoldAnnotationIsHeldOnDeletion() {
        scene.upsert(aNode("n1").with("8 cpu"));
        hold(shared().forPodsLabelled("app", "other"));
        scene.upsert(user("first")).deletePod("first");
        assertThat(scene.reservationNames()).containsExactly("first");
        assertThat(scene.cpuHeld("n1")).isEqualTo(6_000);
    }

    @Test
    void returnHoldKeepsItsFullSizeWhenTheHoldItDrawsOnEnds() {
        hold(shared().forPodsLabelled("app", "web"));
        scene.upsert(user("first")).deletePod("first");
        scene.apply(new Fact.HoldDeleted(new HoldId(R))).runTurns();

        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
        scene.upsert(owner("second"));
        assertThat(scene.nodeOf("second")).isEqualTo("n1");
        assertThat(scene.matchedReservationOf("second")).isEqualTo("default/first-placeholder");
    }

    @Test
    void podThatRemovesItsRecordDrawsOnItsHoldOnDeletion() {
        createPodAndRemoveItsHoldAnnotation();

        scene.deletePod("first");

        assertHeldOnce();
        scene.upsert(owner("second"));
        assertThat(holdRecordedOn("second")).isEqualTo(R);
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void podThatRemovesItsRecordAndFinishesDrawsOnItsHoldOnDeletion() {
        createPodAndRemoveItsHoldAnnotation();

        scene.upsert(podInHold().terminating().in(PodPhase.FAILED));

        assertHeldOnce();
    }

    @Test
    void podThatRemovesItsRecordDrawsOnItsHoldIfItIsDeletedWhileBerthIsDown() {
        createPodAndRemoveItsHoldAnnotation();

        scene.advance(Duration.ofSeconds(20)).deletePodUnseen("first").restartWithoutHistory();

        assertHeldOnce();
    }

    @Test
    void podThatOnlyItsHoldListsDrawsOnItIfThePodFinishesAfterARestart() {
        createPodAndRemoveItsHoldAnnotation();
        hold(shared().forPodsLabelled("app", "web").listingUser("first"));
        scene.restart();

        scene.upsert(podInHold().terminating().in(PodPhase.FAILED));

        assertHeldOnce();
    }

    @Test
    void deletedPodWithoutAnnotationDrawsOnTheHoldThatListsItAfterARestart() {
        createPodAndRemoveItsHoldAnnotation();
        hold(shared().forPodsLabelled("app", "web").listingUser("first"));

        scene.deletePodUnseen("first")
                .restart(podInHold().terminating().in(PodPhase.FAILED).build());

        assertHeldOnce();
    }

    @Test
    void successorThatRemovesItsRecordsKeepsItsClaimOfTheDrawingHold() {
        hold(shared().forPodsLabelled("app", "web"));
        scene.upsert(user("first")).deletePod("first").delayAnswers(true).upsert(owner("second"));
        assertThat(scene.nodeOf("second")).isEqualTo("n1");

        scene.upsert(owner("second").on("n1"));

        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        scene.delayAnswers(false);
        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
    }

    private void createPodAndRemoveItsHoldAnnotation() {
        hold(shared().forPodsLabelled("app", "web"));
        scene.upsert(owner("first").annotated(GodelAnnotations.RESERVATION, "true"));
        assertThat(holdRecordedOn("first")).isEqualTo(R);
        scene.upsert(podInHold());
    }

    private static PodBuilder podInHold() {
        return owner("first").annotated(GodelAnnotations.RESERVATION, "true").on("n1");
    }

    private void assertHeldOnce() {
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        assertThat(scene.cpuHeld("n1")).isEqualTo(3_000);
        assertThat(scene.reservationNames()).containsExactly("first");
    }

    @Test
    void podThatToleratesTheTaintOfItsHoldDrawsOnItIfThePodIsDeletedWhileBerthIsDown() {
        scene.addObject(new Fact.HoldUpserted(shared().forPodsLabelled("app", "web").build().toBuilder()
                .taints(List.of(new Taint("team", "a", Taint.TaintEffect.NO_SCHEDULE)))
                .build()));
        scene.upsert(owner("first")
                .annotated(GodelAnnotations.RESERVATION, "true")
                .withSpec(spec -> spec.tolerations(
                        List.of(new Toleration("team", Toleration.Operator.EQUAL, "a", Optional.empty())))));
        assertThat(holdRecordedOn("first")).isEqualTo(R);

        scene.advance(Duration.ofSeconds(20)).deletePodUnseen("first").restartWithoutHistory();

        assertHeldOnce();
    }

    @Test
    void placeOfAPodThatUsedNoHoldIsHeldInAdditionToTheHoldThatAdmitsThePod() {
        scene.upsert(aNode("n1").with("8 cpu"));
        hold(shared().forPodsLabelled("app", "web"));
        scene.upsert(owner("first")
                        .annotated(GodelAnnotations.RESERVATION, "true")
                        .on("n1"))
                .deletePod("first");

        assertThat(scene.cpuHeld("n1")).isEqualTo(6_000);
    }
}
