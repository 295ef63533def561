package dev.berth.core.door.comeback;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A pod that uses a shared hold asks that its place be kept when it is deleted. */
class ReturnInsideHoldTest {
    private static final String R = "reservation/r";

    private final Scene scene = new Scene().node(aNode("n1").with("4 cpu")).listed();

    private static HoldBuilder shared() {
        return aHold(R).on("n1").keeping("3 cpu", "10 pods");
    }

    private void hold(HoldBuilder hold) {
        scene.tell(new Fact.HoldSeen(hold.build()));
    }

    private static PodBuilder owner(String name) {
        return aPod(name).labelled("app", "web").asking("3 cpu").annotated(ReturnKey.INDEX, "i");
    }

    private static PodBuilder user(String name) {
        return owner(name).annotated(Words.RESERVATION, "true").on("n1").using(R);
    }

    private String claimOf(String pod) {
        return scene.podNamed(pod).annotations().get(Claim.ANNOTATION).orElse("");
    }

    @ParameterizedTest
    @EnumSource(
            value = Origin.Door.class,
            names = {"RESERVATION", "NODE_ANNOTATION", "RESERVE"})
    void theReturnHoldIsPartOfTheSharedHoldUntilTheSuccessorComes(Origin.Door door) {
        hold(shared().from(door, "shared")
                .until(scene.clock.instant().plusSeconds(900))
                .forPodsLabelled("app", "web"));
        scene.pod(user("first")).pod(user("first").terminating());
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);

        scene.delete("first");
        assertThat(scene.cpuFree("n1")).as("kept once").isEqualTo(1_000);
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
        assertThat(scene.reservations()).containsExactly("first");

        scene.pod(owner("second"));
        assertThat(scene.nodeOf("second")).isEqualTo("n1");
        assertThat(claimOf("second")).isEqualTo(R);
        assertThat(scene.matchOf("second")).isEqualTo("default/first-placeholder");
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        assertThat(scene.cpuKept("n1")).isZero();
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void anotherOwnerOfTheHoldDoesNotGetTheRoomBeforeTheTimeIsOver() {
        hold(shared().forPodsLabelled("app", "web"));
        scene.pod(user("first")).delete("first");
        scene.pod(aPod("other").labelled("app", "web").asking("3 cpu"));
        assertThat(scene.nodeOf("other")).isEmpty();

        scene.pass(Scene.USUAL).pass(Duration.ofSeconds(20));
        assertThat(scene.nodeOf("other")).isEqualTo("n1");
        assertThat(claimOf("other")).isEqualTo(R);
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
    }

    @Test
    void aRestartAtAnyPointGivesTheSameAnswer() {
        hold(shared().forPodsLabelled("app", "web"));
        scene.pod(user("first")).pod(user("first").terminating()).restart();
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        scene.delete("first").restart();
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);

        scene.pod(owner("second")).restart();
        assertThat(claimOf("second")).isEqualTo(R);
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void aHoldThatDoesNotAdmitTheSuccessorTakesItsRoomBackAndAnEventSaysSo() {
        hold(shared().forPod("default/first").forPodsLabelled("app", "web"));
        scene.pod(user("first"));
        hold(shared().forPodsLabelled("app", "other").listing("first"));
        scene.delete("first");

        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
        assertThat(scene.events)
                .contains("Pod default/first: no reservation was created: the room goes back to Reservation " + R
                        + ", which does not admit the pod's successor");
    }

    @Test
    void aHoldWhoseOwnersAreEditedTakesItsRoomBackAndAnEventSaysSo() {
        hold(shared().forPodsLabelled("app", "web"));
        scene.pod(user("first")).delete("first");
        assertThat(scene.reservations()).containsExactly("first");

        hold(shared().forPodsLabelled("app", "other"));
        scene.settle();

        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        assertThat(scene.events)
                .contains("Reservation default/first: the reservation ended: Reservation " + R
                        + " takes its room on node n1 back");
    }

    @Test
    void aRecordThatIsRemovedWhileThePodTerminatesAfterARestartKeepsThePlaceOnce() {
        hold(shared().forPodsLabelled("app", "web"));
        scene.pod(user("first"));
        hold(shared().forPodsLabelled("app", "web").listing("first"));
        scene.restart();
        scene.pod(owner("first").annotated(Words.RESERVATION, "true").on("n1").terminating())
                .delete("first");
        assertThat(scene.cpuFree("n1")).as("kept once").isEqualTo(1_000);
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
    }

