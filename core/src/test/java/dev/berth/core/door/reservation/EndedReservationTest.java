package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.reservation.Status.Phase;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A reservation that is used up or expired keeps its room, closed, until its status says so. */
class EndedReservationTest {
    private static final HoldId R = new HoldId("reservation/r");

    private final Scene scene = new Scene();
    private final Instant end = scene.clock.instant().plusSeconds(600);

    @BeforeEach
    void aPlaceForOnceOnANodeOfFour() {
        scene.node(aNode("n1").with("4 cpu", "16 pods"));
        scene.reservation(forOnce());
    }

    @AfterEach
    void noRoomIsPromisedTwice() {
        assertThat(freeCpu()).isNotNegative();
    }

    @Test
    void theRestOfAReservationForOnceIsFreeWhenTheStatusSaysSucceededAndNotBefore() {
        scene.server(Scene.Mood.DENYING).bindsOnly().pod(web("small", "1 cpu")).pod(stranger());
        assertThat(scene.nodeOf("small")).contains("n1");
        assertThat(scene.nodeOf("stranger")).isEmpty();

        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.SUCCEEDED);
        assertThat(scene.nodeOf("stranger")).contains("n1");
    }

    @Test
    void aSmallOwnerThatIsDeletedBeforeTheStatusIsWrittenLeavesNoRoomToOtherPods() {
        scene.server(Scene.Mood.DENYING).bindsOnly().pod(web("small", "1 cpu")).pod(stranger());
        scene.delete("small").pod(web("second", "1 cpu"));
        assertThat(scene.nodeOf("stranger")).isEmpty();
        assertThat(scene.annotation("second", "berth.dev/hold"))
                .as("the hold of a used-up reservation on the second owner")
                .isEmpty();
        assertThat(freeCpu())
                .as("beside the second owner on the rest of the node")
                .isZero();

        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.SUCCEEDED);
        assertThat(scene.nodeOf("stranger")).contains("n1");
    }

    @Test
    void aReservationThatIsSharedAgainBeforeTheStatusIsWrittenStillHasItsRoom() {
        scene.server(Scene.Mood.DENYING).bindsOnly().pod(web("small", "1 cpu")).pod(stranger());
        scene.edit(forOnce().shared());
        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        assertThat(scene.nodeOf("stranger")).isEmpty();
        scene.pod(web("second", "2 cpu"));
        assertThat(scene.status("r").currentOwners()).hasSize(2);
    }

    @Test
    void aRestartBeforeTheStatusIsWrittenFindsTheRoomThatTheOwnerLeft() {
        scene.server(Scene.Mood.DENYING).bindsOnly().pod(web("small", "1 cpu")).pod(stranger());
        scene.delete("small").restart().server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        assertThat(scene.nodeOf("stranger")).isEmpty();
    }

    @Test
    void anEventSaysThatTheRoomOfAUsedUpReservationStaysKeptWhileTheStatusIsDenied() {
        scene.server(Scene.Mood.DENYING).bindsOnly().pod(web("small", "1 cpu"));
        assertThat(scene.events)
                .contains(
                        "WriteDenied: The API server denied a write: forbidden. The room of the Reservation on node n1 stays"
                                + " kept, and no pod can use it, until the status says Succeeded. Berth tries again, at least once a minute.");
    }

    @Test
    void theRoomOfAnExpiredReservationIsFreeWhenTheStatusSaysFailedAndNotBefore() {
        scene.server(Scene.Mood.DENYING).bindsOnly().pass(Duration.ofMinutes(10));
        scene.pod(stranger()).pod(web("owner", "2 cpu"));
        assertThat(scene.nodeOf("stranger")).isEmpty();
        assertThat(scene.nodeOf("owner")).as("an owner that comes too late").isEmpty();
        assertThat(scene.events)
                .contains(
                        "WriteDenied: The API server denied a write: forbidden. The room of the Reservation on node n1 stays"
                                + " kept, and no pod can use it, until the status says Failed. Berth tries again, at least once a minute.");

        scene.delete("owner")
                .server(Scene.Mood.TAKING)
                .pass(Duration.ofMinutes(1))
                .pass(Duration.ofMinutes(1));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.FAILED);
        assertThat(scene.nodeOf("stranger")).contains("n1");
    }

    @Test
    void aReservationThatExpiresWhileItsOwnerIsBeingBoundEndsWithThatOwner() {
        scene.server(Scene.Mood.SILENT).pod(web("owner", "2 cpu")).pass(Duration.ofMinutes(10));

        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1));

        assertThat(scene.nodeOf("owner")).contains("n1");
        assertThat(scene.status("r").phase()).isEqualTo(Phase.SUCCEEDED);
        assertThat(scene.status("r").currentOwners()).map(CurrentOwner::name).containsExactly("owner");
    }

    @Test
    void aSharedReservationThatExpiresWhileItsOwnerIsBeingBoundNamesThatOwner() {
        scene.edit(forOnce().shared()).server(Scene.Mood.SILENT).pod(web("owner", "2 cpu"));
        scene.pass(Duration.ofMinutes(10));

        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1));

        assertThat(scene.nodeOf("owner")).contains("n1");
        assertThat(scene.status("r").phase()).isEqualTo(Phase.FAILED);
        assertThat(scene.status("r").currentOwners()).map(CurrentOwner::name).containsExactly("owner");
    }

    @Test
    void anExpiredReservationDoesNotComeBackWhenItsEndIsMoved() {
        scene.server(Scene.Mood.DENYING).pass(Duration.ofMinutes(10));
        scene.edit(forOnce().until(end.plusSeconds(3600)));
        assertThat(scene.ledger().hold(R)).map(Hold::closed).contains(true);

        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.FAILED);
        assertThat(scene.ledger().hold(R)).isEmpty();
    }

    @Test
    void anExpiredReservationOfASchedulerThatIsNotServedDoesNotComeBackOnRoomThatWasGivenAway() {
        Status placed = scene.status("r");
        scene.deleteReservation("r").reservation(ofAnother(end).saying(placed));
        assertThat(freeCpu()).isEqualTo(1_000);
        scene.pass(Duration.ofMinutes(10)).pod(stranger());
        assertThat(scene.nodeOf("stranger")).contains("n1");

        scene.edit(ofAnother(end.plusSeconds(3600)));
        assertThat(scene.ledger().hold(R)).isEmpty();
    }

    @Test
    void aReservationOfAnotherSchedulerThatGetsItsPlaceAfterItsEndWasMovedCounts() {
        Status placed = scene.status("r");
        scene.deleteReservation("r").reservation(ofAnother(end)).pass(Duration.ofMinutes(10));

        scene.edit(ofAnother(end.plusSeconds(3600))).wrote("r", placed);
        assertThat(scene.ledger().hold(R)).isPresent();
    }

    @Test
    void aRestartAfterTheEndWasMovedFindsTheRoomStillKept() {
        scene.server(Scene.Mood.DENYING).pass(Duration.ofMinutes(10)).pod(stranger());
        scene.edit(forOnce().until(end.plusSeconds(3600)));
        scene.restart().server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        assertThat(scene.nodeOf("stranger")).isEmpty();
    }

    @Test
    void aPlaceThatIsBeingWrittenWhenItsTimeEndsIsKeptUntilTheStatusSaysFailed() {
        scene.deleteReservation("r").server(Scene.Mood.SILENT).reservation(forOnce());
        scene.pass(Duration.ofMinutes(10)).pod(stranger());
        assertThat(scene.ledger().hold(R)).isPresent();
        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.FAILED);
        assertThat(scene.nodeOf("stranger")).contains("n1");
    }

    @Test
    void aRestartAfterTheEndBelievesTheRecordOfAnOwnerThatNoStatusLists() {
        scene.edit(forOnce().shared()).server(Scene.Mood.DENYING).bindsOnly().pod(web("owner", "3 cpu"));
        scene.clock.advance(Duration.ofMinutes(10));
        scene.restart();
        assertThat(freeCpu()).isEqualTo(1_000);
        assertThat(scene.events).noneMatch(event -> event.startsWith("FalseRecord"));
    }

    @Test
    void aRestartBelievesTheRecordOfAnOwnerAlthoughTheReservationIsUnschedulableSince() {
        scene.edit(forOnce().shared()).server(Scene.Mood.DENYING).bindsOnly().pod(web("owner", "3 cpu"));
        scene.edit(forOnce().shared().unschedulable(true)).restart();
        assertThat(freeCpu()).isEqualTo(1_000);
        assertThat(scene.events).noneMatch(event -> event.startsWith("FalseRecord"));
    }

    private ReservationBuilder forOnce() {
        return aReservation("r").keeping("3 cpu").until(end);
    }

    private static ReservationBuilder ofAnother(Instant until) {
        return aReservation("r").keeping("3 cpu").scheduledBy("another").until(until);
    }

    private static PodBuilder stranger() {
        return aPod("stranger").asking("3 cpu");
    }

    private static PodBuilder web(String name, String amount) {
        return aPod(name).asking(amount).labelled("app", "web");
    }

    private long freeCpu() {
        return scene.ledger().node("n1").orElseThrow().free().get(ResourceName.CPU);
    }
}
