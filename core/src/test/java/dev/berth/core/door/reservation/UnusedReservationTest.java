package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
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

    private final Scene scene = new Scene();

    private static NodeBuilder node(String name) {
        return aNode(name).with("8 cpu", "10 pods");
    }

    private static ReservationBuilder reservation() {
        return aReservation("r").keeping("4 cpu").shared().onlyOn("n1");
    }

    private static PodBuilder owner(String cpus) {
        return aPod("owner").labelled("app", "web").asking(cpus);
    }

    private List<String> said() {
        return scene.events.stream()
                .filter(event -> event.startsWith("ReservationNotUsed"))
                .toList();
    }

    @BeforeEach
    void aClusterWithTwoNodes() {
        scene.node(node("n1")).node(node("n2"));
    }

    @Test
    void anOwnerThatARestrictedReservationIsTooSmallForIsToldSo() {
        scene.reservation(reservation().restricted()).pod(owner("6 cpu"));
        assertThat(scene.nodeOf("owner")).contains("n2");
        assertThat(said())
                .containsExactly(NOT_USED + "Insufficient cpu (6 requested, 4 left in it, and its allocatePolicy is"
                        + " Restricted).");
        assertThat(scene.subjectsOf("ReservationNotUsed")).containsExactly("Pod default/owner");
    }

    @Test
    void anOwnerThatDoesNotFitOnTheNodeOfItsReservationIsToldTheAmounts() {
        scene.reservation(reservation())
                .foreignPod(aPod("other").asking("3 cpu").on("n1"))
                .pod(owner("6 cpu"));
        assertThat(said()).containsExactly(NOT_USED + "Insufficient cpu (6 requested, 5 available).");
    }

    @Test
    void anOwnerThatDoesNotTolerateTheTaintOfItsReservationIsToldWhichTaint() {
        scene.reservation(reservation().tainted("gpu", "only")).pod(owner("2 cpu"));
        assertThat(scene.nodeOf("owner")).isPresent();
        assertThat(said()).containsExactly(NOT_USED + "the pod does not tolerate its taint gpu=only:NoSchedule.");
    }

    @Test
    void anOwnerIsToldThatTheNodeOfItsReservationIsCordoned() {
        scene.reservation(reservation()).node(node("n1").unschedulable()).pod(owner("2 cpu"));
        assertThat(said()).containsExactly(NOT_USED + "the node is cordoned.");
    }

    @Test
    void anOwnerIsToldOnceThoughItsBindIsTriedAgain() {
        scene.reservation(reservation().restricted()).server(Scene.Mood.DENYING).pod(owner("6 cpu"));
        scene.pass(Duration.ofMinutes(1));
        assertThat(said()).as("the pod is not bound yet").isEmpty();

        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(1)).pass(Duration.ofMinutes(1));
        assertThat(scene.nodeOf("owner")).contains("n2");
        assertThat(said()).hasSize(1);
    }

    @Test
    void anOwnerThatUsesItsReservationIsToldNothing() {
        scene.reservation(reservation().restricted()).pod(owner("3 cpu"));
        assertThat(scene.nodeOf("owner")).contains("n1");
        assertThat(said()).isEmpty();
    }

    @Test
    void anOwnerThatUsesAnotherReservationIsToldNothing() {
        scene.reservation(reservation().restricted())
                .reservation(aReservation("r2").keeping("6 cpu").shared().onlyOn("n2"))
                .pod(owner("6 cpu"));
        assertThat(scene.nodeOf("owner")).contains("n2");
        assertThat(said()).isEmpty();
    }

    @Test
    void aPodThatIsNoOwnerIsToldNothing() {
        scene.reservation(reservation()).pod(aPod("stranger").asking("6 cpu"));
        assertThat(scene.nodeOf("stranger")).contains("n2");
        assertThat(said()).isEmpty();
    }
}
