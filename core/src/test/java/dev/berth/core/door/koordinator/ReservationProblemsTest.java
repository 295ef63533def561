package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.door.koordinator.ReservationStatus.ReservationPhase;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A reservation that is not what it says reports it, and takes that back when it is over. */
class ReservationProblemsTest {
    private final KoordinatorScene cluster = new KoordinatorScene();

    @BeforeEach
    void aClusterWithOneNode() {
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory"));
    }

    private String message(ReservationCondition.Type type) {
        return cluster.status("r")
                .findCondition(type)
                .map(ReservationCondition::message)
                .orElse("");
    }

    @Test
    void anUnschedulableReservationSaysSoUntilItIsSchedulable() {
        cluster.createReservation(aReservation("r").requesting("2 cpu").unschedulable(true));
        assertThat(cluster.conditions("r"))
                .isEqualTo("Scheduled=true/Scheduled Ready=true/Available Schedulable=false/ReservationUnschedulable");
        assertThat(cluster.eventTargetsOf("ReservationUnschedulable")).containsExactly("Reservation r");
        cluster.edit(aReservation("r").requesting("2 cpu"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void whenAnotherSchedulerBindsAPodOntoAHeldNodeTheReservationNamesItAndWhatIsMissingUntilItIsGone() {
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        cluster.upsert(aPod("intruder").asking("4 cpu").on("n1"));

        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.conditions("r")).contains("Ready=false/Overcommitted");
        assertThat(message(ReservationCondition.Type.READY))
                .isEqualTo("node n1 is over-committed: 2 cpu of what is reserved there are not available; pods there"
                        + " that use no hold: default/intruder (scheduler koord-scheduler)");
        assertThat(cluster.eventTargetsOf("Overcommitted")).containsExactlyInAnyOrder("Reservation r", "Node n1");

        cluster.deletePod("intruder");
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void whenAnotherSchedulerBindsAnOwnerTheReservationSaysThatItMatchesAndWhichSchedulerToSet() {
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        cluster.upsertPodOfOtherScheduler(aPod("stranger").asking("1 cpu").on("n1"));
        cluster.upsertPodOfOtherScheduler(
                aPod("owner").labelled("app", "web").asking("4 cpu").on("n1"));

        assertThat(cluster.status("r").currentOwners()).isEmpty();
        assertThat(message(ReservationCondition.Type.READY))
                .contains("default/owner (scheduler default-scheduler)")
                .endsWith(
                        "; pod default/owner matches the owners of Reservation r, but scheduler default-scheduler bound"
                                + " it without the hold: set spec.schedulerName of its owners to koord-scheduler");
        assertThat(cluster.events)
                .filteredOn(event -> event.contains("pod default/owner matches the owners of Reservation r"))
                .hasSize(2);
        assertThat(cluster.eventTargetsOf("Overcommitted")).containsExactlyInAnyOrder("Reservation r", "Node n1");
    }

    @Test
    void anOvercommitmentThatWasReportedIsNotReportedOnTheReservationAgainAfterARestart() {
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        cluster.upsert(aPod("intruder").asking("4 cpu").on("n1"));
        cluster.events.clear();
        cluster.restart();
        assertThat(cluster.conditions("r")).contains("Ready=false/Overcommitted");
        assertThat(cluster.events)
                .as("the node alone: a new leader does not know what was said there")
                .singleElement()
                .asString()
                .endsWith("; reserved by: Reservation r");
        cluster.deletePod("intruder");
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aNodeThatBecomesTooSmallIsReportedUntilItIsLargeEnough() {
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        cluster.upsert(aNode("n1").with("4 cpu", "16Gi memory"));
        assertThat(message(ReservationCondition.Type.READY))
                .isEqualTo(
                        "node n1 is over-committed: 2 cpu of what is reserved there are not available; no pod outside"
                                + " a hold uses it: the node's allocatable resources shrank, or holds exceed them");
        assertThat(cluster.conditions("r")).contains("Ready=false/Overcommitted");
        assertThat(cluster.eventTargetsOf("Overcommitted")).containsExactlyInAnyOrder("Reservation r", "Node n1");
        assertThat(cluster.events)
                .filteredOn(event -> event.startsWith("Overcommitted: " + message(ReservationCondition.Type.READY)))
                .as("the events say what the condition says")
                .hasSize(2);
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void anOvercommitmentIsTakenBackWhenAnotherReservationOfTheNodeIsDeleted() {
        cluster.createReservation(aReservation("r").requesting("3 cpu"))
                .createReservation(aReservation("other").requesting("3 cpu"));
        cluster.upsert(aNode("n1").with("4 cpu", "16Gi memory"));
        assertThat(cluster.conditions("r")).contains("Ready=false/Overcommitted");
        cluster.deleteReservation("other");
        assertThat(cluster.conditions("r"))
                .as("users are told that room is missing which is there")
                .isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aCordonedNodeIsReportedUntilItIsUncordoned() {
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory").unschedulable());
        assertThat(cluster.conditions("r")).contains("NodeUsable=false/NodeUnschedulable", "Ready=true/Available");
        assertThat(cluster.events).anyMatch(event -> event.startsWith("NodeUnschedulable: node n1 is cordoned"));
        assertThat(cluster.eventTargetsOf("NodeUnschedulable")).containsExactly("Reservation r");
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aNodeThatIsNotReadyIsReportedUntilItIsReady() {
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory").notReadySince(cluster.clock.instant()));
        assertThat(cluster.conditions("r")).contains("NodeUsable=false/NodeNotReady", "Ready=true/Available");
        assertThat(cluster.events).anyMatch(event -> event.startsWith("NodeNotReady: node n1 is not ready"));
        assertThat(cluster.eventTargetsOf("NodeNotReady")).containsExactly("Reservation r");
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aTaintThatTheTemplateDoesNotTolerateIsReportedUntilItIsGone() {
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        cluster.upsert(tainted(Taint.TaintEffect.NO_SCHEDULE));
        assertThat(cluster.conditions("r")).contains("NodeUsable=false/NodeTainted", "Ready=true/Available");
        assertThat(message(ReservationCondition.Type.NODE_USABLE))
                .isEqualTo(
                        "node n1 has the taint gpu=only:NoSchedule, which spec.template does not tolerate: only owners that"
                                + " tolerate it can use the place. Remove the taint, or add a toleration to the owners");
        assertThat(cluster.events).anyMatch(event -> event.startsWith("NodeTainted: node n1 has the taint"));
        assertThat(cluster.eventTargetsOf("NodeTainted")).containsExactly("Reservation r");
        cluster.upsert(tainted(Taint.TaintEffect.NO_EXECUTE));
        assertThat(message(ReservationCondition.Type.NODE_USABLE)).contains("gpu=only:NoExecute");
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aTaintThatExcludesNoOwnerIsNotReported() {
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        cluster.upsert(tainted(Taint.TaintEffect.PREFER_NO_SCHEDULE));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");

        cluster.createReservation(aReservation("tolerant")
                .requesting("1 cpu")
                .withTemplate(spec -> spec.tolerations(
                        List.of(new Toleration("gpu", Toleration.Operator.EXISTS, "", Optional.empty())))));
        cluster.upsert(tainted(Taint.TaintEffect.NO_SCHEDULE));
        assertThat(cluster.conditions("tolerant")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }

    @Test
    void aTaintThatKubernetesRemovesAfterTheNodeIsReadyIsNotReported() {
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        for (String key : List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")) {
            NodeBuilder down = taintedByKubernetes(key).notReadySince(cluster.clock.instant());
            assertThat(cluster.upsert(down).conditions("r")).contains("NodeUsable=false/NodeNotReady");

            cluster.upsert(taintedByKubernetes(key));
            assertThat(cluster.conditions("r")).as(key).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
        }
        assertThat(cluster.eventTargetsOf("NodeTainted")).isEmpty();
    }

    private static NodeBuilder taintedByKubernetes(String key) {
        return aNode("n1")
                .with("8 cpu", "16Gi memory")
                .tainted(key, "", Taint.TaintEffect.NO_SCHEDULE)
                .tainted(key, "", Taint.TaintEffect.NO_EXECUTE);
    }

    private static NodeBuilder tainted(Taint.TaintEffect effect) {
        return aNode("n1").with("8 cpu", "16Gi memory").tainted("gpu", "only", effect);
    }

    @Test
    void aReservationThatReachesItsDeadlineGetsOneEventAndItsConditionNamesTheDeadline() {
        cluster.createReservation(aReservation("r")
                .requesting("6 cpu")
                .until(cluster.clock.instant().plusSeconds(60)));
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING).advance(Duration.ofSeconds(61));
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(2));
        assertThat(cluster.conditions("r")).contains("Ready=false/Expired");
        String ended = "the Reservation expired at " + cluster.clock.instant().minusSeconds(121);
        assertThat(message(ReservationCondition.Type.READY)).isEqualTo(ended);
        assertThat(cluster.events)
                .filteredOn(event -> event.startsWith("Expired"))
                .containsExactly("Expired: " + ended);
    }

    @Test
    void aReservationWhoseDeadlineIsPostponedAfterItExpiredStaysExpiredAndIsReportedOnce() {
        Instant end = cluster.clock.instant().plusSeconds(60);
        cluster.createReservation(aReservation("r").requesting("6 cpu").until(end));
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING).advance(Duration.ofSeconds(61));
        cluster.edit(aReservation("r").requesting("6 cpu").until(end.plusSeconds(600)));
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING).advance(Duration.ofMinutes(2));
        assertThat(cluster.conditions("r")).contains("Ready=false/Expired");
        cluster.advance(Duration.ofMinutes(10));
        assertThat(cluster.events)
                .filteredOn(event -> event.startsWith("Expired"))
                .containsExactly("Expired: the Reservation expired at " + end);
    }

    @Test
    void aReservationWhoseNodeIsDeletedGetsAnEventAboutTheNode() {
        cluster.withoutMoving().restart();
        cluster.createReservation(aReservation("r").requesting("6 cpu"));
        cluster.deleteNode("n1");
        assertThat(cluster.conditions("r")).as("Koordinator's reason").contains("Ready=false/Expired");
        assertThat(cluster.events)
                .filteredOn(event -> event.startsWith("Expired") || event.startsWith("NodeDeleted"))
                .containsExactly("NodeDeleted: node (n1) was deleted");
    }

    @Test
    void aTemplateThatRequestsNothingIsAvailableAndSaysThatItKeepsNothing() {
        cluster.createReservation(aReservation("r"));
        assertThat(cluster.status("r").phase()).isEqualTo(ReservationPhase.AVAILABLE);
        assertThat(cluster.conditions("r")).contains("ResourcesReserved=false/NoRequests");
        assertThat(cluster.events)
                .anyMatch(event -> event.startsWith("NoRequests: the Reservation reserves no resources"));
        assertThat(cluster.eventTargetsOf("NoRequests")).containsExactly("Reservation r");
    }

    @Test
    void aTemplateThatRequestsAFractionOfAByteSaysThatItKeepsAlmostNothing() {
        cluster.createReservation(aReservation("r").requesting("1 cpu", "512m memory"));
        assertThat(cluster.conditions("r")).contains("ResourcesReserved=false/RequestTooSmall");
        assertThat(message(ReservationCondition.Type.KEEPS_RESOURCES))
                .startsWith("the Reservation reserves only 1 B of memory")
                .endsWith("Maybe write Mi");
        cluster.createReservation(aReservation("large").requesting("1Ki memory"));
        assertThat(cluster.conditions("large")).doesNotContain("ResourcesReserved");
    }

    @Test
    void anInvalidEditHidesNothingThatIsStillTrue() {
        cluster.createReservation(aReservation("r").requesting("2 cpu"));
        cluster.edit(aReservation("r").requesting("40 cpu").onNode("n2"));
        assertThat(cluster.conditions("r"))
                .contains("Resized=false/InsufficientCapacity", "PlacementCurrent=false/TemplateEdited");
        String moved = message(ReservationCondition.Type.PLACEMENT_CURRENT);
        String resized = message(ReservationCondition.Type.RESIZED);

        cluster.edit(aReservation("r")
                .requesting("40 cpu")
                .onNode("n2")
                .malformedExceptTemplate("spec.ttl (1x) is no duration"));
        assertThat(cluster.conditions("r"))
                .contains(
                        "Ready=false/InvalidReservation",
                        "Resized=false/InsufficientCapacity",
                        "PlacementCurrent=false/TemplateEdited");
        assertThat(message(ReservationCondition.Type.PLACEMENT_CURRENT)).isEqualTo(moved);
        assertThat(message(ReservationCondition.Type.RESIZED)).isEqualTo(resized);

        cluster.restart();
        assertThat(cluster.conditions("r"))
                .contains("Resized=false/InsufficientCapacity", "PlacementCurrent=false/TemplateEdited");

        cluster.edit(aReservation("r").requesting("2 cpu"));
        assertThat(cluster.conditions("r")).isEqualTo("Scheduled=true/Scheduled Ready=true/Available");
    }
}
