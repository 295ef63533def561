package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An unused reservation leaves a node that is cordoned or deleted. The new place is held before the old one is free. */
class MovingReservationTest {
    private static final String READY = "Scheduled=true/Scheduled Ready=true/Available";

    private final KoordinatorScene cluster = new KoordinatorScene();

    private static NodeBuilder node(String name) {
        return aNode(name).with("8 cpu", "16Gi memory");
    }

    private static PodBuilder ownerThatToleratesCordons(String name) {
        return aPod(name).labelled("app", "web").asking("4 cpu").withSpec(spec -> spec.tolerations(TOLERATES_CORDONS));
    }

    private static final List<Toleration> TOLERATES_CORDONS = List.of(
            new Toleration("node.kubernetes.io/unschedulable", Toleration.Operator.EXISTS, "", Optional.empty()));

    private KoordinatorScene reservedOnN1(ReservationBuilder reservation) {
        return cluster.upsert(node("n1")).createReservation(reservation.requesting("6 cpu"));
    }

    private KoordinatorScene cordon(String name) {
        return cluster.upsert(node(name).unschedulable());
    }

    private String nodeOfReservation() {
        return cluster.status("r").nodeName();
    }

    private String message(ReservationCondition.Type type) {
        return cluster.status("r")
                .findCondition(type)
                .map(ReservationCondition::message)
                .orElse("");
    }

    private List<String> moves() {
        return cluster.events.stream()
                .filter(event -> event.startsWith("Moved:"))
                .toList();
    }

    @Test
    void anUnusedReservationLeavesACordonedNodeAtOnce() {
        reservedOnN1(aReservation("r")).upsert(node("n2"));
        cordon("n1");
        assertThat(nodeOfReservation()).isEqualTo("n2");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        assertThat(moves()).containsExactly("Moved: Moved from node n1 to node n2: node n1 is cordoned");
        assertThat(cluster.cpuFree("n1")).isEqualTo(8_000);
        assertThat(cluster.cpuFree("n2")).isEqualTo(2_000);
        assertThat(cluster.upsert(aPod("web").labelled("app", "web").asking("6 cpu"))
                        .nodeOf("web"))
                .isEqualTo("n2");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
    }

    @Test
    void bothPlacesAreHeldUntilTheStatusShowsTheNewNode() {
        reservedOnN1(aReservation("r"));
        cordon("n1").setServerMode(SchedulerScene.ServerMode.WATCH_STALLED);
        cluster.upsert(node("n2")).advance(Duration.ofSeconds(20));
        assertThat(nodeOfReservation()).as("at the API server").isEqualTo("n2");
        assertThat(cluster.cpuFree("n1")).isEqualTo(2_000);
        assertThat(cluster.cpuFree("n2")).isEqualTo(2_000);

        cluster.resumeWatch();
        assertThat(cluster.cpuFree("n1")).isEqualTo(8_000);
        assertThat(cluster.cpuFree("n2")).isEqualTo(2_000);
    }

    @Test
    void noPodUsesTheOldPlaceOnceTheNewOneIsFound() {
        reservedOnN1(aReservation("r")).upsert(node("n2")).delayAnswers(true);
        cordon("n1");
        cluster.upsert(ownerThatToleratesCordons("web"));
        assertThat(cluster.nodeOf("web")).isNotEqualTo("n1");
        cluster.delayAnswers(false).advance(Duration.ofSeconds(20));
        assertThat(nodeOfReservation()).isEqualTo("n2");
    }

