package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An owner that is placed without its Reservation is told why, by one event. */
class UnusedReservationTest {
    private static final String NOT_USED =
            "ReservationNotUsed: Reservation r on node n1 is for this pod, but the pod does not use it: ";

    private final KoordinatorTestCluster cluster = new KoordinatorTestCluster();

    private static NodeBuilder node(String name) {
        return aNode(name).with("8 cpu", "10 pods");
    }

    private static ReservationBuilder reservation() {
        return aReservation("r").requesting("4 cpu").shared().onNode("n1");
    }

    private static PodBuilder owner(String cpus) {
        return aPod("owner").labelled("app", "web").asking(cpus);
    }

    private List<String> said() {
        return cluster.events.stream()
                .filter(event -> event.startsWith("ReservationNotUsed"))
                .toList();
    }

    @BeforeEach
    void aClusterWithTwoNodes() {
        cluster.createNode(node("n1")).createNode(node("n2"));
    }

    @Test
    void anOwnerThatARestrictedReservationIsTooSmallForGetsAnEvent() {
        cluster.createReservation(reservation().restricted()).createPod(owner("6 cpu"));
        assertThat(cluster.nodeOf("owner")).contains("n2");
        assertThat(said())
                .containsExactly(NOT_USED + "Insufficient cpu (6 requested, 4 left in it, and its allocatePolicy is"
                        + " Restricted).");
        assertThat(cluster.eventTargetsOf("ReservationNotUsed")).containsExactly("Pod default/owner");
    }

    @Test
    void anOwnerThatDoesNotFitOnTheNodeOfItsReservationGetsAnEventWithTheAmounts() {
        cluster.createReservation(reservation())
                .createPodOfOtherScheduler(aPod("other").asking("3 cpu").on("n1"))
                .createPod(owner("6 cpu"));
        assertThat(said()).containsExactly(NOT_USED + "Insufficient cpu (6 requested, 5 available).");
    }

    @Test
    void anOwnerThatDoesNotTolerateTheTaintOfItsReservationGetsAMessageWithTheTaint() {
        cluster.createReservation(reservation().tainted("gpu", "only")).createPod(owner("2 cpu"));
        assertThat(cluster.nodeOf("owner")).isPresent();
        assertThat(said()).containsExactly(NOT_USED + "the pod does not tolerate its taint gpu=only:NoSchedule.");
    }

    @Test
    void anOwnerGetsAMessageThatTheNodeOfItsReservationIsCordoned() {
        cluster.createReservation(reservation())
                .createNode(node("n1").unschedulable())
                .createPod(owner("2 cpu"));
        assertThat(said()).containsExactly(NOT_USED + "the node is cordoned.");
    }

    @Test
    void anOwnerGetsTheEventOnceThoughItsBindIsRetried() {
        cluster.createReservation(reservation().restricted())
                .setServerMode(KoordinatorTestCluster.ServerMode.DENYING)
                .createPod(owner("6 cpu"));
        cluster.advance(Duration.ofMinutes(1));
        assertThat(said()).as("the pod is not bound yet").isEmpty();

        cluster.setServerMode(KoordinatorTestCluster.ServerMode.ACCEPTING)
                .advance(Duration.ofMinutes(1))
                .advance(Duration.ofMinutes(1));
        assertThat(cluster.nodeOf("owner")).contains("n2");
        assertThat(said()).hasSize(1);
    }

    @Test
    void anOwnerThatUsesItsReservationGetsNoEvent() {
        cluster.createReservation(reservation().restricted()).createPod(owner("3 cpu"));
        assertThat(cluster.nodeOf("owner")).contains("n1");
        assertThat(said()).isEmpty();
    }

    @Test
    void anOwnerThatUsesAnotherReservationGetsNoEvent() {
        cluster.createReservation(reservation().restricted())
                .createReservation(
                        aReservation("r2").requesting("6 cpu").shared().onNode("n2"))
                .createPod(owner("6 cpu"));
        assertThat(cluster.nodeOf("owner")).contains("n2");
        assertThat(said()).isEmpty();
    }

    @Test
    void aPodThatIsNoOwnerGetsNoEvent() {
        cluster.createReservation(reservation()).createPod(aPod("stranger").asking("6 cpu"));
        assertThat(cluster.nodeOf("stranger")).contains("n2");
        assertThat(said()).isEmpty();
    }
}
