package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.reservation.Status.Phase;
import dev.berth.core.hold.HoldId;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A placed reservation whose specification is edited into something malformed, or without effect. */
class EditedAfterPlacementTest {
    private static final String PROBLEM = "spec.ttl (1d) is no duration such as 24h";
    private static final String READY = "Scheduled=true/Scheduled Ready=true/Available";
    private static final String ANOTHER = "another-scheduler";

    private final Scene scene = new Scene();
    private final Instant end = scene.clock.instant().plusSeconds(600);

    @BeforeEach
    void aPlacedReservationForTenMinutes() {
        scene.node(aNode("n1").with("8 cpu", "16Gi memory")).reservation(valid());
    }

    private ReservationBuilder valid() {
        return aReservation("r").keeping("6 cpu").shared().until(end);
    }

    private static ReservationBuilder malformed() {
        return aReservation("r").senseless(PROBLEM);
    }

    private static PodBuilder web(String name) {
        return aPod(name).asking("4 cpu").labelled("app", "web");
    }

    private Condition ready() {
        return scene.status("r").condition(Condition.Type.READY).orElseThrow();
    }

    @Test
    void aMalformedEditLeavesThePlaceToItsOwnersAndIsReportedUntilItIsCorrected() {
        scene.edit(malformed());
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/InvalidReservation");
        String kept = PROBLEM + "; the place is kept for its owners until " + end
                + " as before the edit. Correct the Reservation";
        assertThat(ready().message()).isEqualTo(kept);
        assertThat(scene.events).containsOnlyOnce("InvalidReservation: " + kept);

        scene.pod(aPod("other").asking("4 cpu")).pod(web("web"));
        assertThat(scene.nodeOf("other")).isEmpty();
        assertThat(scene.nodeOf("web")).contains("n1");
        assertThat(scene.status("r").currentOwners()).hasSize(1);

        scene.edit(valid());
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    @Test
    void aMalformedReservationIsCountedUntilItIsCorrected() {
        assertThat(scene.invalid()).isZero();
        scene.edit(malformed()).reservation(aReservation("new").senseless(PROBLEM));
        assertThat(scene.invalid()).isEqualTo(2);
        scene.edit(valid()).deleteReservation("new");
        assertThat(scene.invalid()).isZero();
    }

    @Test
    void aMalformedReservationEndsAtItsLastValidDeadline() {
        scene.edit(malformed()).pod(aPod("other").asking("4 cpu"));
        scene.pass(Duration.ofSeconds(599));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        scene.pass(Duration.ofSeconds(1)).pass(Duration.ofMinutes(1));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.FAILED);
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/Expired");
        assertThat(scene.nodeOf("other")).contains("n1");
    }

    @Test
    void aMalformedReservationWithoutADeadlineSaysThatItsOwnersKeepThePlace() {
        scene.edit(aReservation("r").keeping("6 cpu").shared()).edit(malformed());
        assertThat(ready().message())
                .isEqualTo(PROBLEM + "; the place is kept for its owners as before the edit. Correct the Reservation");
    }

