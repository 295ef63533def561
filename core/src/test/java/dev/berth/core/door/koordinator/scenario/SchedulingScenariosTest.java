package dev.berth.core.door.koordinator.scenario;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.door.koordinator.CurrentOwner;
import dev.berth.core.door.koordinator.KoordinatorScene;
import dev.berth.core.door.koordinator.ReservationCondition;
import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.hold.Claim;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.Scenario;
import dev.berth.core.testing.SchedulerScene.ServerMode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The attempts to place a Reservation, and binds of owners that fail. */
class SchedulingScenariosTest {
    private static final String ALLOCATED = "scheduling.koordinator.sh/reservation-allocated";
    private static final Duration BACKOFF = Duration.ofSeconds(30);

    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aClusterWithOneNode() {
        cluster.upsert(aNode("n1").with("8 cpu"));
    }

    @Test
    @Scenario(77)
    void aReservationWithTheNameOfANodeIsRefusedByAllOtherNodes() {
        cluster.upsert(aNode("n2").with("1 cpu"));
        cluster.createReservation(aReservation("r").requesting("4 cpu").onNode("n2"));
        assertThat(scheduledMessage("r"))
                .isEqualTo("0/2 nodes are available: 1 Insufficient cpu,"
                        + " 1 node(s) didn't match the nodeName specified by reservation.");
    }

    @Test
    @Scenario(80)
    void theConditionOfAnUnschedulableReservationHasTheReasonOfTheLastAttempt() {
        cluster.upsert(aPod("big").asking("6 cpu"))
                .createReservation(aReservation("r").requesting("4 cpu"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=false/Unschedulable");
        assertThat(scheduledMessage("r")).isEqualTo("0/1 nodes are available: 1 Insufficient cpu.");

        cluster.upsert(aNode("n1").with("8 cpu").unschedulable()).advance(BACKOFF);

        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=false/Unschedulable");
        assertThat(scheduledMessage("r")).isEqualTo("0/1 nodes are available: 1 node(s) were unschedulable.");
    }

    @Test
    @Scenario(80)
    void aPlacedReservationStaysScheduledWhenItsNodeBecomesTooSmall() {
        cluster.createReservation(aReservation("r").requesting("4 cpu"));
        cluster.upsert(aNode("n1").with("2 cpu")).advance(BACKOFF);
        assertThat(cluster.conditions("r")).contains("Scheduled=true/Scheduled");
    }

    @Test
    @Scenario({81, 135})
    void aReservationThatFailedBeforeItsPlaceIsWrittenStaysFailed() {
        cluster.setServerMode(ServerMode.SILENT)
                .createReservation(aReservation("r")
                        .requesting("4 cpu")
                        .until(cluster.clock.instant().plusSeconds(60)));
        cluster.advance(Duration.ofSeconds(61)).restart();
        cluster.setServerMode(ServerMode.ACCEPTING).advance(BACKOFF);
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.FAILED);
        cluster.upsert(aPod("other").asking("8 cpu"));
        assertThat(cluster.nodeOf("other")).isEqualTo("n1");
    }

    @Test
    @Scenario(82)
    void anUnschedulableReservationIsTriedAgainOnlyWhileItExistsAndIsServed() {
        cluster.upsert(aPod("big").asking("6 cpu"))
                .createReservation(aReservation("waiting").requesting("4 cpu"))
                .createReservation(aReservation("deleted").requesting("3 cpu"))
                .createReservation(aReservation("moved").requesting("3 cpu"));
        cluster.deleteReservation("deleted")
                .edit(aReservation("moved").requesting("3 cpu").scheduledBy("another-scheduler"))
                .deletePod("big")
                .advance(BACKOFF);
        assertThat(cluster.status("waiting").nodeName()).isEqualTo("n1");
        assertThat(cluster.status("moved").phase()).isEqualTo(ReservationPhase.PENDING);
        cluster.upsert(aPod("rest").asking("4 cpu"));
        assertThat(cluster.nodeOf("rest")).as("nothing is held for the others").isEqualTo("n1");
    }

    @Test
    @Scenario({86, 139})
    void aDeletedReservationLetsThePodsInThatWaitedForItsCapacity() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared())
                .upsert(web("owner", "2 cpu"))
                .upsert(aPod("waiting").asking("6 cpu"));
        assertThat(cluster.nodeOf("waiting")).isEmpty();
        cluster.deleteReservation("r").advance(BACKOFF);
        assertThat(cluster.nodeOf("waiting")).isEqualTo("n1");
        assertThat(cluster.nodeOf("owner")).isEqualTo("n1");
    }

    @Test
    @Scenario(141)
    void anOwnerThatWasDeletedWhileBerthWasDownIsRemovedFromTheStatus() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared())
                .upsert(web("a", "2 cpu"))
                .upsert(web("b", "2 cpu"));
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("4 cpu"));
        cluster.deletePodUnseen("a").restart();
        assertThat(cluster.status("r").allocated()).isEqualTo(amounts("2 cpu"));
        assertThat(cluster.status("r").currentOwners())
                .extracting(CurrentOwner::name)
                .containsExactly("b");
    }

    @Test
    @Scenario(142)
    void theNextOwnerGetsAReservationWhoseFirstOwnerFailedToBindAndWasDeleted() {
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        cluster.setServerMode(ServerMode.DENYING).upsert(web("first", "6 cpu"));
        assertThat(cluster.nodeOf("first")).isEmpty();
        cluster.deletePod("first").setServerMode(ServerMode.ACCEPTING).upsert(web("second", "6 cpu"));
        assertThat(cluster.annotation("second", ALLOCATED)).contains("\"name\":\"r\"");
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.SUCCEEDED);
    }

    @Test
    @Scenario(143)
    void anOwnerWhoseBindFailedByItsResultButSucceededKeepsItsRecordAndItsClaim() {
        cluster.createReservation(aReservation("r").requesting("6 cpu").shared());
        cluster.setServerMode(ServerMode.SILENT).upsert(web("owner", "6 cpu"));
        cluster.changePod(
                "owner",
                pod -> pod.nodeName(Optional.of("n1"))
                        .annotations(Labels.of(Map.of(
                                Claim.ANNOTATION, "koordinator/r", ALLOCATED, "{\"name\":\"r\",\"uid\":\"r\"}"))));
        cluster.setServerMode(ServerMode.DENYING).advance(Duration.ofSeconds(1));
        cluster.setServerMode(ServerMode.ACCEPTING).advance(Duration.ofMinutes(2));
        assertThat(cluster.annotation("owner", ALLOCATED)).contains("\"name\":\"r\"");
        assertThat(cluster.status("r").currentOwners())
                .extracting(CurrentOwner::name)
                .containsExactly("owner");
        assertThat(cluster.cpuFree("n1")).isEqualTo(2_000);
    }

    private String scheduledMessage(String reservation) {
        return cluster.status(reservation).conditions().stream()
                .filter(condition -> condition.type().value().equals("Scheduled"))
                .map(ReservationCondition::message)
                .findFirst()
                .orElse("");
    }

    private static PodBuilder web(String name, String... requests) {
        return aPod(name).asking(requests).labelled("app", "web");
    }
}
