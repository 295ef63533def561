package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.reservation.Status.Phase;
import dev.berth.core.hold.Claim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Reservation that Berth placed under a name that it serves no longer says so, also after a restart, and ends. */
class NameNoLongerServedTest {
    private static final String SECOND = "second";
    private static final String READY = "Scheduled=true/Scheduled Ready=true/Available";
    private static final String NOT_SERVED = "Scheduled=true/Scheduled Ready=false/SchedulerNotServed";

    private final Scene scene = new Scene();
    private final Instant end = scene.clock.instant().plusSeconds(600);

    @BeforeEach
    void aReservationUnderANameThatIsDroppedLater() {
        scene.node(aNode("n1").with("8 cpu"))
                .restartServing(Scene.SCHEDULER, SECOND)
                .reservation(ofSecond());
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    private ReservationBuilder ofSecond() {
        return aReservation("r").keeping("6 cpu").shared().scheduledBy(SECOND).until(end);
    }

    private List<String> said(String reason) {
        return scene.events.stream().filter(event -> event.startsWith(reason)).toList();
    }

    @Test
    void aReservationWhoseNameIsServedNoLongerSaysSoAfterAMinute() {
        scene.restartServing(Scene.SCHEDULER).pass(Duration.ofSeconds(59));
        assertThat(scene.conditions("r")).isEqualTo(READY);

        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.conditions("r")).isEqualTo(NOT_SERVED);
        assertThat(said("SchedulerNotServed"))
                .singleElement()
                .asString()
                .contains("schedulerName (second)", "kept until " + end, "Berth serves: koord-scheduler");
    }

    @Test
    void itIsSaidOnceAndTakenBackWhenTheNameIsServedAgain() {
        scene.restartServing(Scene.SCHEDULER).pass(Duration.ofSeconds(60));
        int writes = scene.writes;
        scene.restart().pass(Duration.ofSeconds(60));
        assertThat(scene.writes).isEqualTo(writes);
        assertThat(said("SchedulerNotServed")).hasSize(1);

        scene.restartServing(Scene.SCHEDULER, SECOND);
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    @Test
    void theNamesThatAreServedNowAreNamed() {
        scene.restartServing(Scene.SCHEDULER).pass(Duration.ofSeconds(60));
        scene.restartServing(Scene.SCHEDULER, "third").pass(Duration.ofSeconds(60));
        assertThat(scene.status("r").condition(Condition.Type.READY))
                .hasValueSatisfying(
                        said -> assertThat(said.message()).contains("Berth serves: koord-scheduler, third."));
    }

    @Test
    void itsRoomIsKeptUntilItsDeadlineAndThenItSaysThatItIsOver() {
        scene.restartServing(Scene.SCHEDULER).pod(aPod("stranger").asking("4 cpu"));
        scene.pass(Duration.ofSeconds(599));
        assertThat(scene.nodeOf("stranger")).isEmpty();

        scene.pass(Duration.ofSeconds(1)).pass(Duration.ofMinutes(6));
        assertThat(scene.status("r").phase())
                .as("its room is given away, so that it must not look kept")
                .isEqualTo(Phase.FAILED);
        assertThat(scene.conditions("r")).contains("Ready=false/Expired");
        assertThat(said("Expired")).containsExactly("Expired: the Reservation reached its deadline " + end);
        assertThat(scene.nodeOf("stranger")).contains("n1");
    }

    @Test
    void itsRoomIsKeptWhileItsEndCannotBeWritten() {
        scene.restartServing(Scene.SCHEDULER).server(Scene.Mood.DENYING).bindsOnly();
        scene.pass(Duration.ofMinutes(10)).pod(aPod("stranger").asking("4 cpu"));
        assertThat(scene.nodeOf("stranger"))
                .as("the status still promises the room")
                .isEmpty();
    }

    @Test
    void itIsOverWhenItsNodeIsGone() {
        scene.restartServing(Scene.SCHEDULER).nodeGone("n1").pass(Duration.ofSeconds(60));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.FAILED);
        assertThat(said("NodeGone")).hasSize(1);
    }

    @Test
    void anEditToANameThatIsNotServedIsReportedThoughBerthRestartedSince() {
        scene.server(Scene.Mood.SILENT)
                .edit(ofSecond().scheduledBy("nobody"))
                .restart()
                .server(Scene.Mood.TAKING);
        scene.pass(Duration.ofSeconds(60));
        assertThat(scene.conditions("r")).isEqualTo(NOT_SERVED);
    }

