package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.ReservationConstraints;
import dev.berth.core.cluster.Taint;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An owner that is placed without its Reservation is told why, by one event. */
class UnusedReservationTest {
    private static final String NOT_USED =
            "ReservationNotUsed: Reservation r on node n1 is for this pod, but the pod does not use it: ";

    private static final ReservationConstraints EXACT_CPU =
            new ReservationConstraints(Optional.empty(), List.of(ResourceName.CPU), Optional.empty());

    private final KoordinatorScene cluster = new KoordinatorScene();

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
        cluster.upsert(node("n1")).upsert(node("n2"));
    }

    @Test
    void anOwnerThatARestrictedReservationIsTooSmallForGetsAnEvent() {
        cluster.createReservation(reservation().restricted()).upsert(owner("6 cpu"));
        assertThat(cluster.nodeOf("owner")).isEqualTo("n2");
        assertThat(said())
                .containsExactly(NOT_USED + "Insufficient cpu (6 requested, 4 left in it, and its allocatePolicy is"
                        + " Restricted).");
        assertThat(cluster.eventTargetsOf("ReservationNotUsed")).containsExactly("Pod default/owner");
    }

    @Test
    void anOwnerThatDoesNotFitOnTheNodeOfItsReservationGetsAnEventWithTheAmounts() {
        cluster.createReservation(reservation())
                .upsertPodOfOtherScheduler(aPod("other").asking("3 cpu").on("n1"))
                .upsert(owner("6 cpu"));
        assertThat(said()).containsExactly(NOT_USED + "Insufficient cpu (6 requested, 5 available).");
    }

    @Test
    void anOwnerThatDoesNotTolerateTheTaintOfItsReservationGetsAMessageWithTheTaint() {
        cluster.createReservation(reservation().tainted("gpu", "only")).upsert(owner("2 cpu"));
        assertThat(cluster.nodeOf("owner")).isNotEmpty();
        assertThat(said()).containsExactly(NOT_USED + "the pod does not tolerate its taint gpu=only:NoSchedule.");
    }

    @Test
    void anOwnerGetsAMessageThatTheNodeOfItsReservationIsCordoned() {
        cluster.createReservation(reservation())
                .upsert(node("n1").unschedulable())
                .upsert(owner("2 cpu"));
        assertThat(said()).containsExactly(NOT_USED + "the node is cordoned.");
    }

    @Test
    void anOwnerThatAnExactMatchKeepsOffItsReservationGetsAnEventWithBothAmounts() {
        cluster.createReservation(reservation()).upsert(owner("2 cpu").withSpec(spec -> spec.reservations(EXACT_CPU)));
        assertThat(cluster.nodeOf("owner")).isNotEmpty();
        assertThat(said())
                .containsExactly(NOT_USED + "the pod's annotation exact-match-reservation requires exactly its size"
                        + " (2 cpu requested, 4 reserved).");
    }

    @Test
    void anOwnerWithAnExactMatchThatUsesItsReservationGetsNoEvent() {
        cluster.createReservation(reservation()).upsert(owner("4 cpu").withSpec(spec -> spec.reservations(EXACT_CPU)));
        assertThat(said()).isEmpty();
    }

    @Test
    void anOwnerThatDoesNotTolerateTheTaintOfTheNodeGetsAMessageWithTheTaint() {
        cluster.createReservation(reservation())
                .upsert(node("n1").tainted("maintenance", "soon", Taint.TaintEffect.NO_SCHEDULE))
                .upsert(owner("2 cpu"));
        assertThat(said())
                .containsExactly(
                        NOT_USED + "the pod does not tolerate the taint maintenance=soon:NoSchedule of the node.");
    }

    @Test
    void anOwnerGetsTheEventOnceThoughItsBindIsRetried() {
        cluster.createReservation(reservation().restricted())
                .setServerMode(SchedulerScene.ServerMode.DENYING)
                .upsert(owner("6 cpu"));
        cluster.advance(Duration.ofMinutes(1));
        assertThat(said()).as("the pod is not bound yet").isEmpty();

        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING)
                .advance(Duration.ofMinutes(1))
                .advance(Duration.ofMinutes(1));
        assertThat(cluster.nodeOf("owner")).isEqualTo("n2");
        assertThat(said()).hasSize(1);
    }

    @Test
    void anOwnerThatUsesItsReservationGetsNoEvent() {
        cluster.createReservation(reservation().restricted()).upsert(owner("3 cpu"));
        assertThat(cluster.nodeOf("owner")).isEqualTo("n1");
        assertThat(said()).isEmpty();
    }

    @Test
    void anOwnerThatUsesAnotherReservationGetsNoEvent() {
        cluster.createReservation(reservation().restricted())
                .createReservation(
                        aReservation("r2").requesting("6 cpu").shared().onNode("n2"))
                .upsert(owner("6 cpu"));
        assertThat(cluster.nodeOf("owner")).isEqualTo("n2");
        assertThat(said()).isEmpty();
    }

    @Test
    void aPodThatIsNotAnOwnerGetsNoEvent() {
        cluster.createReservation(reservation()).upsert(aPod("stranger").asking("6 cpu"));
        assertThat(cluster.nodeOf("stranger")).isEqualTo("n2");
        assertThat(said()).isEmpty();
    }
}
