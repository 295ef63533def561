package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.hold.Claim;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A Reservation that Berth placed under a name that it serves no longer says so, also after a restart, and ends. */
class SchedulerNameNoLongerConfiguredTest {
    private static final String SECOND = "second";
    private static final String READY = "Scheduled=true/Scheduled Ready=true/Available";
    private static final String NOT_SERVED = "Scheduled=true/Scheduled Ready=false/SchedulerNotServed";

    private final KoordinatorScene cluster = new KoordinatorScene();
    private final Instant end = cluster.clock.instant().plusSeconds(600);

    @BeforeEach
    void aReservationUnderANameThatIsDroppedLater() {
        cluster.upsert(aNode("n1").with("8 cpu"))
                .restartServing(KoordinatorScene.SCHEDULER, SECOND)
                .createReservation(ofSecond());
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    private ReservationBuilder ofSecond() {
        return aReservation("r")
                .requesting("6 cpu")
                .shared()
                .scheduledBy(SECOND)
                .until(end);
    }

    private List<String> said(String reason) {
        return cluster.events.stream().filter(event -> event.startsWith(reason)).toList();
    }

    @Test
    void aReservationWhoseSchedulerNameIsNoLongerServedIsReportedAfterAMinute() {
        cluster.restartServing(KoordinatorScene.SCHEDULER).advance(Duration.ofSeconds(59));
        assertThat(cluster.conditions("r")).isEqualTo(READY);

        cluster.advance(Duration.ofSeconds(1));
        assertThat(cluster.conditions("r")).isEqualTo(NOT_SERVED);
        assertThat(said("SchedulerNotServed"))
                .singleElement()
                .asString()
                .contains("schedulerName (second)", "stays reserved until " + end, "Berth serves: koord-scheduler");
    }

    @Test
    void theReportIsWrittenOnceAndRetractedWhenTheNameIsServedAgain() {
        cluster.restartServing(KoordinatorScene.SCHEDULER).advance(Duration.ofSeconds(60));
        int writes = cluster.writes;
        cluster.restart().advance(Duration.ofSeconds(60));
        assertThat(cluster.writes).isEqualTo(writes);
        assertThat(said("SchedulerNotServed")).hasSize(1);

        cluster.restartServing(KoordinatorScene.SCHEDULER, SECOND);
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void theReportListsTheServedSchedulerNames() {
        cluster.restartServing(KoordinatorScene.SCHEDULER).advance(Duration.ofSeconds(60));
        cluster.restartServing(KoordinatorScene.SCHEDULER, "third").advance(Duration.ofSeconds(60));
        assertThat(cluster.status("r").findCondition(ReservationCondition.Type.READY))
                .hasValueSatisfying(
                        said -> assertThat(said.message()).contains("Berth serves: koord-scheduler, third."));
    }

    @Test
    void theCapacityIsHeldUntilTheDeadlineAndThenTheReservationFails() {
        cluster.restartServing(KoordinatorScene.SCHEDULER)
                .upsert(aPod("stranger").asking("4 cpu"));
        cluster.advance(Duration.ofSeconds(599));
        assertThat(cluster.nodeOf("stranger")).isEmpty();

        cluster.advance(Duration.ofSeconds(1)).advance(Duration.ofMinutes(6));
        assertThat(cluster.status("r").phase())
                .as("its room is given away, so that it must not look kept")
                .isEqualTo(ReservationPhase.FAILED);
        assertThat(cluster.conditions("r")).contains("Ready=false/Expired");
        assertThat(said("Expired")).containsExactly("Expired: the Reservation expired at " + end);
        assertThat(cluster.nodeOf("stranger")).isEqualTo("n1");
    }

    @Test
    void theCapacityIsHeldWhileTheFailedStatusCannotBeWritten() {
        cluster.restartServing(KoordinatorScene.SCHEDULER)
                .setServerMode(SchedulerScene.ServerMode.DENYING)
                .acceptBindsOnly();
        cluster.advance(Duration.ofMinutes(10)).upsert(aPod("stranger").asking("4 cpu"));
        assertThat(cluster.nodeOf("stranger"))
                .as("the status still promises the room")
                .isEmpty();
    }

    @Test
    void theReservationFailsWhenItsNodeIsDeleted() {
        cluster.restartServing(KoordinatorScene.SCHEDULER).deleteNode("n1").advance(Duration.ofSeconds(60));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
        assertThat(said("NodeDeleted")).hasSize(1);
    }

    @Test
    void anEditToANameThatIsNotServedIsReportedThoughBerthRestartedSince() {
        cluster.setServerMode(SchedulerScene.ServerMode.SILENT)
                .edit(ofSecond().scheduledBy("nobody"))
                .restart()
                .setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        cluster.advance(Duration.ofSeconds(60));
        assertThat(cluster.conditions("r")).isEqualTo(NOT_SERVED);
    }

    @Test
    void theReportsOfAFormerProcessAreRetractedAfterAMinute() {
        cluster.upsert(aNode("n1").with("8 cpu").unschedulable());
        ReservationStatus reported = cluster.status("r");
        cluster.restartServing(KoordinatorScene.SCHEDULER).advance(Duration.ofSeconds(59));
        assertThat(cluster.status("r")).isEqualTo(reported);

        cluster.advance(Duration.ofSeconds(1));
        assertThat(cluster.conditions("r")).isEqualTo(NOT_SERVED);
    }

    @Test
    void aReportStaysAsItIsIfTheNameIsServedSoonAfterTheStart() {
        cluster.upsert(aNode("n1").with("8 cpu").unschedulable());
        cluster.upsertPodOfOtherScheduler(aPod("intruder").asking("4 cpu").on("n1"));
        assertThat(cluster.conditions("r")).contains("Ready=false/Overcommitted", "NodeUsable=false");
        ReservationStatus reported = cluster.status("r");
        int writes = cluster.writes;

        cluster.restartServing(KoordinatorScene.SCHEDULER).advance(Duration.ofSeconds(5));
        assertThat(cluster.status("r"))
                .as("another Berth that serves the name may be about to join")
                .isEqualTo(reported);

        cluster.restartServing(KoordinatorScene.SCHEDULER, SECOND).advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r")).isEqualTo(reported);
        assertThat(cluster.writes).isEqualTo(writes);
    }

    @Test
    void anEditOfTheNameAfterTheStartRetractsReportsAtOnce() {
        cluster.upsert(aNode("n1").with("8 cpu").unschedulable()).restart();
        assertThat(cluster.conditions("r")).isEqualTo(READY + " NodeUsable=false/NodeUnschedulable");

        cluster.edit(ofSecond().scheduledBy("nobody"));
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void aReservationUsedOnlyByPodsThatBerthBoundIsStillReportedByBerth() {
        cluster.upsert(aPod("web").labelled("app", "web").asking("2 cpu"));
        assertThat(cluster.status("r").currentOwners()).hasSize(1);
        cluster.restartServing(KoordinatorScene.SCHEDULER).advance(Duration.ofSeconds(60));
        assertThat(cluster.conditions("r")).isEqualTo(NOT_SERVED);
    }

    @Test
    void aStatusThatListsAPodOfAnotherSchedulerIsNotTouchedAndAWarningSaysWhatBerthKeeps() {
        cluster.upsert(aPod("web").labelled("app", "web").asking("2 cpu"));
        cluster.annotate("web", Claim.ANNOTATION, "");
        ReservationStatus before = cluster.status("r");
        cluster.restartServing(KoordinatorScene.SCHEDULER).advance(Duration.ofSeconds(59));
        assertThat(said("SchedulerNotServed")).isEmpty();

        cluster.advance(Duration.ofSeconds(1)).advance(Duration.ofMinutes(5));
        assertThat(cluster.status("r")).isEqualTo(before);
        assertThat(said("SchedulerNotServed"))
                .singleElement()
                .asString()
                .contains("Another scheduler may have written the status", "reserves the capacity until " + end);
    }

    @Test
    void aReadyConditionThatAnotherSchedulerWroteIsNotChanged() {
        cluster.restartServing(KoordinatorScene.SCHEDULER).advance(Duration.ofSeconds(60));
        ReservationStatus taken = ReservationStatus.ABSENT.toAvailable("n1", amounts("6 cpu"), cluster.clock.instant());
        cluster.writeStatusAsOtherScheduler("r", taken).advance(Duration.ofMinutes(5));
        assertThat(cluster.status("r")).isEqualTo(taken);
    }

    @Test
    void aConditionThatAnotherSchedulerRemovedIsNotWrittenAgain() {
        ReservationStatus ready = cluster.status("r");
        cluster.edit(ofSecond().scheduledBy("nobody")).advance(Duration.ofSeconds(60));
        assertThat(cluster.conditions("r")).isEqualTo(NOT_SERVED);
        cluster.writeStatusAsOtherScheduler("r", ready).advance(Duration.ofMinutes(5));
        assertThat(cluster.status("r")).isEqualTo(ready);
    }

    @Test
    void aReservationThatAnotherSchedulerPlacedIsNotReported() {
        ReservationStatus placed =
                ReservationStatus.ABSENT.toAvailable("n1", amounts("1 cpu"), cluster.clock.instant());
        cluster.createReservation(aReservation("theirs").scheduledBy("theirs").withStatus(placed))
                .restart()
                .advance(Duration.ofMinutes(5));
        assertThat(cluster.status("theirs")).isEqualTo(placed);
        assertThat(said("SchedulerNotServed")).isEmpty();
    }
}
