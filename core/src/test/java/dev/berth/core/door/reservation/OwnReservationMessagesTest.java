package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An owner that cannot use its own Reservation is told that it is its own, and what keeps it from using it. */
class OwnReservationMessagesTest {
    private final Scene scene = new Scene();

    private static NodeBuilder node() {
        return aNode("n1").with("8 cpu", "16Gi memory");
    }

    private static ReservationBuilder reservation() {
        return aReservation("r").keeping("6 cpu").shared();
    }

    private static PodBuilder owner() {
        return aPod("owner").labelled("app", "web").asking("4 cpu");
    }

    private String message() {
        return scene.events.stream()
                .filter(event -> event.startsWith("FailedScheduling: "))
                .reduce((earlier, later) -> later)
                .orElse("");
    }

    @BeforeEach
    void aClusterWithOneNode() {
        scene.node(node());
    }

    @Test
    void anOwnerOfAnUnschedulableReservationIsToldSo() {
        scene.reservation(reservation()).edit(reservation().unschedulable(true)).pod(owner());
        assertThat(message())
                .isEqualTo("FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu (6 held by Reservation r)."
                        + " Reservation r on node n1 is for this pod, but the pod cannot use it: its spec.unschedulable is"
                        + " true.");
    }

    @Test
    void anOwnerOfAReservationThatIsBeingDeletedIsToldSo() {
        scene.reservation(reservation()).edit(reservation().terminating()).pod(owner());
        assertThat(message()).endsWith("is for this pod, but the pod cannot use it: it is being deleted.");
    }

    @Test
    void anOwnerThatDoesNotTolerateTheTaintOfItsReservationIsToldWhichTaint() {
        scene.reservation(reservation().tainted("gpu", "only")).pod(owner());
        assertThat(message())
                .endsWith("is for this pod, but the pod cannot use it: the pod does not tolerate its taint"
                        + " gpu=only:NoSchedule.");
    }

    @Test
    void anOwnerIsToldThatTheNodeOfItsReservationIsCordoned() {
        scene.reservation(reservation()).node(node().unschedulable()).pod(owner());
        assertThat(message())
                .isEqualTo(
                        "FailedScheduling: 0/1 nodes are available: 1 node(s) were unschedulable. Reservation r on node n1"
                                + " is for this pod, but the pod cannot use it: the node is cordoned.");
    }

    @Test
    void anOwnerIsToldThatTheNodeOfItsReservationIsOvercommitted() {
        scene.reservation(reservation())
                .foreignPod(aPod("intruder").asking("6 cpu").on("n1"))
                .pod(owner());
        assertThat(message())
                .endsWith(
                        "Reservation r on node n1 is for this pod, but the pod cannot use it: the node is over-committed:"
                                + " 4 cpu of what is reserved there are not available.");
    }

    @Test
    void theMessageFollowsWhatKeepsTheOwnerFromUsingItsReservation() {
        scene.reservation(reservation()).edit(reservation().unschedulable(true)).pod(owner());
        scene.edit(reservation().tainted("gpu", "only"));
        scene.pass(Duration.ofSeconds(20)).pass(Duration.ofSeconds(20));
        assertThat(message()).endsWith("the pod does not tolerate its taint gpu=only:NoSchedule.");
        scene.edit(reservation());
        scene.pass(Duration.ofSeconds(20)).pass(Duration.ofSeconds(20));
        assertThat(scene.nodeOf("owner")).contains("n1");
    }

    @Test
    void aPodThatIsNoOwnerIsNotToldThatTheReservationIsItsOwn() {
        scene.reservation(reservation()).edit(reservation().unschedulable(true));
        scene.pod(aPod("stranger").asking("4 cpu"));
        assertThat(message())
                .isEqualTo("FailedScheduling: 0/1 nodes are available: 1 Insufficient cpu (6 held by Reservation r).");
    }
}
