package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.door.koordinator.settings.MoveSettings;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.Scenario;
import dev.berth.core.testing.SchedulerScene.ServerMode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each phase of a reservation and each event that can meet it, with moving off, and with a restart or without. */
class ReservationLifeTest {
    private static final HoldId R = new HoldId("koordinator/r");
    private static final HoldId R2 = new HoldId("koordinator/r2");
    private static final Duration TTL = Duration.ofMinutes(10);

    private final KoordinatorScene cluster =
            new KoordinatorScene().withSettings(ReservationSettings.DEFAULT.withMoving(new MoveSettings(false, 1)));
    private final Instant end = cluster.clock.instant().plus(TTL);

    /** What the reservation is before the event. */
    enum Start {
        /** No node has room. */
        UNSCHEDULABLE,
        /** A node is found, and the status write is in flight. */
        UNWRITTEN,
        UNUSED,
        USED,
        SUCCEEDED,
        FAILED
    }

    /** What happens to it. */
    enum Trigger {
        DEADLINE,
        DELETION,
        /** A deletion that waits for a finalizer. */
        FINALIZER,
        NODE_DELETED,
        OWNER_DELETED,
        LATER_DEADLINE,
        ONE_DAY,
        /** Another program names another node in the status. */
        OTHER_NODE_IN_STATUS,
        /** Another program sets the status back to Pending and leaves the conditions. */
        TAKEN_BACK
    }

    @ParameterizedTest(name = "{0} and {1}: {2}, hold {3}")
    @CsvSource({
        "UNSCHEDULABLE, DEADLINE,       Failed,    none",
        "UNSCHEDULABLE, DELETION,       deleted,   none",
        "UNSCHEDULABLE, FINALIZER,      Pending,   none",
        "UNSCHEDULABLE, NODE_DELETED,   Pending,   none",
        "UNSCHEDULABLE, LATER_DEADLINE, Pending,   none",
        "UNWRITTEN,     DEADLINE,       Failed,    none",
        "UNWRITTEN,     DELETION,       deleted,   none",
        "UNWRITTEN,     FINALIZER,      Pending,   none",
        "UNWRITTEN,     NODE_DELETED,   deleted,   none",
        "UNWRITTEN,     LATER_DEADLINE, Available, open",
        "UNUSED,        DEADLINE,       Failed,    none",
        "UNUSED,        DELETION,       deleted,   none",
        "UNUSED,        FINALIZER,      Available, closed",
        "UNUSED,        NODE_DELETED,   deleted,   none",
        "UNUSED,        LATER_DEADLINE, Available, open",
        "UNUSED,        OTHER_NODE_IN_STATUS, Available, open",
        "UNUSED,        TAKEN_BACK,     Available, open",
        "USED,          OTHER_NODE_IN_STATUS, Available, open",
        "USED,          TAKEN_BACK,     Available, open",
        "USED,          DEADLINE,       Failed,    none",
        "USED,          DELETION,       deleted,   none",
        "USED,          FINALIZER,      Available, closed",
        "USED,          NODE_DELETED,   deleted,   none",
        "USED,          OWNER_DELETED,  Available, open",
        "USED,          LATER_DEADLINE, Available, open",
        "SUCCEEDED,     DEADLINE,       Succeeded, none",
        "SUCCEEDED,     DELETION,       deleted,   none",
        "SUCCEEDED,     FINALIZER,      Succeeded, none",
        "SUCCEEDED,     NODE_DELETED,   Succeeded, none",
        "SUCCEEDED,     OWNER_DELETED,  Succeeded, none",
        "SUCCEEDED,     ONE_DAY,        deleted,   none",
        "FAILED,        DELETION,       deleted,   none",
        "FAILED,        FINALIZER,      Failed,    none",
        "FAILED,        NODE_DELETED,   deleted,   none",
        "FAILED,        LATER_DEADLINE, Failed,    none",
        "FAILED,        ONE_DAY,        deleted,   none"
    })
    @Scenario({85, 132, 133, 134, 135, 136, 137, 138, 139})
    void theReservationIsAfterwards(Start start, Trigger trigger, String phase, String hold) {
        reach(start);
        fire(start, trigger);
        cluster.setServerMode(ServerMode.ACCEPTING).advance(Duration.ofMinutes(1));
        assertThat(phase()).isEqualTo(phase);
        assertThat(hold()).isEqualTo(hold);
        checkTheHoldIsWhereTheStatusSays();

        cluster.restart();
        assertThat(phase()).as("after a restart").isEqualTo(phase);
        assertThat(hold()).as("after a restart").isEqualTo(hold);
        checkTheHoldIsWhereTheStatusSays();
        boolean keepsOwner = start == Start.USED || start == Start.SUCCEEDED;
        if (keepsOwner && trigger != Trigger.OWNER_DELETED && trigger != Trigger.NODE_DELETED) {
            assertThat(cluster.nodeOf("owner")).as("the owner keeps running").isEqualTo("n1");
        }
    }

