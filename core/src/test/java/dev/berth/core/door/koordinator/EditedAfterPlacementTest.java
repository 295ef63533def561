package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.hold.HoldId;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A placed reservation whose specification is edited into something malformed, or without effect. */
class EditedAfterPlacementTest {
    private static final String PROBLEM = "spec.ttl (1d) is no duration such as 24h";
    private static final String READY = "Scheduled=true/Scheduled Ready=true/Available";
    private static final String ANOTHER = "another-scheduler";

    private final KoordinatorScene cluster = new KoordinatorScene();
    private final Instant end = cluster.clock.instant().plusSeconds(600);

    @BeforeEach
    void aPlacedReservationForTenMinutes() {
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory")).createReservation(valid());
    }

    private ReservationBuilder valid() {
        return aReservation("r").requesting("6 cpu").shared().until(end);
    }

    private static ReservationBuilder malformed() {
        return aReservation("r").malformed(PROBLEM);
    }

    private static PodBuilder web(String name) {
        return aPod(name).asking("4 cpu").labelled("app", "web");
    }

    private ReservationCondition ready() {
        return cluster.status("r")
                .findCondition(ReservationCondition.Type.READY)
                .orElseThrow();
    }

    @Test
    void aMalformedEditLeavesThePlaceToItsOwnersAndIsReportedUntilItIsCorrected() {
        cluster.edit(malformed());
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/InvalidReservation");
        String kept = PROBLEM + "; the capacity stays reserved for its owners until " + end
                + " as before the edit. Correct the Reservation";
        assertThat(ready().message()).isEqualTo(kept);
        assertThat(cluster.events).containsOnlyOnce("InvalidReservation: " + kept);

        cluster.upsert(aPod("other").asking("4 cpu")).upsert(web("web"));
        assertThat(cluster.nodeOf("other")).isEmpty();
        assertThat(cluster.nodeOf("web")).isEqualTo("n1");
        assertThat(cluster.status("r").currentOwners()).hasSize(1);

        cluster.edit(valid());
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void aMalformedReservationIsCountedUntilItIsCorrected() {
        assertThat(cluster.invalid()).isZero();
        cluster.edit(malformed()).createReservation(aReservation("new").malformed(PROBLEM));
        assertThat(cluster.invalid()).isEqualTo(2);
        cluster.edit(valid()).deleteReservation("new");
        assertThat(cluster.invalid()).isZero();
    }

    @Test
    void aMalformedReservationEndsAtItsLastValidDeadline() {
        cluster.edit(malformed()).upsert(aPod("other").asking("4 cpu"));
        cluster.advance(Duration.ofSeconds(599));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        cluster.advance(Duration.ofSeconds(1)).advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/Expired");
        assertThat(cluster.nodeOf("other")).isEqualTo("n1");
    }

    @Test
    void aMalformedReservationWithoutADeadlineSaysThatItsOwnersKeepThePlace() {
        cluster.edit(aReservation("r").requesting("6 cpu").shared()).edit(malformed());
        assertThat(ready().message())
                .isEqualTo(PROBLEM
                        + "; the capacity stays reserved for its owners as before the edit. Correct the Reservation");
    }

    @Test
    void aMalformedAllocateOnceReservationSucceedsWithItsFirstOwner() {
        cluster.edit(valid().allocateOnce()).edit(malformed()).upsert(web("web"));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
    }

    @Test
    void anOwnerWhoseBindIsInFlightWhenAllocateOnceIsSetIsListed() {
        PodBuilder small = aPod("a").asking("1 cpu").labelled("app", "web");
        cluster.upsert(small).setServerMode(SchedulerScene.ServerMode.SILENT);
        cluster.upsert(aPod("b").asking("1 cpu").labelled("app", "web")).edit(valid().allocateOnce());
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertThat(cluster.nodeOf("b")).isEqualTo("n1");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
        assertThat(cluster.status("r").currentOwners()).hasSize(2);
    }

    @Test
    void anAllocateOnceReservationStaysUsedUpIfItIsMalformedBeforeTheStatusIsWritten() {
        cluster.edit(valid().allocateOnce()).setServerMode(SchedulerScene.ServerMode.CONFLICTING);
        cluster.upsert(web("owner").on("n1").using("koordinator/r")).edit(malformed());
        cluster.deletePod("owner");
        assertThat(cluster.ledger()
                        .hold(new HoldId("koordinator/r"))
                        .orElseThrow()
                        .isClosed())
                .isTrue();
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
    }

    @Test
    void theLastValidSpecAppliesAfterSeveralEdits() {
        Instant later = end.plusSeconds(600);
        cluster.edit(malformed())
                .edit(valid().until(later))
                .edit(aReservation("r").malformed("owners are odd"));
        assertThat(ready().message())
                .startsWith("owners are odd; the capacity stays reserved for its owners until " + later);
        cluster.advance(Duration.ofSeconds(601)).upsert(web("web"));
        assertThat(cluster.nodeOf("web")).isEqualTo("n1");
        cluster.advance(Duration.ofMinutes(10));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
    }

    @Test
    void afterARestartAMalformedReservationKeepsItsPlaceAndSaysThatNoOwnerCanUseIt() {
        cluster.edit(malformed());
        cluster.events.clear();
        cluster.restart().upsert(web("web")).advance(Duration.ofHours(1));
        assertThat(cluster.nodeOf("web")).isEmpty();
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(ready().message())
                .isEqualTo(
                        PROBLEM
                                + "; the capacity stays reserved without a deadline, and no owner can use it until the specification is corrected");
        assertThat(cluster.events)
                .as("what the status said before the restart is no news")
                .noneMatch(event -> event.startsWith("InvalidReservation"));
        cluster.edit(valid().until(end.plusSeconds(36_000))).advance(Duration.ofMinutes(1));
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        assertThat(cluster.nodeOf("web")).isEqualTo("n1");
    }

    @Test
    void anOvercommittedNodeAndAMalformedEditAreBothReported() {
        cluster.edit(malformed()).upsert(aPod("intruder").asking("4 cpu").on("n1"));
        assertThat(ready().reason()).isEqualTo("Overcommitted");
        assertThat(ready().message()).startsWith("node n1 is over-committed").contains("; " + PROBLEM);
        cluster.deletePod("intruder");
        assertThat(ready().reason()).isEqualTo("InvalidReservation");
        cluster.edit(valid());
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anEditOfTheNodeNameAfterPlacementIsReportedUntilItIsTakenBack() {
        cluster.upsert(aNode("n2").with("8 cpu", "16Gi memory"));
        cluster.edit(valid().onNode("n2"));
        assertThat(cluster.status("r").nodeName()).isEqualTo("n1");
        assertThat(cluster.conditions("r")).isEqualTo(READY + " PlacementCurrent=false/TemplateEdited");
        assertThat(cluster.status("r")
                        .findCondition(ReservationCondition.Type.PLACEMENT_CURRENT)
                        .orElseThrow()
                        .message())
                .isEqualTo(
                        "the Reservation keeps its place on node n1, but spec.template.spec.nodeName is now n2. Delete it"
                                + " and create it again to move it");
        assertThat(cluster.events).anyMatch(event -> event.startsWith("TemplateEdited: "));
        cluster.edit(valid().onNode("n1"));
        assertThat(cluster.conditions("r")).isEqualTo(READY);
    }

    @Test
    void anEditToASchedulerThatIsNotServedIsReportedAfterAMinuteAndTakenBack() {
        cluster.edit(valid().scheduledBy(ANOTHER)).advance(Duration.ofSeconds(59));
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        cluster.advance(Duration.ofSeconds(1));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/SchedulerNotServed");
        assertThat(ready().message())
                .contains("schedulerName (another-scheduler)", "no owner", "Berth serves: koord-scheduler");
        assertThat(cluster.events)
                .filteredOn(event -> event.startsWith("SchedulerNotServed: "))
                .hasSize(1);
        int writes = cluster.writes;
        cluster.advance(Duration.ofMinutes(1)).restart().advance(Duration.ofMinutes(1));
        assertThat(cluster.writes).as("it is said once").isEqualTo(writes);
        cluster.edit(valid()).upsert(web("web"));
        assertThat(cluster.conditions("r")).isEqualTo(READY);
        assertThat(cluster.nodeOf("web")).isEqualTo("n1");
    }

    @Test
    void aStatusThatAnotherSchedulerWroteAfterTheEditIsNeverTouched() {
        cluster.edit(valid().scheduledBy(ANOTHER)).advance(Duration.ofSeconds(30));
        ReservationStatus taken = cluster.status("r").toSucceeded(cluster.clock.instant());
        cluster.writeStatusAsOtherScheduler("r", taken)
                .advance(Duration.ofHours(1))
                .restart()
                .advance(Duration.ofHours(1));
        assertThat(cluster.status("r")).isEqualTo(taken);
    }

    @Test
    void aStatusThatWasSeenOnlyUnderAnotherSchedulersNameIsNeverTouched() {
        cluster.setServerMode(SchedulerScene.ServerMode.SILENT)
                .edit(valid().scheduledBy(ANOTHER))
                .writeStatusAsOtherScheduler(
                        "r",
                        ReservationStatus.ABSENT.toAvailable(
                                "n1", cluster.status("r").allocatable(), cluster.clock.instant()))
                .restart()
                .setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        int writes = cluster.writes;
        cluster.advance(Duration.ofMinutes(5));
        assertThat(cluster.writes).isEqualTo(writes);
    }
}
