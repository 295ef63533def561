package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.hold.Owner;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An edit of the scheduler's name takes a Reservation from Berth: what Berth reported and keeps true no longer is taken back. */
class NoLongerServedTest {
    private static final String READY = "Scheduled=true/Scheduled Ready=true/Available";
    private static final String NOT_SERVED = "Scheduled=true/Scheduled Ready=false/SchedulerNotServed";

    private final Scene scene = new Scene();

    @BeforeEach
    void aReservationOnACordonedNode() {
        scene.node(aNode("n1").with("8 cpu"))
                .reservation(valid())
                .node(aNode("n1").with("8 cpu").unschedulable());
        assertThat(scene.conditions("r")).isEqualTo(READY + " NodeUsable=false/NodeUnschedulable");
    }

    private static ReservationBuilder valid() {
        return aReservation("r").keeping("6 cpu");
    }

    private static ReservationBuilder ofNobody() {
        return valid().scheduledBy("nobody");
    }

    @Test
    void aReportIsTakenBackWhenTheReservationIsNoLongerServed() {
        scene.edit(ofNobody()).node(aNode("n1").with("8 cpu"));
        assertThat(scene.conditions("r"))
                .as("the status would say for ever that node n1 is cordoned")
                .isEqualTo(READY);

        scene.pass(Duration.ofSeconds(60));
        assertThat(scene.conditions("r")).isEqualTo(NOT_SERVED);
        assertThat(scene.restart().pass(Duration.ofMinutes(5)).conditions("r")).isEqualTo(NOT_SERVED);
    }

    @Test
    void takingAReportBackIsNoNewsAboutTheSchedulersName() {
        scene.edit(ofNobody());
        assertThat(scene.events).noneMatch(event -> event.startsWith("SchedulerNotServed"));

        scene.pass(Duration.ofSeconds(60));
        assertThat(scene.events)
                .filteredOn(event -> event.startsWith("SchedulerNotServed"))
                .hasSize(1);
    }

    @Test
    void thatItWasMalformedIsTakenBackWhenTheSameEditCorrectsItAndNamesAnotherScheduler() {
        scene.node(aNode("n1").with("8 cpu")).edit(aReservation("r").senseless("spec.ttl (bogus) is no duration"));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=false/InvalidReservation");

        scene.edit(ofNobody());

        assertThat(scene.conditions("r")).isEqualTo(READY);
        assertThat(scene.pass(Duration.ofSeconds(60)).conditions("r")).isEqualTo(NOT_SERVED);
    }

    @Test
    void aReportOnOwnersIsTakenBackFromAReservationWithoutAPlace() {
        Owner.ControllerMatch match = new Owner.ControllerMatch(
                Optional.of("apps/v1"),
                Optional.of("Deployment"),
                Optional.empty(),
                Optional.of("web"),
                Optional.empty());
        Owner deployment = new Owner(Optional.empty(), Optional.of(match), Optional.empty());
        scene.reservation(aReservation("large").keeping("9 cpu").forOwner(deployment));
        assertThat(scene.conditions("large")).contains("OwnersUsable=false");

        scene.edit(aReservation("large").keeping("9 cpu").scheduledBy("nobody"));

        assertThat(scene.conditions("large")).doesNotContain("OwnersUsable");
    }

    @Test
    void whyThereWasNoPlaceIsTakenBackWhenAPendingReservationIsNoLongerServed() {
        scene.reservation(large());
        assertThat(scene.conditions("large")).isEqualTo("Scheduled=false/Unschedulable");

        scene.edit(large().scheduledBy("nobody"));
        assertThat(scene.conditions("large"))
                .as("Berth no longer looks for a place, and the status would say for ever why it found none")
                .isEmpty();

        scene.pass(Duration.ofSeconds(59));
        assertThat(scene.conditions("large")).isEmpty();
        scene.pass(Duration.ofSeconds(1));
        assertThat(scene.conditions("large")).isEqualTo("Scheduled=false/SchedulerNotServed");
        assertThat(scene.pass(Duration.ofMinutes(5)).restart().conditions("large"))
                .isEqualTo("Scheduled=false/SchedulerNotServed");
        assertThat(scene.edit(large()).conditions("large")).isEqualTo("Scheduled=false/Unschedulable");
    }

    @Test
    void whatWasWrongWithAReservationThatNeverHadAPlaceIsTakenBackToo() {
        scene.reservation(aReservation("bad").senseless("spec.ttl (bogus) is no duration"));
        assertThat(scene.conditions("bad")).isEqualTo("Scheduled=false/Unschedulable");

        scene.edit(aReservation("bad").scheduledBy("nobody").senseless("spec.ttl (bogus) is no duration"));

        assertThat(scene.conditions("bad")).isEmpty();
    }

    @Test
    void theMessageOfAFormerProcessIsTakenBackIfThisProcessCameToTheSame() {
        scene.reservation(large()).restart().edit(large().scheduledBy("nobody"));

        assertThat(scene.conditions("large")).isEmpty();
    }

    @Test
    void whyAnotherSchedulerFoundNoPlaceStaysIfBerthDidNotLookForOneMeanwhile() {
        scene.reservation(large().scheduledBy("other"));
        scene.wrote("large", Status.NEW.unschedulable("no node suits other", scene.clock.instant()));
        scene.server(Scene.Mood.SILENT).edit(large()).edit(large().scheduledBy("other"));
        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(5));

        assertThat(scene.status("large").conditions())
                .singleElement()
                .satisfies(said -> assertThat(said.message()).isEqualTo("no node suits other"));
    }

    @Test
    void whyTheNextSchedulerFindsNoPlaceStays() {
        scene.reservation(large()).edit(large().scheduledBy("other"));
        scene.wrote("large", scene.status("large").unschedulable("no node suits other", scene.clock.instant()));
        scene.pass(Duration.ofMinutes(5));

        assertThat(scene.conditions("large")).isEqualTo("Scheduled=false/Unschedulable");
    }

    private static ReservationBuilder large() {
        return aReservation("large").keeping("9 cpu");
    }

    @Test
    void aReservationThatIsServedAgainSaysWhatIsSo() {
        scene.edit(ofNobody()).pass(Duration.ofSeconds(60)).edit(valid());

        assertThat(scene.conditions("r")).contains("Ready=true/Available", "NodeUsable=false/NodeUnschedulable");
    }

    @Test
    void whatAnotherSchedulerWroteStays() {
        Status reported = scene.status("r");
        scene.server(Scene.Mood.SILENT)
                .edit(ofNobody())
                .wrote("r", reported.usedBy(reported.currentOwners(), reported.allocatable()));
        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(5));

        assertThat(scene.conditions("r"))
                .as("another scheduler has written this status")
                .isEqualTo(READY + " NodeUsable=false/NodeUnschedulable");
    }
}