    @Test
    void aFalseRecordDoesNotCostThePodItsPlace() {
        scene.node(aNode("n1").with("8 cpu"));
        hold(shared().forPodsLabelled("app", "other"));
        scene.pod(user("first")).delete("first");
        assertThat(scene.reservations()).containsExactly("first");
        assertThat(scene.cpuKept("n1")).isEqualTo(6_000);
    }

    @Test
    void aHoldThatEndsLeavesTheReturnHoldWhole() {
        hold(shared().forPodsLabelled("app", "web"));
        scene.pod(user("first")).delete("first");
        scene.hear(new Fact.HoldGone(new HoldId(R))).settle();

        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
        scene.pod(owner("second"));
        assertThat(scene.nodeOf("second")).isEqualTo("n1");
        assertThat(scene.matchOf("second")).isEqualTo("default/first-placeholder");
    }

    @Test
    void aPodThatRemovesItsRecordLeavesItsPlaceInsideTheHold() {
        placedAndWithoutRecord();

        scene.delete("first");

        isKeptOnce();
        scene.pod(owner("second"));
        assertThat(claimOf("second")).isEqualTo(R);
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void aPodThatRemovesItsRecordAndFinishesLeavesItsPlaceInsideTheHold() {
        placedAndWithoutRecord();

        scene.pod(placed().terminating().in(Phase.FAILED));

        isKeptOnce();
    }

    @Test
    void aPodThatRemovesItsRecordAndGoesWhileNoBerthRunsLeavesItsPlaceInsideTheHold() {
        placedAndWithoutRecord();

        scene.pass(Duration.ofSeconds(20)).deleteUnseen("first").restartWithoutHistory();

        isKeptOnce();
    }

    @Test
    void aPodThatOnlyItsHoldListsAndThatFinishesAfterARestartLeavesItsPlaceInsideTheHold() {
        placedAndWithoutRecord();
        hold(shared().forPodsLabelled("app", "web").listing("first"));
        scene.restart();

        scene.pod(placed().terminating().in(Phase.FAILED));

        isKeptOnce();
    }

    @Test
    void aPodThatOnlyItsHoldListsAndThatFinishesWhileNoBerthRunsLeavesItsPlaceInsideTheHold() {
        placedAndWithoutRecord();
        hold(shared().forPodsLabelled("app", "web").listing("first"));

        scene.deleteUnseen("first")
                .restart(placed().terminating().in(Phase.FAILED).build());

        isKeptOnce();
    }

    @Test
    void aSuccessorThatRemovesItsRecordsKeepsThePlaceInsideTheHold() {
        hold(shared().forPodsLabelled("app", "web"));
        scene.pod(user("first")).delete("first").silent(true).pod(owner("second"));
        assertThat(scene.nodeOf("second")).isEqualTo("n1");

        scene.pod(owner("second").on("n1"));

        assertThat(scene.cpuKept("n1")).isZero();
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        scene.silent(false);
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
    }

    private void placedAndWithoutRecord() {
        hold(shared().forPodsLabelled("app", "web"));
        scene.pod(owner("first").annotated(Words.RESERVATION, "true"));
        assertThat(claimOf("first")).isEqualTo(R);
        scene.pod(placed());
    }

    private static PodBuilder placed() {
        return owner("first").annotated(Words.RESERVATION, "true").on("n1");
    }

    private void isKeptOnce() {
        assertThat(scene.cpuFree("n1")).isEqualTo(1_000);
        assertThat(scene.cpuKept("n1")).isEqualTo(3_000);
        assertThat(scene.reservations()).containsExactly("first");
    }

    @Test
    void aPodThatToleratesTheTaintOfItsHoldLeavesItsPlaceThereWhileNoBerthRuns() {
        scene.tell(new Fact.HoldSeen(shared().forPodsLabelled("app", "web").build().toBuilder()
                .taints(List.of(new Taint("team", "a", Taint.Effect.NO_SCHEDULE)))
                .build()));
        scene.pod(owner("first")
                .annotated(Words.RESERVATION, "true")
                .shaped(shape -> shape.tolerations(
                        List.of(new Toleration("team", Toleration.Operator.EQUAL, "a", Optional.empty())))));
        assertThat(claimOf("first")).isEqualTo(R);

        scene.pass(Duration.ofSeconds(20)).deleteUnseen("first").restartWithoutHistory();

        isKeptOnce();
    }

    @Test
    void aPodThatUsedNoHoldLeavesAPlaceBesideTheHoldThatAdmitsIt() {
        scene.node(aNode("n1").with("8 cpu"));
        hold(shared().forPodsLabelled("app", "web"));
        scene.pod(owner("first").annotated(Words.RESERVATION, "true").on("n1")).delete("first");

        assertThat(scene.cpuKept("n1")).isEqualTo(6_000);
    }
}
