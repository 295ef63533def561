package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.hold.Owner;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An edit of the scheduler's name takes a Reservation from Berth: what Berth reported and keeps true no longer is taken back. */
class SchedulerNameEditedToUnservedTest {
    private static final String READY = "Scheduled=true/Scheduled Ready=true/Available";
    private static final String NOT_SERVED = "Scheduled=true/Scheduled Ready=false/SchedulerNotServed";

    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aReservationOnACordonedNode() {
        cluster.upsert(aNode("n1").with("8 cpu"))
                .createReservation(valid())
                .upsert(aNode("n1").with("8 cpu").unschedulable());
        assertThat(cluster.conditions("r")).isEqualTo(READY + " NodeUsable=false/NodeUnschedulable");
    }

    private static ReservationBuilder valid() {
        return aReservation("r").requesting("6 cpu");
    }

    private static ReservationBuilder ofNobody() {
        return valid().scheduledBy("nobody");
    }

    @Test
    void aReportIsTakenBackWhenTheReservationIsNoLongerServed() {
        cluster.edit(ofNobody()).upsert(aNode("n1").with("8 cpu"));
        assertThat(cluster.conditions("r"))
                .as("the status would say for ever that node n1 is cordoned")
                .isEqualTo(READY);

        cluster.advance(Duration.ofSeconds(60));
        assertThat(cluster.conditions("r")).isEqualTo(NOT_SERVED);
        assertThat(cluster.restart().advance(Duration.ofMinutes(5)).conditions("r"))
                .isEqualTo(NOT_SERVED);
    }

    @Test
    void retractingAReportRecordsNoEventAboutTheSchedulerName() {
        cluster.edit(ofNobody());
        assertThat(cluster.events).noneMatch(event -> event.startsWith("SchedulerNotServed"));

        cluster.advance(Duration.ofSeconds(60));
        assertThat(cluster.events)
                .filteredOn(event -> event.startsWith("SchedulerNotServed"))
                .hasSize(1);
    }

    @Test
    void theInvalidReportIsRetractedWhenOneEditCorrectsTheSpecAndNamesAnotherScheduler() {
        cluster.upsert(aNode("n1").with("8 cpu")).edit(aReservation("r").malformed("spec.ttl (bogus) is no duration"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/InvalidReservation");

        cluster.edit(ofNobody());

        assertThat(cluster.conditions("r")).isEqualTo(READY);
        assertThat(cluster.advance(Duration.ofSeconds(60)).conditions("r")).isEqualTo(NOT_SERVED);
    }

    @Test
    void aReportOnOwnersIsTakenBackFromAReservationWithoutAPlace() {
        Owner.ControllerMatch match = new Owner.ControllerMatch(
                Optional.of("batch/v1"),
                Optional.of("CronJob"),
                Optional.empty(),
                Optional.of("web"),
                Optional.empty());
        Owner cronJob = Owner.ofController(match);
        cluster.createReservation(aReservation("large").requesting("9 cpu").forOwner(cronJob));
        assertThat(cluster.conditions("large")).contains("OwnersUsable=false");

        cluster.edit(aReservation("large").requesting("9 cpu").scheduledBy("nobody"));

        assertThat(cluster.conditions("large")).doesNotContain("OwnersUsable");
    }

    @Test
    void theUnschedulableMessageIsRetractedWhenAPendingReservationIsNoLongerServed() {
        cluster.createReservation(large());
        assertThat(cluster.conditions("large")).isEqualTo("Scheduled=false/Unschedulable");

        cluster.edit(large().scheduledBy("nobody"));
        assertThat(cluster.conditions("large"))
                .as("Berth no longer looks for a place, and the status would say for ever why it found none")
                .isEmpty();

        cluster.advance(Duration.ofSeconds(59));
        assertThat(cluster.conditions("large")).isEmpty();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(cluster.conditions("large")).isEqualTo("Scheduled=false/SchedulerNotServed");
        assertThat(cluster.advance(Duration.ofMinutes(5)).restart().conditions("large"))
                .isEqualTo("Scheduled=false/SchedulerNotServed");
        assertThat(cluster.edit(large()).conditions("large")).isEqualTo("Scheduled=false/Unschedulable");
    }

    @Test
    void theInvalidReportIsRetractedFromAReservationThatWasNeverPlaced() {
        cluster.createReservation(aReservation("bad").malformed("spec.ttl (bogus) is no duration"));
        assertThat(cluster.conditions("bad")).isEqualTo("Scheduled=false/InvalidReservation");

        cluster.edit(aReservation("bad").scheduledBy("nobody").malformed("spec.ttl (bogus) is no duration"));

        assertThat(cluster.conditions("bad")).isEmpty();
    }

    @Test
    void theMessageOfAFormerProcessIsRetractedIfThisProcessDecidedTheSame() {
        cluster.createReservation(large()).restart().edit(large().scheduledBy("nobody"));

        assertThat(cluster.conditions("large")).isEmpty();
    }

    @Test
    void anotherSchedulersUnschedulableMessageStaysIfBerthDidNotTryToPlaceTheReservation() {
        cluster.createReservation(large().scheduledBy("other"));
        cluster.writeStatusAsOtherScheduler(
                "large", ReservationStatus.ABSENT.withUnschedulable("no node suits other", cluster.clock.instant()));
        cluster.setServerMode(SchedulerScene.ServerMode.SILENT).edit(large()).edit(large().scheduledBy("other"));
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(5));

        assertThat(cluster.status("large").conditions())
                .singleElement()
                .satisfies(said -> assertThat(said.message()).isEqualTo("no node suits other"));
    }

    @Test
    void theNextSchedulersUnschedulableMessageStays() {
        cluster.createReservation(large()).edit(large().scheduledBy("other"));
        cluster.writeStatusAsOtherScheduler(
                "large", cluster.status("large").withUnschedulable("no node suits other", cluster.clock.instant()));
        cluster.advance(Duration.ofMinutes(5));

        assertThat(cluster.conditions("large")).isEqualTo("Scheduled=false/Unschedulable");
    }

    private static ReservationBuilder large() {
        return aReservation("large").requesting("9 cpu");
    }

    @Test
    void aReservationThatIsServedAgainReportsItsProblemsAgain() {
        cluster.edit(ofNobody()).advance(Duration.ofSeconds(60)).edit(valid());

        assertThat(cluster.conditions("r")).contains("Ready=true/Available", "NodeUsable=false/NodeUnschedulable");
    }

    @Test
    void aStatusThatAnotherSchedulerWroteIsNotChanged() {
        ReservationStatus reported = cluster.status("r");
        cluster.setServerMode(SchedulerScene.ServerMode.SILENT)
                .edit(ofNobody())
                .writeStatusAsOtherScheduler(
                        "r", reported.withCurrentOwners(reported.currentOwners(), reported.allocatable()));
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(5));

        assertThat(cluster.conditions("r"))
                .as("another scheduler has written this status")
                .isEqualTo(READY + " NodeUsable=false/NodeUnschedulable");
    }
}