    @Test
    void whatAFormerBerthReportedIsTakenBackAfterAMinute() {
        scene.node(aNode("n1").with("8 cpu").unschedulable());
        Status reported = scene.status("r");
        scene.restartServing(Scene.SCHEDULER).pass(Duration.ofSeconds(59));
        assertThat(scene.status("r")).isEqualTo(reported);

        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.conditions("r")).isEqualTo(NOT_SERVED);
    }

    @Test
    void aReportStaysAsItIsIfTheNameIsServedSoonAfterTheStart() {
        scene.node(aNode("n1").with("8 cpu").unschedulable());
        scene.foreignPod(aPod("intruder").asking("4 cpu").on("n1"));
        assertThat(scene.conditions("r")).contains("Ready=false/Overcommitted", "NodeUsable=false");
        Status reported = scene.status("r");
        int writes = scene.writes;

        scene.restartServing(Scene.SCHEDULER).pass(Duration.ofSeconds(5));
        assertThat(scene.status("r"))
                .as("another Berth that serves the name may be about to join")
                .isEqualTo(reported);

        scene.restartServing(Scene.SCHEDULER, SECOND).pass(Duration.ofMinutes(1));
        assertThat(scene.status("r")).isEqualTo(reported);
        assertThat(scene.writes).isEqualTo(writes);
    }

    @Test
    void anEditOfTheNameAfterTheStartTakesReportsBackAtOnce() {
        scene.node(aNode("n1").with("8 cpu").unschedulable()).restart();
        assertThat(scene.conditions("r")).isEqualTo(READY + " NodeUsable=false/NodeUnschedulable");

        scene.edit(ofSecond().scheduledBy("nobody"));
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    @Test
    void aPlaceThatBerthUsedIsItsOwnAsLongAsItsPodsAreThose() {
        scene.pod(aPod("web").labelled("app", "web").asking("2 cpu"));
        assertThat(scene.status("r").currentOwners()).hasSize(1);
        scene.restartServing(Scene.SCHEDULER).pass(Duration.ofSeconds(60));
        assertThat(scene.conditions("r")).isEqualTo(NOT_SERVED);
    }

    @Test
    void aStatusThatListsAPodOfAnotherSchedulerIsNotTouchedAndAWarningSaysWhatBerthKeeps() {
        scene.pod(aPod("web").labelled("app", "web").asking("2 cpu"));
        scene.annotate("web", Claim.ANNOTATION, "");
        Status before = scene.status("r");
        scene.restartServing(Scene.SCHEDULER).pass(Duration.ofSeconds(59));
        assertThat(said("SchedulerNotServed")).isEmpty();

        scene.pass(Duration.ofSeconds(1)).pass(Duration.ofMinutes(5));
        assertThat(scene.status("r")).isEqualTo(before);
        assertThat(said("SchedulerNotServed"))
                .singleElement()
                .asString()
                .contains("Another scheduler may have written the status", "keeps the room until " + end);
    }

    @Test
    void aSchedulerThatSaysReadyAfterBerthIsNotContradicted() {
        scene.restartServing(Scene.SCHEDULER).pass(Duration.ofSeconds(60));
        Status taken = Status.NEW.available("n1", amounts("6 cpu"), scene.clock.instant());
        scene.wrote("r", taken).pass(Duration.ofMinutes(5));
        assertThat(scene.status("r")).isEqualTo(taken);
    }

    @Test
    void anotherSchedulerThatTakesBackTheConditionAloneIsNotContradicted() {
        Status ready = scene.status("r");
        scene.edit(ofSecond().scheduledBy("nobody")).pass(Duration.ofSeconds(60));
        assertThat(scene.conditions("r")).isEqualTo(NOT_SERVED);
        scene.wrote("r", ready).pass(Duration.ofMinutes(5));
        assertThat(scene.status("r")).isEqualTo(ready);
    }

    @Test
    void aReservationThatAnotherSchedulerPlacedIsNotReported() {
        Status placed = Status.NEW.available("n1", amounts("1 cpu"), scene.clock.instant());
        scene.reservation(aReservation("theirs").scheduledBy("theirs").saying(placed))
                .restart()
                .pass(Duration.ofMinutes(5));
        assertThat(scene.status("theirs")).isEqualTo(placed);
        assertThat(said("SchedulerNotServed")).isEmpty();
    }
}