    @Test
    void aReservationThatFitsNoOtherNodeStaysAndMovesWhenANodeIsAdded() {
        reservedOnN1(aReservation("r"));
        cordon("n1");
        assertThat(nodeOfReservation()).isEqualTo("n1");
        assertThat(cluster.conditions("r")).isEqualTo(READY + " NodeUsable=false/NodeUnschedulable");
        assertThat(message(ReservationCondition.Type.NODE_USABLE))
                .startsWith("node n1 is cordoned: ")
                .endsWith(". No other node fits: 0/1 nodes are available: 1 node(s) were unschedulable.");
        assertThat(cluster.cpuFree("n1")).isEqualTo(2_000);

        cluster.upsert(node("n2")).advance(Duration.ofSeconds(20));
        assertThat(nodeOfReservation()).isEqualTo("n2");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void oneEventSaysThatNoOtherNodeFits() {
        reservedOnN1(aReservation("r"));
        cordon("n1");
        cluster.upsert(aNode("small").with("1 cpu")).advance(Duration.ofMinutes(1));
        cluster.restart();
        assertThat(cluster.events)
                .filteredOn(event -> event.startsWith("MoveFailed"))
                .containsExactly("MoveFailed: The Reservation cannot move from node n1: node n1 is cordoned."
                        + " No other node fits: 0/1 nodes are available: 1 node(s) were unschedulable.");
        assertThat(cluster.eventTargetsOf("MoveFailed")).containsExactly("Reservation r");
    }

    @Test
    void aRestartWritesNothingForAReservationThatFitsNoOtherNode() {
        reservedOnN1(aReservation("r"));
        cordon("n1");
        int writes = cluster.writes;
        cluster.restart();
        assertThat(cluster.writes).isEqualTo(writes);
    }

    @Test
    void aReservationStaysIfItsNodeIsUncordonedBeforeAnotherNodeFits() {
        reservedOnN1(aReservation("r"));
        cordon("n1").upsert(node("n1")).upsert(node("n2")).advance(Duration.ofMinutes(1));
        assertThat(nodeOfReservation()).isEqualTo("n1");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        assertThat(moves()).isEmpty();
    }

    @Test
    void aUsedReservationStaysWithItsUsersAndMovesWhenTheyAreGone() {
        reservedOnN1(aReservation("r").shared())
                .upsert(aPod("web").labelled("app", "web").asking("2 cpu"))
                .upsert(node("n2"));
        cordon("n1");
        assertThat(nodeOfReservation()).isEqualTo("n1");
        assertThat(message(ReservationCondition.Type.NODE_USABLE))
                .endsWith(". The Reservation stays there while pods use it or are about to");

        cluster.deletePod("web");
        assertThat(nodeOfReservation()).isEqualTo("n2");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    /** Nobody uses the Reservation, so it must not stay on the cordoned node for ever. */
    @Test
    void aReservationMovesWhenThePreemptorThatItIsKeptForGetsAnotherNode() {
        cluster.withPreemption();
        reservedOnN1(aReservation("r").shared())
                .upsert(aPod("low").asking("2 cpu").ofPriority(1))
                .upsert(aPod("high").labelled("app", "web").asking("8 cpu").ofPriority(10));
        cordon("n1");
        assertThat(message(ReservationCondition.Type.NODE_USABLE))
                .endsWith(". The Reservation stays there while pods use it or are about to");

        cluster.upsert(aNode("n2").with("16 cpu", "16Gi memory")).advance(Duration.ofMinutes(1));

        assertThat(cluster.nodeOf("high")).isEqualTo("n2");
        assertThat(nodeOfReservation()).isEqualTo("n2");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anOwnerThatTakesTheOldPlaceEndsTheSearchForANewOne() {
        reservedOnN1(aReservation("r").shared());
        cordon("n1").upsert(ownerThatToleratesCordons("web")).upsert(node("n2")).advance(Duration.ofMinutes(1));
        assertThat(cluster.nodeOf("web")).isEqualTo("n1");
        assertThat(nodeOfReservation()).isEqualTo("n1");
        assertThat(cluster.status("r").currentOwners()).hasSize(1);
        assertThat(cluster.cpuFree("n2")).isEqualTo(8_000);
    }

    @Test
    void anOwnerThatIsBeingBoundKeepsTheReservationOnItsNode() {
        reservedOnN1(aReservation("r").shared()).setServerMode(SchedulerScene.ServerMode.SILENT);
        cluster.upsert(aPod("web").labelled("app", "web").asking("2 cpu")).upsert(node("n2"));
        cordon("n1").setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        assertThat(cluster.nodeOf("web")).isEqualTo("n1");
        assertThat(nodeOfReservation()).isEqualTo("n1");
    }

    @Test
    void aDeniedMoveLeavesTheOldPlaceUsableAndTheNewOneFree() {
        reservedOnN1(aReservation("r")).upsert(node("n2")).setServerMode(SchedulerScene.ServerMode.DENYING);
        cordon("n1").acceptBindsOnly();
        assertThat(cluster.cpuFree("n2")).isEqualTo(8_000);
        assertThat(cluster.upsert(ownerThatToleratesCordons("web")).nodeOf("web"))
                .isEqualTo("n1");
    }

    @Test
    void aDeniedMoveIsTriedAgain() {
        reservedOnN1(aReservation("r")).upsert(node("n2")).setServerMode(SchedulerScene.ServerMode.DENYING);
        cordon("n1").setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(2));
        assertThat(nodeOfReservation()).isEqualTo("n2");
    }

    @Test
    void aConflictKeepsBothPlacesUntilANewVersionShowsWhichOneCounts() {
        reservedOnN1(aReservation("r")).upsert(node("n2")).setServerMode(SchedulerScene.ServerMode.CONFLICTING);
        cordon("n1");
        assertThat(cluster.cpuFree("n1")).isEqualTo(2_000);
        assertThat(cluster.cpuFree("n2")).isEqualTo(2_000);
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(2));
        assertThat(nodeOfReservation()).isEqualTo("n2");
        assertThat(cluster.cpuFree("n1")).isEqualTo(8_000);
    }

    @Test
    void aDenialAfterAnAttemptThatMayHaveSucceededKeepsBothPlaces() {
        reservedOnN1(aReservation("r"));
        cordon("n1").setServerMode(SchedulerScene.ServerMode.WATCH_STALLED);
        cluster.upsert(node("n2")).advance(Duration.ofSeconds(2));
        assertThat(nodeOfReservation()).isEqualTo("n2");
        cluster.denyUnseen().advance(Duration.ofMinutes(1));
        assertThat(cluster.cpuFree("n1")).isEqualTo(2_000);
        assertThat(cluster.cpuFree("n2")).isEqualTo(2_000);
    }

    @Test
    void aRestartAfterTheWriteFindsTheNewPlaceAndBeforeItTheOldOne() {
        for (int parity : List.of(0, 1)) {
            KoordinatorScene scene = new KoordinatorScene();
            scene.upsert(node("n1")).createReservation(aReservation("r").requesting("6 cpu"));
            scene.upsert(node("n2")).delayAnswers(true).upsert(node("n1").unschedulable());
            scene.delayAnswers(false).delayAnswers(true);
            scene.loseAnswers(parity).restart();
            String place = scene.status("r").nodeName();
            assertThat(scene.cpuFree(place)).as(place).isEqualTo(2_000);
            scene.delayAnswers(false).advance(Duration.ofMinutes(1));
            assertThat(scene.status("r").nodeName()).isEqualTo("n2");
            assertThat(scene.cpuFree("n1")).isEqualTo(8_000);
        }
    }

    @Test
    void anEditWhileTheMoveIsWrittenIsAppliedToTheNextAttempt() {
        reservedOnN1(aReservation("r"))
                .upsert(node("n2"))
                .upsert(node("n3").labelled("disk", "ssd"))
                .delayAnswers(true);
        cordon("n1");
        cluster.edit(aReservation("r").requesting("6 cpu").withTemplate(spec -> spec.nodeAffinity(onSsd())));
        cluster.delayAnswers(false).advance(Duration.ofMinutes(1));
        assertThat(nodeOfReservation()).isEqualTo("n3");
        assertThat(cluster.cpuFree("n1")).isEqualTo(8_000);
        assertThat(cluster.cpuFree("n2")).isEqualTo(8_000);
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    private static NodeAffinity onSsd() {
        return new NodeAffinity(Labels.of("disk", "ssd"), Optional.empty(), List.of());
    }

    @Test
    void aDeletedReservationLeavesBothPlaces() {
        reservedOnN1(aReservation("r")).upsert(node("n2")).delayAnswers(true);
        cordon("n1").deleteReservation("r");
        assertThat(cluster.cpuFree("n1")).isEqualTo(8_000);
        assertThat(cluster.cpuFree("n2")).isEqualTo(8_000);
    }

    @Test
    void aReservationThatExpiresWhileItMovesEnds() {
        reservedOnN1(aReservation("r").until(cluster.clock.instant().plusSeconds(30)))
                .upsert(node("n2"))
                .delayAnswers(true);
        cordon("n1").advance(Duration.ofSeconds(40)).delayAnswers(false).advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
        assertThat(cluster.cpuFree("n1")).isEqualTo(8_000);
        assertThat(cluster.cpuFree("n2")).isEqualTo(8_000);
    }

    @Test
    void aReservationMovesAgainIfItsNewNodeIsCordonedToo() {
        reservedOnN1(aReservation("r")).upsert(node("n2")).delayAnswers(true);
        cordon("n1");
        cordon("n2").upsert(node("n3")).delayAnswers(false).advance(Duration.ofMinutes(1));
        assertThat(nodeOfReservation()).isEqualTo("n3");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void aReservationMovesElsewhereIfItsNewNodeIsDeletedWhileTheStatusIsWritten() {
        reservedOnN1(aReservation("r")).upsert(node("n2")).setServerMode(SchedulerScene.ServerMode.WATCH_STALLED);
        cordon("n1").deleteNode("n2").upsert(node("n2").uid("another").created(cluster.clock.instant()));
        cluster.resumeWatch().advance(Duration.ofMinutes(1));
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        assertThat(nodeOfReservation()).isEqualTo("n2");
        assertThat(cluster.cpuFree("n2")).isEqualTo(2_000);
        assertThat(cluster.restart().cpuFree("n2")).isEqualTo(2_000);
    }

    /** Whether another node fits at once, or only later. */
    @Test
    void atMost100ReservationsHoldTwoPlacesAtOnce() {
        cluster.upsert(large("n1"));
        for (int i = 0; i < 102; i++) {
            cluster.createReservation(aReservation("r" + i).requesting("1 cpu"));
        }
        cluster.upsert(large("n1").unschedulable()).delayAnswers(true);
        cluster.upsert(large("n2")).advance(Duration.ofSeconds(20));
        assertThat(cluster.cpuFree("n2")).isEqualTo(100_000);
        cluster.delayAnswers(false);
        assertThat(cluster.cpuFree("n2")).isEqualTo(98_000);
        assertThat(cluster.cpuFree("n1")).isEqualTo(200_000);

        cluster.upsert(large("n1")).delayAnswers(true).upsert(large("n2").unschedulable());
        assertThat(cluster.cpuFree("n1")).isEqualTo(100_000);
        cluster.delayAnswers(false);
        assertThat(cluster.cpuFree("n1")).isEqualTo(98_000);
    }

    private static NodeBuilder large(String name) {
        return aNode(name).with("200 cpu", "500 pods");
    }

    @Test
    void aReservationGetsAnotherPlaceWhenItsNodeIsDeleted() {
        reservedOnN1(aReservation("r")).upsert(node("n2")).deleteNode("n1");
        assertThat(nodeOfReservation()).isEqualTo("n2");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        assertThat(moves()).containsExactly("Moved: Moved from node n1 to node n2: node n1 was deleted");
        assertThat(cluster.restart().cpuFree("n2")).isEqualTo(2_000);
    }

    @Test
    void aReservationOnADeletedNodeSaysThatNoPodCanUseItUntilAnotherNodeFits() {
        reservedOnN1(aReservation("r")).deleteNode("n1");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/NodeDeleted");
        assertThat(message(ReservationCondition.Type.READY))
                .isEqualTo("node (n1) was deleted, so no pod can use the Reservation. No other node fits: no nodes"
                        + " available to schedule pods");
        assertThat(cluster.eventTargetsOf("NodeDeleted")).containsExactly("Reservation r");
        int writes = cluster.writes;
        assertThat(cluster.restart().writes).isEqualTo(writes);

        cluster.upsert(node("n2")).advance(Duration.ofSeconds(20));
        assertThat(nodeOfReservation()).isEqualTo("n2");
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void aReservationOnADeletedNodeExpiresAtItsDeadline() {
        reservedOnN1(aReservation("r").until(cluster.clock.instant().plusSeconds(600)))
                .deleteNode("n1")
                .advance(Duration.ofMinutes(10));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
        assertThat(message(ReservationCondition.Type.READY)).startsWith("the Reservation expired at ");
    }

    @Test
    void aReservationWhoseNodeWasDeletedWhileBerthWasDownGetsAnotherPlace() {
        reservedOnN1(aReservation("r"))
                .deleteNodeUnseen("n1")
                .upsertUnseen(node("n2"))
                .restart();
        assertThat(nodeOfReservation()).isEqualTo("n2");
        assertThat(cluster.cpuFree("n2")).isEqualTo(2_000);
    }

    @Test
    void aReservationMovesToTheNodeThatReplacedItsOwn() {
        reservedOnN1(aReservation("r"));
        cluster.upsert(node("n1").uid("another").created(cluster.clock.instant()));
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        assertThat(cluster.cpuFree("n1")).isEqualTo(2_000);
        assertThat(moves()).containsExactly("Moved: Moved from node n1 to node n1: node n1 was deleted");
        assertThat(cluster.restart().cpuFree("n1")).isEqualTo(2_000);
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anOwnerThatReturnsWithANodeOfTheSameNameGetsAnEvent() {
        reservedOnN1(aReservation("r").shared())
                .upsert(aPod("web").labelled("app", "web").asking("2 cpu"))
                .deleteNode("n1");
        assertThat(cluster.status("r").currentOwners()).isEmpty();
        cluster.upsert(node("n1").uid("another").created(cluster.clock.instant()))
                .advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").currentOwners()).hasSize(1);
        assertThat(cluster.events)
                .as("an event with the message of an earlier one is not written")
                .endsWith("Allocated: Pod default/web uses the Reservation again");
    }

    @Test
    void aSharedReservationLosesItsUsersWithTheirNodeAndGetsAnotherPlace() {
        reservedOnN1(aReservation("r").shared())
                .upsert(aPod("web").labelled("app", "web").asking("2 cpu"))
                .upsert(node("n2"))
                .deleteNode("n1");
        assertThat(nodeOfReservation()).isEqualTo("n2");
        assertThat(cluster.status("r").currentOwners()).isEmpty();
        assertThat(cluster.cpuFree("n2")).isEqualTo(2_000);
    }

    @Test
    void aReservationWithANodeNameStaysAndFailsWithItsNode() {
        reservedOnN1(aReservation("r").onNode("n1")).upsert(node("n2"));
        cordon("n1");
        assertThat(nodeOfReservation()).isEqualTo("n1");
        assertThat(message(ReservationCondition.Type.NODE_USABLE))
                .endsWith(". The Reservation stays there: spec.template.spec.nodeName is set");
        cluster.deleteNode("n1");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
    }

    @Test
    void aTemplateThatToleratesTheCordonStays() {
        reservedOnN1(aReservation("r").withTemplate(spec -> spec.tolerations(TOLERATES_CORDONS)))
                .upsert(node("n2"));
        cordon("n1");
        assertThat(nodeOfReservation()).isEqualTo("n1");
    }

    @Test
    void aTaintNoExecuteMovesTheReservationAndNoScheduleDoesNot() {
        reservedOnN1(aReservation("r")).upsert(node("n2"));
        cluster.upsert(node("n1").tainted("k", "v", Taint.TaintEffect.NO_SCHEDULE));
        assertThat(nodeOfReservation()).isEqualTo("n1");
        cluster.upsert(node("n1").tainted("k", "v", Taint.TaintEffect.NO_EXECUTE));
        assertThat(nodeOfReservation()).isEqualTo("n2");
        assertThat(moves())
                .containsExactly("Moved: Moved from node n1 to node n2: node n1 has the taint k=v:NoExecute");
    }

    @Test
    void aReservationOfAnotherSchedulerDoesNotMove() {
        cluster.upsert(node("n1")).upsert(node("n2"));
        ReservationStatus placed =
                ReservationStatus.ABSENT.toAvailable("n1", amounts("6 cpu"), cluster.clock.instant());
        cluster.createReservation(
                aReservation("r").requesting("6 cpu").scheduledBy("another").withStatus(placed));
        cordon("n1");
        assertThat(cluster.status("r")).isEqualTo(placed);
        assertThat(cluster.cpuFree("n2")).isEqualTo(8_000);
    }

    @Test
    void nothingMovesIfMovingIsDisabled() {
        cluster.withoutMoving();
        reservedOnN1(aReservation("r")).upsert(node("n2"));
        cordon("n1");
        assertThat(nodeOfReservation()).isEqualTo("n1");
        assertThat(cluster.conditions("r")).isEqualTo(READY + " NodeUsable=false/NodeUnschedulable");
        assertThat(message(ReservationCondition.Type.NODE_USABLE)).endsWith("Maybe run \"kubectl uncordon n1\"");
    }

    @Test
    @Scenario(134)
    void aReservationWhoseNodeIsDeletedExpiresAndIsDeletedAMinuteLaterIfMovingIsDisabled() {
        cluster.withoutMoving();
        reservedOnN1(aReservation("r")).upsert(node("n2")).deleteNode("n1");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/Expired");
        cluster.advance(Duration.ofSeconds(59));
        assertThat(cluster.exists("r")).isTrue();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(cluster.exists("r")).isFalse();
    }

    @Test
    void aFailedReservationIsDeletedWhenItsNodeIsDeletedLater() {
        reservedOnN1(aReservation("r").until(cluster.clock.instant().plusSeconds(60)))
                .advance(Duration.ofSeconds(60))
                .advance(Duration.ofHours(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
        assertThat(cluster.deleteNode("n1").exists("r")).isFalse();
    }
}