    private ReservationBuilder reservation(Start start) {
        ReservationBuilder builder = aReservation("r")
                .requesting(start == Start.UNSCHEDULABLE ? "40 cpu" : "4 cpu")
                .until(end);
        return start == Start.SUCCEEDED ? builder : builder.shared();
    }

    private void reach(Start start) {
        cluster.upsert(aNode("n1").with("8 cpu", "20 pods"));
        if (start == Start.UNWRITTEN) {
            cluster.setServerMode(ServerMode.SILENT);
        }
        cluster.createReservation(reservation(start));
        switch (start) {
            case UNSCHEDULABLE, UNWRITTEN, UNUSED -> {}
            case USED, SUCCEEDED -> cluster.upsert(aPod("owner").asking("2 cpu").labelled("app", "web"));
            case FAILED -> cluster.advance(TTL);
        }
    }

    private void fire(Start start, Trigger trigger) {
        switch (trigger) {
            case DEADLINE -> cluster.advance(TTL);
            case DELETION -> cluster.deleteReservation("r");
            case FINALIZER -> cluster.edit(reservation(start).terminating());
            case NODE_DELETED -> cluster.deleteNode("n1");
            case OWNER_DELETED -> cluster.deletePod("owner");
            case LATER_DEADLINE -> cluster.edit(reservation(start).until(end.plusSeconds(3600)));
            case ONE_DAY -> cluster.advance(Duration.ofDays(1));
            case OTHER_NODE_IN_STATUS -> {
                cluster.upsert(aNode("n2").with("8 cpu", "20 pods"));
                writePlace(ReservationPhase.AVAILABLE, "n2");
            }
            case TAKEN_BACK -> writePlace(ReservationPhase.PENDING, "");
        }
    }

    private void writePlace(ReservationPhase phase, String node) {
        ReservationStatus before = cluster.status("r");
        cluster.writeStatusAsOtherScheduler(
                "r",
                new ReservationStatus(
                        phase, node, before.allocatable(), Resources.NONE, List.of(), before.conditions()));
    }

    private void checkTheHoldIsWhereTheStatusSays() {
        cluster.ledger()
                .holdState(R)
                .flatMap(HoldState::nodeName)
                .ifPresent(
                        node -> assertThat(node).isEqualTo(cluster.status("r").nodeName()));
    }

    private String phase() {
        return cluster.exists("r") ? cluster.status("r").phase().value() : "deleted";
    }

    private String hold() {
        return cluster.ledger()
                .holdState(R)
                .map(HoldState::hold)
                .map(it -> it.isClosed() || it.unschedulableReason().isPresent() ? "closed" : "open")
                .orElse("none");
    }

    /** Otherwise a user reads that a Reservation is scheduled and ready that has no place. */
    @Test
    @Scenario(85)
    void aReservationThatIsTakenBackToPendingSaysThatItWaitsIfNoNodeFits() {
        reach(Start.UNUSED);
        cluster.upsert(aNode("n1").with("8 cpu", "20 pods").unschedulable());
        assertThat(cluster.conditions("r")).contains("Scheduled=true", "Ready=true", "NodeUsable=false");

        fire(Start.UNUSED, Trigger.TAKEN_BACK);

        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=false/Unschedulable");
        assertThat(cluster.cpuFree("n1")).isEqualTo(8_000);
    }

