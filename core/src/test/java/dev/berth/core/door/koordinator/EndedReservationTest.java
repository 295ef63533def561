package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A reservation that is used up or expired keeps its room, closed, until its status says so. */
class EndedReservationTest {
    private static final HoldId R = new HoldId("koordinator/r");

    private final KoordinatorScene cluster = new KoordinatorScene();
    private final Instant end = cluster.clock.instant().plusSeconds(600);

    @BeforeEach
    void anAllocateOnceReservationOnANodeWithFourCpus() {
        cluster.upsert(aNode("n1").with("4 cpu", "16 pods"));
        cluster.createReservation(forOnce());
    }

    @AfterEach
    void noCapacityIsPromisedTwice() {
        assertThat(freeCpu()).isNotNegative();
    }

    @Test
    void theRestOfAnAllocateOnceReservationIsFreeOnceTheStatusIsSucceeded() {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING)
                .acceptBindsOnly()
                .upsert(web("small", "1 cpu"))
                .upsert(stranger());
        assertThat(cluster.nodeOf("small")).isEqualTo("n1");
        assertThat(cluster.nodeOf("stranger")).isEmpty();

        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
        assertThat(cluster.nodeOf("stranger")).isEqualTo("n1");
    }

    @Test
    void aSmallOwnerThatIsDeletedBeforeTheStatusIsWrittenLeavesNoCapacityToOtherPods() {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING)
                .acceptBindsOnly()
                .upsert(web("small", "1 cpu"))
                .upsert(stranger());
        cluster.deletePod("small").upsert(web("second", "1 cpu"));
        assertThat(cluster.nodeOf("stranger")).isEmpty();
        assertThat(cluster.annotation("second", "berth.dev/hold"))
                .as("the hold of a used-up reservation on the second owner")
                .isEmpty();
        assertThat(freeCpu())
                .as("beside the second owner on the rest of the node")
                .isZero();

        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
        assertThat(cluster.nodeOf("stranger")).isEqualTo("n1");
    }

    @Test
    void aReservationThatIsSharedAgainBeforeTheStatusIsWrittenStillHasItsCapacity() {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING)
                .acceptBindsOnly()
                .upsert(web("small", "1 cpu"))
                .upsert(stranger());
        cluster.edit(forOnce().shared());
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.nodeOf("stranger")).isEmpty();
        cluster.upsert(web("second", "2 cpu"));
        assertThat(cluster.status("r").currentOwners()).hasSize(2);
    }

    @Test
    void aRestartBeforeTheStatusIsWrittenFindsTheCapacityThatTheOwnerLeft() {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING)
                .acceptBindsOnly()
                .upsert(web("small", "1 cpu"))
                .upsert(stranger());
        cluster.deletePod("small")
                .restart()
                .setServerMode(SchedulerScene.ServerMode.ACCEPTING)
                .advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.nodeOf("stranger")).isEmpty();
    }

    @Test
    void anEventSaysThatTheCapacityOfAUsedUpReservationStaysKeptWhileTheStatusIsDenied() {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING)
                .acceptBindsOnly()
                .upsert(web("small", "1 cpu"));
        assertThat(cluster.events)
                .contains(
                        "WriteDenied: The API server denied a write: forbidden. The capacity of the Reservation on node n1 stays"
                                + " reserved, and no pod can use it, until the status says Succeeded. Berth tries again, at least once a minute.");
    }

    @Test
    void theCapacityOfAnExpiredReservationIsFreeOnceTheStatusIsFailed() {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING)
                .acceptBindsOnly()
                .advance(Duration.ofMinutes(10));
        cluster.upsert(stranger()).upsert(web("owner", "2 cpu"));
        assertThat(cluster.nodeOf("stranger")).isEmpty();
        assertThat(cluster.nodeOf("owner")).as("an owner that comes too late").isEmpty();
        assertThat(cluster.events)
                .contains(
                        "WriteDenied: The API server denied a write: forbidden. The capacity of the Reservation on node n1 stays"
                                + " reserved, and no pod can use it, until the status says Failed. Berth tries again, at least once a minute.");

        cluster.deletePod("owner")
                .setServerMode(SchedulerScene.ServerMode.ACCEPTING)
                .advance(Duration.ofMinutes(1))
                .advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
        assertThat(cluster.nodeOf("stranger")).isEqualTo("n1");
    }

    @Test
    void aReservationThatExpiresWhileItsOwnerIsBeingBoundEndsWithThatOwner() {
        cluster.setServerMode(SchedulerScene.ServerMode.SILENT)
                .upsert(web("owner", "2 cpu"))
                .advance(Duration.ofMinutes(10));

        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));

        assertThat(cluster.nodeOf("owner")).isEqualTo("n1");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
        assertThat(cluster.status("r").currentOwners()).map(CurrentOwner::name).containsExactly("owner");
    }

    @Test
    void aSharedReservationThatExpiresWhileItsOwnerIsBeingBoundNamesThatOwner() {
        cluster.edit(forOnce().shared())
                .setServerMode(SchedulerScene.ServerMode.SILENT)
                .upsert(web("owner", "2 cpu"));
        cluster.advance(Duration.ofMinutes(10));

        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));

        assertThat(cluster.nodeOf("owner")).isEqualTo("n1");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
        assertThat(cluster.status("r").currentOwners()).map(CurrentOwner::name).containsExactly("owner");
    }

    @Test
    void anExpiredReservationDoesNotComeBackWhenItsEndIsMoved() {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING).advance(Duration.ofMinutes(10));
        cluster.edit(forOnce().until(end.plusSeconds(3600)));
        assertThat(cluster.ledger().hold(R)).map(Hold::isClosed).contains(true);

        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
        assertThat(cluster.ledger().hold(R)).isEmpty();
    }

    @Test
    void anExpiredReservationOfASchedulerThatIsNotServedDoesNotComeBackOnCapacityThatWasGivenAway() {
        ReservationStatus placed = cluster.status("r");
        cluster.deleteReservation("r").createReservation(ofAnother(end).withStatus(placed));
        assertThat(freeCpu()).isEqualTo(1_000);
        cluster.advance(Duration.ofMinutes(10)).upsert(stranger());
        assertThat(cluster.nodeOf("stranger")).isEqualTo("n1");

        cluster.edit(ofAnother(end.plusSeconds(3600)));
        assertThat(cluster.ledger().hold(R)).isEmpty();
    }

    @Test
    void aReservationThatAnotherSchedulerPlacesAfterItsDeadlineWasMovedIsHeld() {
        ReservationStatus placed = cluster.status("r");
        cluster.deleteReservation("r").createReservation(ofAnother(end)).advance(Duration.ofMinutes(10));

        cluster.edit(ofAnother(end.plusSeconds(3600))).writeStatusAsOtherScheduler("r", placed);
        assertThat(cluster.ledger().hold(R)).isPresent();
    }

    @Test
    void aRestartAfterTheEndWasMovedFindsTheCapacityStillKept() {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING)
                .advance(Duration.ofMinutes(10))
                .upsert(stranger());
        cluster.edit(forOnce().until(end.plusSeconds(3600)));
        cluster.restart().setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.nodeOf("stranger")).isEmpty();
    }

    @Test
    void aPlaceWhoseStatusWriteIsInFlightAtTheDeadlineIsHeldUntilTheStatusSaysFailed() {
        cluster.deleteReservation("r")
                .setServerMode(SchedulerScene.ServerMode.SILENT)
                .createReservation(forOnce());
        cluster.advance(Duration.ofMinutes(10)).upsert(stranger());
        assertThat(cluster.ledger().hold(R)).isPresent();
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
        assertThat(cluster.nodeOf("stranger")).isEqualTo("n1");
    }

    @Test
    void afterARestartAnOwnerThatNoStatusListsKeepsItsClaimByItsRecord() {
        cluster.edit(forOnce().shared())
                .setServerMode(SchedulerScene.ServerMode.DENYING)
                .acceptBindsOnly()
                .upsert(web("owner", "3 cpu"));
        cluster.clock.advance(Duration.ofMinutes(10));
        cluster.restart();
        assertThat(freeCpu()).isEqualTo(1_000);
        assertThat(cluster.events).noneMatch(event -> event.startsWith("InvalidAnnotation"));
    }

    @Test
    void afterARestartAnOwnersRecordCountsAlthoughTheReservationBecameUnschedulable() {
        cluster.edit(forOnce().shared())
                .setServerMode(SchedulerScene.ServerMode.DENYING)
                .acceptBindsOnly()
                .upsert(web("owner", "3 cpu"));
        cluster.edit(forOnce().shared().unschedulable(true)).restart();
        assertThat(freeCpu()).isEqualTo(1_000);
        assertThat(cluster.events).noneMatch(event -> event.startsWith("InvalidAnnotation"));
    }

    private ReservationBuilder forOnce() {
        return aReservation("r").requesting("3 cpu").until(end);
    }

    private static ReservationBuilder ofAnother(Instant until) {
        return aReservation("r").requesting("3 cpu").scheduledBy("another").until(until);
    }

    private static PodBuilder stranger() {
        return aPod("stranger").asking("3 cpu");
    }

    private static PodBuilder web(String name, String amount) {
        return aPod(name).asking(amount).labelled("app", "web");
    }

    private long freeCpu() {
        return cluster.ledger().node("n1").orElseThrow().free().get(ResourceName.CPU);
    }
}
