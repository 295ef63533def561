package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Taint;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An owner that cannot use its own Reservation is told that it is its own, and what keeps it from using it. */
class OwnReservationMessagesTest {
    private final KoordinatorScene cluster = new KoordinatorScene();

    private static NodeBuilder node() {
        return aNode("n1").with("8 cpu", "16Gi memory");
    }

    private static ReservationBuilder reservation() {
        return aReservation("r").requesting("6 cpu").shared();
    }

    private static PodBuilder owner() {
        return aPod("owner").labelled("app", "web").asking("4 cpu");
    }

    private String message() {
        return cluster.events.stream()
                .filter(event -> event.startsWith("FailedScheduling: "))
                .reduce((earlier, later) -> later)
                .orElse("");
    }

    @BeforeEach
    void aClusterWithOneNode() {
        cluster.upsert(node());
    }

    @Test
    void anOwnerOfAnUnschedulableReservationGetsAMessage() {
        cluster.createReservation(reservation())
                .edit(reservation().unschedulable(true))
                .upsert(owner());
        assertThat(message())
                .isEqualTo("FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu (6 held by Reservation r)."
                        + " Reservation r on node n1 is for this pod, but the pod cannot use it: its spec.unschedulable is"
                        + " true.");
    }

    @Test
    void anOwnerOfATerminatingReservationGetsAMessage() {
        cluster.createReservation(reservation())
                .edit(reservation().terminating())
                .upsert(owner());
        assertThat(message()).endsWith("is for this pod, but the pod cannot use it: it is being deleted.");
    }

    @Test
    void anOwnerThatDoesNotTolerateTheTaintOfItsReservationGetsAMessageWithTheTaint() {
        cluster.createReservation(reservation().tainted("gpu", "only")).upsert(owner());
        assertThat(message())
                .endsWith("is for this pod, but the pod cannot use it: the pod does not tolerate its taint"
                        + " gpu=only:NoSchedule.");
    }

    @Test
    void anOwnerGetsAMessageThatTheNodeOfItsReservationIsCordoned() {
        cluster.createReservation(reservation()).upsert(node().unschedulable()).upsert(owner());
        assertThat(message())
                .isEqualTo(
                        "FailedScheduling: 0/1 nodes are available: 1 node(s) were unschedulable. Reservation r on node n1"
                                + " is for this pod, but the pod cannot use it: the node is cordoned.");
    }

    @Test
    void anOwnerThatDoesNotTolerateTheTaintOfTheNodeGetsAMessageWithTheTaint() {
        cluster.createReservation(reservation())
                .upsert(node().tainted("maintenance", "", Taint.TaintEffect.NO_SCHEDULE))
                .upsert(owner());
        assertThat(message())
                .isEqualTo(
                        "FailedScheduling: 0/1 nodes are available: 1 node(s) had untolerated taint(s). Reservation r on"
                                + " node n1 is for this pod, but the pod cannot use it: the pod does not tolerate the taint"
                                + " maintenance:NoSchedule of the node.");
    }

    @Test
    void anOwnerWithAMalformedAnnotationReadsOnceWhatIsWrong() {
        cluster.createReservation(reservation())
                .upsert(owner().withSpec(spec -> spec.reservations(new ReservationConstraints(
                        Optional.empty(), List.of(), Optional.of("annotation a (x) is invalid")))));
        assertThat(message()).isEqualTo("FailedScheduling: 0/1 nodes are available: annotation a (x) is invalid.");
    }

    @Test
    void anOwnerGetsAMessageThatTheNodeOfItsReservationIsOvercommitted() {
        cluster.createReservation(reservation())
                .upsertPodOfOtherScheduler(aPod("intruder").asking("6 cpu").on("n1"))
                .upsert(owner());
        assertThat(message())
                .endsWith(
                        "Reservation r on node n1 is for this pod, but the pod cannot use it: the node is over-committed:"
                                + " 4 cpu of what is reserved there are not available.");
    }

    @Test
    void theMessageFollowsWhatKeepsTheOwnerFromUsingItsReservation() {
        cluster.createReservation(reservation())
                .edit(reservation().unschedulable(true))
                .upsert(owner());
        cluster.edit(reservation().tainted("gpu", "only"));
        cluster.advance(Duration.ofSeconds(20)).advance(Duration.ofSeconds(20));
        assertThat(message()).endsWith("the pod does not tolerate its taint gpu=only:NoSchedule.");
        cluster.edit(reservation());
        cluster.advance(Duration.ofSeconds(20)).advance(Duration.ofSeconds(20));
        assertThat(cluster.nodeOf("owner")).isEqualTo("n1");
    }

    @Test
    void aPodThatIsNotAnOwnerGetsNoMessageAboutItsOwnReservation() {
        cluster.createReservation(reservation()).edit(reservation().unschedulable(true));
        cluster.upsert(aPod("stranger").asking("4 cpu"));
        assertThat(message())
                .isEqualTo("FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu (6 held by Reservation r).");
    }
}