    @Test
    void anEndedReservationIsKeptForADayAndThenDeleted() {
        reach(Start.FAILED);
        cluster.advance(Duration.ofDays(1).minusSeconds(1));
        assertThat(cluster.exists("r")).isTrue();
        cluster.advance(Duration.ofSeconds(1));
        assertThat(cluster.exists("r")).isFalse();
    }

    @Test
    void anEndedReservationThatWaitsForFinalizersIsNotDeletedAgain() {
        reach(Start.FAILED);
        cluster.edit(reservation(Start.FAILED).terminating());
        int attempts = cluster.attempts;
        cluster.advance(Duration.ofDays(2));
        assertThat(cluster.attempts).isEqualTo(attempts);
    }

    @Test
    @Scenario(84)
    void theCapacityOfAPlaceIsFreeIfTheReservationIsDeletedBeforeTheStatusShowsThePlace() {
        reach(Start.UNWRITTEN);
        assertThat(cluster.cpuFree("n1")).isEqualTo(4_000);
        cluster.edit(reservation(Start.UNWRITTEN).terminating());
        assertThat(cluster.cpuFree("n1")).isEqualTo(8_000);
    }

    private void aNodeWithTwoReservations() {
        cluster.upsert(aNode("n1").with("8 cpu", "20 pods"))
                .createReservation(aReservation("r").requesting("3 cpu").shared())
                .createReservation(aReservation("r2").requesting("3 cpu").shared());
    }

    /** An owner that another scheduler bound, with the record of the first reservation. */
    private void anOwnerOfAnotherScheduler() {
        cluster.upsertPodOfOtherScheduler(
                aPod("owner").asking("2 cpu").labelled("app", "web").on("n1").using(R.value()));
    }

    private List<String> claimedBy(HoldId hold) {
        return cluster.ledger().holdState(hold).orElseThrow().claims().stream()
                .map(claim -> claim.pod().value())
                .toList();
    }

    @Test
    @Scenario(144)
    void aRecordThatIsEditedToAnotherReservationMovesTheAmountsWhileNoStatusListsThePod() {
        aNodeWithTwoReservations();
        cluster.setServerMode(ServerMode.DENYING);
        anOwnerOfAnotherScheduler();
        assertThat(claimedBy(R)).containsExactly("owner");
        cluster.annotate("owner", Claim.ANNOTATION, R2.value());
        assertThat(claimedBy(R)).isEmpty();
        assertThat(claimedBy(R2)).containsExactly("owner");
        assertThat(cluster.cpuFree("n1")).isEqualTo(2_000);
    }

    @Test
    @Scenario(144)
    void aRecordThatIsEditedAfterTheStatusListsThePodMovesNothing() {
        aNodeWithTwoReservations();
        anOwnerOfAnotherScheduler();
        cluster.annotate("owner", Claim.ANNOTATION, R2.value()).restart();
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("2 cpu"));
        assertThat(claimedBy(R2)).isEmpty();
    }

    @Test
    @Scenario(145)
    void aPodThatShowsNoNodeAfterItsBindIsAStaleEventAndKeepsItsPlace() {
        aNodeWithTwoReservations();
        anOwnerOfAnotherScheduler();
        cluster.changePod("owner", pod -> pod.nodeName(Optional.empty()));
        assertThat(claimedBy(R)).containsExactly("owner");
        assertThat(cluster.cpuFree("n1")).isEqualTo(2_000);
        cluster.deletePod("owner");
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("0 cpu"));
    }

    @Test
    void thePhaseOfAnEndIsNeverChangedBack() {
        reach(Start.SUCCEEDED);
        cluster.deletePod("owner").restart().advance(Duration.ofMinutes(1));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
    }
}
