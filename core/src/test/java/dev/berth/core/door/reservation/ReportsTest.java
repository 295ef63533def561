package dev.berth.core.door.reservation;

import static dev.berth.core.door.reservation.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.door.reservation.Status.Phase;
import dev.berth.core.testing.NodeBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A reservation that is not what it says reports it, and takes that back when it is over. */
class ReportsTest {
    private final Scene scene = new Scene();

    @BeforeEach
    void aClusterWithOneNode() {
        scene.node(aNode("n1").with("8 cpu", "16Gi memory"));
    }

    private String message(Condition.Type type) {
        return scene.status("r").condition(type).map(Condition::message).orElse("");
    }

    @Test
    void whenAnotherSchedulerBindsAPodOntoAHeldNodeTheReservationNamesItAndWhatIsMissingUntilItIsGone() {
        scene.reservation(aReservation("r").keeping("6 cpu"));
        scene.pod(aPod("intruder").asking("4 cpu").on("n1"));

        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        assertThat(scene.conditions("r")).contains("Ready=false/Overcommitted");
        assertThat(message(Condition.Type.READY))
                .isEqualTo("node n1 is over-committed: 2 cpu of what is reserved there are not available; pods there"
                        + " that use no hold: default/intruder (scheduler koord-scheduler)");
        assertThat(scene.subjectsOf("Overcommitted")).containsExactlyInAnyOrder("Reservation r", "Node n1");

        scene.delete("intruder");
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void whenAnotherSchedulerBindsAnOwnerTheReservationSaysThatItMatchesAndWhichSchedulerToSet() {
        scene.reservation(aReservation("r").keeping("6 cpu"));
        scene.foreignPod(aPod("stranger").asking("1 cpu").on("n1"));
        scene.foreignPod(aPod("owner").labelled("app", "web").asking("4 cpu").on("n1"));

        assertThat(scene.status("r").currentOwners()).isEmpty();
        assertThat(message(Condition.Type.READY))
                .contains("default/owner (scheduler default-scheduler)")
                .endsWith(
                        "; pod default/owner matches the owners of Reservation r, but scheduler default-scheduler bound"
                                + " it without the hold: set spec.schedulerName of its owners to koord-scheduler");
        assertThat(scene.events)
                .filteredOn(event -> event.contains("pod default/owner matches the owners of Reservation r"))
                .hasSize(2);
        assertThat(scene.subjectsOf("Overcommitted")).containsExactlyInAnyOrder("Reservation r", "Node n1");
    }

    @Test
    void anOvercommitmentThatWasReportedIsNotReportedOnTheReservationAgainAfterARestart() {
        scene.reservation(aReservation("r").keeping("6 cpu"));
        scene.pod(aPod("intruder").asking("4 cpu").on("n1"));
        scene.events.clear();
        scene.restart();
        assertThat(scene.conditions("r")).contains("Ready=false/Overcommitted");
        assertThat(scene.events)
                .as("the node alone: a new leader does not know what was said there")
                .singleElement()
                .asString()
                .endsWith("; reserved by: Reservation r");
        scene.delete("intruder");
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aNodeThatBecomesTooSmallIsReportedUntilItIsLargeEnough() {
        scene.reservation(aReservation("r").keeping("6 cpu"));
        scene.node(aNode("n1").with("4 cpu", "16Gi memory"));
        assertThat(message(Condition.Type.READY))
                .isEqualTo(
                        "node n1 is over-committed: 2 cpu of what is reserved there are not available; no pod outside"
                                + " a hold uses it: the node's allocatable resources shrank, or holds exceed them");
        assertThat(scene.conditions("r")).contains("Ready=false/Overcommitted");
        assertThat(scene.subjectsOf("Overcommitted")).containsExactlyInAnyOrder("Reservation r", "Node n1");
        assertThat(scene.events)
                .filteredOn(event -> event.startsWith("Overcommitted: " + message(Condition.Type.READY)))
                .as("the events say what the condition says")
                .hasSize(2);
        scene.node(aNode("n1").with("8 cpu", "16Gi memory"));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void anOvercommitmentIsTakenBackWhenAnotherReservationOfTheNodeIsDeleted() {
        scene.reservation(aReservation("r").keeping("3 cpu"))
                .reservation(aReservation("other").keeping("3 cpu"));
        scene.node(aNode("n1").with("4 cpu", "16Gi memory"));
        assertThat(scene.conditions("r")).contains("Ready=false/Overcommitted");
        scene.deleteReservation("other");
        assertThat(scene.conditions("r"))
                .as("users are told that room is missing which is there")
                .isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aCordonedNodeIsReportedUntilItIsUncordoned() {
        scene.reservation(aReservation("r").keeping("6 cpu"));
        scene.node(aNode("n1").with("8 cpu", "16Gi memory").unschedulable());
        assertThat(scene.conditions("r")).contains("NodeUsable=false/NodeUnschedulable", "Ready=true/Available");
        assertThat(scene.events).anyMatch(event -> event.startsWith("NodeUnschedulable: node n1 is cordoned"));
        assertThat(scene.subjectsOf("NodeUnschedulable")).containsExactly("Reservation r");
        scene.node(aNode("n1").with("8 cpu", "16Gi memory"));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aNodeThatIsNotReadyIsReportedUntilItIsReady() {
        scene.reservation(aReservation("r").keeping("6 cpu"));
        scene.node(aNode("n1").with("8 cpu", "16Gi memory").notReadySince(scene.clock.instant()));
        assertThat(scene.conditions("r")).contains("NodeUsable=false/NodeNotReady", "Ready=true/Available");
        assertThat(scene.events).anyMatch(event -> event.startsWith("NodeNotReady: node n1 is not ready"));
        assertThat(scene.subjectsOf("NodeNotReady")).containsExactly("Reservation r");
        scene.node(aNode("n1").with("8 cpu", "16Gi memory"));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aTaintThatTheTemplateDoesNotTolerateIsReportedUntilItIsGone() {
        scene.reservation(aReservation("r").keeping("6 cpu"));
        scene.node(tainted(Taint.Effect.NO_SCHEDULE));
        assertThat(scene.conditions("r")).contains("NodeUsable=false/NodeTainted", "Ready=true/Available");
        assertThat(message(Condition.Type.NODE_USABLE))
                .isEqualTo(
                        "node n1 has the taint gpu=only:NoSchedule, which spec.template does not tolerate: only owners that"
                                + " tolerate it can use the place. Remove the taint, or add a toleration to the owners");
        assertThat(scene.events).anyMatch(event -> event.startsWith("NodeTainted: node n1 has the taint"));
        assertThat(scene.subjectsOf("NodeTainted")).containsExactly("Reservation r");
        scene.node(tainted(Taint.Effect.NO_EXECUTE));
        assertThat(message(Condition.Type.NODE_USABLE)).contains("gpu=only:NoExecute");
        scene.node(aNode("n1").with("8 cpu", "16Gi memory"));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aTaintThatKeepsNoOwnerOffIsNotReported() {
        scene.reservation(aReservation("r").keeping("6 cpu"));
        scene.node(tainted(Taint.Effect.PREFER_NO_SCHEDULE));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");

        scene.reservation(aReservation("tolerant")
                .keeping("1 cpu")
                .shaped(shape -> shape.tolerations(
                        List.of(new Toleration("gpu", Toleration.Operator.EXISTS, "", Optional.empty())))));
        scene.node(tainted(Taint.Effect.NO_SCHEDULE));
        assertThat(scene.conditions("tolerant")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aTaintThatKubernetesRemovesAfterTheNodeIsReadyIsNotReported() {
        scene.reservation(aReservation("r").keeping("6 cpu"));
        for (String key : List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")) {
            NodeBuilder down = taintedByKubernetes(key).notReadySince(scene.clock.instant());
            assertThat(scene.node(down).conditions("r")).contains("NodeUsable=false/NodeNotReady");

            scene.node(taintedByKubernetes(key));
            assertThat(scene.conditions("r")).as(key).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
        }
        assertThat(scene.subjectsOf("NodeTainted")).isEmpty();
    }

    private static NodeBuilder taintedByKubernetes(String key) {
        return aNode("n1")
                .with("8 cpu", "16Gi memory")
                .tainted(key, "", Taint.Effect.NO_SCHEDULE)
                .tainted(key, "", Taint.Effect.NO_EXECUTE);
    }

    private static NodeBuilder tainted(Taint.Effect effect) {
        return aNode("n1").with("8 cpu", "16Gi memory").tainted("gpu", "only", effect);
    }

    @Test
    void aReservationThatReachesItsDeadlineGetsOneEventAndItsConditionNamesTheDeadline() {
        scene.reservation(
                aReservation("r").keeping("6 cpu").until(scene.clock.instant().plusSeconds(60)));
        scene.server(Scene.Mood.DENYING).pass(Duration.ofSeconds(61));
        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(2));
        assertThat(scene.conditions("r")).contains("Ready=false/Expired");
        String ended =
                "the Reservation reached its deadline " + scene.clock.instant().minusSeconds(121);
        assertThat(message(Condition.Type.READY)).isEqualTo(ended);
        assertThat(scene.events)
                .filteredOn(event -> event.startsWith("Expired"))
                .containsExactly("Expired: " + ended);
    }

    @Test
    void aReservationWhoseDeadlineIsPutOffAfterItExpiredStaysExpiredAndSaysSoOnce() {
        Instant end = scene.clock.instant().plusSeconds(60);
        scene.reservation(aReservation("r").keeping("6 cpu").until(end));
        scene.server(Scene.Mood.DENYING).pass(Duration.ofSeconds(61));
        scene.edit(aReservation("r").keeping("6 cpu").until(end.plusSeconds(600)));
        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(2));
        assertThat(scene.conditions("r")).contains("Ready=false/Expired");
        scene.pass(Duration.ofMinutes(10));
        assertThat(scene.events)
                .filteredOn(event -> event.startsWith("Expired"))
                .containsExactly("Expired: the Reservation reached its deadline " + end);
    }

    @Test
    void aReservationWhoseNodeIsDeletedGetsAnEventThatSaysSo() {
        scene.reservation(aReservation("r").keeping("6 cpu"));
        scene.nodeGone("n1");
        assertThat(scene.conditions("r")).as("Koordinator's reason").contains("Ready=false/Expired");
        assertThat(scene.events)
                .filteredOn(event -> event.startsWith("Expired") || event.startsWith("NodeGone"))
                .containsExactly("NodeGone: node (n1) is gone");
    }

    @Test
    void aTemplateThatRequestsNothingIsAvailableAndSaysThatItKeepsNothing() {
        scene.reservation(aReservation("r"));
        assertThat(scene.status("r").phase()).isEqualTo(Phase.AVAILABLE);
        assertThat(scene.conditions("r")).contains("KeepsResources=false/NoRequests");
        assertThat(scene.events).anyMatch(event -> event.startsWith("NoRequests: the Reservation keeps no resources"));
        assertThat(scene.subjectsOf("NoRequests")).containsExactly("Reservation r");
    }

    @Test
    void aTemplateThatRequestsAFractionOfAByteSaysThatItKeepsAlmostNothing() {
        scene.reservation(aReservation("r").keeping("1 cpu", "512m memory"));
        assertThat(scene.conditions("r")).contains("KeepsResources=false/RequestTooSmall");
        assertThat(message(Condition.Type.KEEPS_RESOURCES))
                .startsWith("the Reservation keeps only 1 B of memory")
                .endsWith("Maybe write Mi");
        scene.reservation(aReservation("large").keeping("1Ki memory"));
        assertThat(scene.conditions("large")).doesNotContain("KeepsResources");
    }

    @Test
    void anEditOfTheSizeAfterPlacementIsReportedUntilItIsTakenBack() {
        scene.reservation(aReservation("r").keeping("2 cpu"));
        scene.edit(aReservation("r").keeping("4 cpu"));
        assertThat(scene.conditions("r")).contains("Resized=false/ResizeNotSupported");
        assertThat(scene.subjectsOf("ResizeNotSupported")).containsExactly("Reservation r");
        assertThat(message(Condition.Type.RESIZED))
                .startsWith("the Reservation keeps 2 cpu as when it was placed, but spec.template now requests 4 cpu");
        scene.edit(aReservation("r").keeping("2 cpu"));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void anInvalidEditHidesNothingThatIsStillTrue() {
        scene.reservation(aReservation("r").keeping("2 cpu"));
        scene.edit(aReservation("r").keeping("4 cpu").onlyOn("n2"));
        assertThat(scene.conditions("r")).contains("Resized=false/ResizeNotSupported", "Moved=false/MoveNotSupported");
        String moved = message(Condition.Type.MOVED);
        String resized = message(Condition.Type.RESIZED);

        scene.edit(aReservation("r")
                .keeping("4 cpu")
                .onlyOn("n2")
                .senselessBesidesItsTemplate("spec.ttl (1x) is no duration"));
        assertThat(scene.conditions("r"))
                .contains(
                        "Ready=false/InvalidReservation",
                        "Resized=false/ResizeNotSupported",
                        "Moved=false/MoveNotSupported");
        assertThat(message(Condition.Type.MOVED)).isEqualTo(moved);
        assertThat(message(Condition.Type.RESIZED)).isEqualTo(resized);

        scene.restart();
        assertThat(scene.conditions("r")).contains("Resized=false/ResizeNotSupported", "Moved=false/MoveNotSupported");

        scene.edit(aReservation("r").keeping("2 cpu"));
        assertThat(scene.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }
}