    @Test
    void aMalformedReservationForOnceIsUsedUpByItsFirstOwner() {
        scene.edit(valid().once()).edit(malformed()).pod(web("web"));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.SUCCEEDED);
    }

    @Test
    void anOwnerWhoseBindIsOnItsWayWhenTheReservationBecomesOneForOnceIsListed() {
        PodBuilder small = aPod("a").asking("1 cpu").labelled("app", "web");
        scene.pod(small).server(Scene.Mood.SILENT);
        scene.pod(aPod("b").asking("1 cpu").labelled("app", "web")).edit(valid().once());
        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1));
        assertThat(scene.nodeOf("b")).contains("n1");
        assertThat(scene.status("r").phase()).isEqualTo(Phase.SUCCEEDED);
        assertThat(scene.status("r").currentOwners()).hasSize(2);
    }

    @Test
    void aReservationForOnceStaysUsedUpIfItIsMalformedBeforeTheStatusIsWritten() {
        scene.edit(valid().once()).server(Scene.Mood.CONTRADICTING);
        scene.pod(web("owner").on("n1").using("reservation/r")).edit(malformed());
        scene.delete("owner");
        assertThat(scene.ledger()
                        .hold(new HoldId("reservation/r"))
                        .orElseThrow()
                        .closed())
                .isTrue();
        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.SUCCEEDED);
    }

    @Test
    void theLastValidTermsCountAfterSeveralEdits() {
        Instant later = end.plusSeconds(600);
        scene.edit(malformed())
                .edit(valid().until(later))
                .edit(aReservation("r").senseless("owners are odd"));
        assertThat(ready().message()).startsWith("owners are odd; the place is kept for its owners until " + later);
        scene.pass(Duration.ofSeconds(601)).pod(web("web"));
        assertThat(scene.nodeOf("web")).contains("n1");
        scene.pass(Duration.ofMinutes(10));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.FAILED);
    }

    @Test
    void afterARestartAMalformedReservationKeepsItsPlaceAndSaysThatNoOwnerCanUseIt() {
        scene.edit(malformed());
        scene.events.clear();
        scene.restart().pod(web("web")).pass(Duration.ofHours(1));
        assertThat(scene.nodeOf("web")).isEmpty();
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        assertThat(ready().message())
                .isEqualTo(PROBLEM + "; the place is kept without a deadline, and no owner can use the place until the"
                        + " specification is corrected");
        assertThat(scene.events)
                .as("what the status said before the restart is no news")
                .noneMatch(event -> event.startsWith("InvalidReservation"));
        scene.edit(valid().until(end.plusSeconds(36_000))).pass(Duration.ofMinutes(1));
        assertThat(scene.conditions("r")).isEqualTo(READY);
        assertThat(scene.nodeOf("web")).contains("n1");
    }

    @Test
    void anOvercommittedNodeAndAMalformedEditAreBothReported() {
        scene.edit(malformed()).pod(aPod("intruder").asking("4 cpu").on("n1"));
        assertThat(ready().reason()).isEqualTo("Overcommitted");
        assertThat(ready().message()).startsWith("node n1 is over-committed").contains("; " + PROBLEM);
        scene.delete("intruder");
        assertThat(ready().reason()).isEqualTo("InvalidReservation");
        scene.edit(valid());
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anEditOfTheNodeNameAfterPlacementIsReportedUntilItIsTakenBack() {
        scene.node(aNode("n2").with("8 cpu", "16Gi memory"));
        scene.edit(valid().onlyOn("n2"));
        assertThat(scene.status("r").nodeName()).isEqualTo("n1");
        assertThat(scene.conditions("r")).isEqualTo(READY + " Moved=false/MoveNotSupported");
        assertThat(scene.status("r")
                        .condition(Condition.Type.MOVED)
                        .orElseThrow()
                        .message())
                .isEqualTo(
                        "the Reservation keeps its place on node n1, but spec.template.spec.nodeName is now n2. Delete it"
                                + " and create it again to move it");
        assertThat(scene.events).anyMatch(event -> event.startsWith("MoveNotSupported: "));
        scene.edit(valid().onlyOn("n1"));
        assertThat(scene.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anEditToASchedulerThatIsNotServedIsReportedAfterAMinuteAndTakenBack() {
        scene.edit(valid().scheduledBy(ANOTHER)).pass(Duration.ofSeconds(59));
        assertThat(scene.conditions("r")).isEqualTo(READY);
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/SchedulerNotServed");
        assertThat(ready().message())
                .contains("schedulerName (another-scheduler)", "no owner", "Berth serves: koord-scheduler");
        assertThat(scene.events)
                .filteredOn(event -> event.startsWith("SchedulerNotServed: "))
                .hasSize(1);
        int writes = scene.writes;
        scene.pass(Duration.ofMinutes(1)).restart().pass(Duration.ofMinutes(1));
        assertThat(scene.writes).as("it is said once").isEqualTo(writes);
        scene.edit(valid()).pod(web("web"));
        assertThat(scene.conditions("r")).isEqualTo(READY);
        assertThat(scene.nodeOf("web")).contains("n1");
    }

    @Test
    void aStatusThatAnotherSchedulerWroteAfterTheEditIsNeverTouched() {
        scene.edit(valid().scheduledBy(ANOTHER)).pass(Duration.ofSeconds(30));
        Status taken = scene.status("r").succeeded(scene.clock.instant());
        scene.wrote("r", taken).pass(Duration.ofHours(1)).restart().pass(Duration.ofHours(1));
        assertThat(scene.status("r")).isEqualTo(taken);
    }

    @Test
    void aStatusThatWasSeenOnlyUnderAnotherSchedulersNameIsNeverTouched() {
        scene.server(Scene.Mood.SILENT)
                .edit(valid().scheduledBy(ANOTHER))
                .wrote("r", Status.NEW.available("n1", scene.status("r").allocatable(), scene.clock.instant()))
                .restart()
                .server(Scene.Mood.TAKING);
        int writes = scene.writes;
        scene.pass(Duration.ofMinutes(5));
        assertThat(scene.writes).isEqualTo(writes);
    }
}
