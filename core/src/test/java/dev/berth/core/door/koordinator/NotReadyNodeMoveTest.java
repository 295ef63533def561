package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.testing.NodeBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A reservation leaves a node that is not ready after the time that a pod would stay, and not all of a zone at once. */
class NotReadyNodeMoveTest {
    private static final String UNREACHABLE = Taint.UNREACHABLE.key();
    private static final String NOT_READY = Taint.NOT_READY.key();

    private final KoordinatorScene cluster = new KoordinatorScene();
    private final Instant start = cluster.clock.instant();

    private static NodeBuilder node(String name) {
        return aNode(name).with("8 cpu", "16Gi memory");
    }

    private static Toleration tolerationOf(String key) {
        return new Toleration(key, Toleration.Operator.EXISTS, "", Optional.of(Taint.TaintEffect.NO_EXECUTE));
    }

    private String nodeOf(String reservation) {
        return cluster.status(reservation).nodeName();
    }

    private void reservedOnN1(ReservationBuilder reservation) {
        cluster.upsert(node("n1"))
                .createReservation(reservation.requesting("6 cpu"))
                .upsert(node("n2"));
    }

    @Test
    void aReservationMovesAfterFiveMinutes() {
        reservedOnN1(aReservation("r"));
        cluster.upsert(node("n1").notReadySince(start));
        assertThat(cluster.conditions("r")).contains("NodeUsable=false/NodeNotReady");
        assertThat(cluster.status("r")
                        .findCondition(ReservationCondition.Type.NODE_USABLE)
                        .orElseThrow()
                        .message())
                .isEqualTo("node n1 is not ready. Berth moves the Reservation at %s, unless the node recovers"
                        .formatted(start.plusSeconds(300)));
        cluster.advance(Duration.ofSeconds(299));
        assertThat(nodeOf("r")).isEqualTo("n1");
        cluster.advance(Duration.ofSeconds(1));
        assertThat(nodeOf("r")).isEqualTo("n2");
        assertThat(cluster.events)
                .contains("Moved: Moved from node n1 to node n2: node n1 has not been ready since " + start);
    }

    @Test
    void theTimeIsCountedFromTheNodesConditionAlsoAfterARestart() {
        reservedOnN1(aReservation("r"));
        cluster.upsert(node("n1").notReadySince(start)).advance(Duration.ofSeconds(200));
        cluster.restart().advance(Duration.ofSeconds(100));
        assertThat(nodeOf("r")).isEqualTo("n2");
    }

    @Test
    void aReservationStaysIfItsNodeRecoversInTime() {
        reservedOnN1(aReservation("r"));
        cluster.upsert(node("n1").notReadySince(start)).advance(Duration.ofSeconds(200));
        cluster.upsert(node("n1")).advance(Duration.ofSeconds(200));
        assertThat(nodeOf("r")).isEqualTo("n1");
        assertThat(cluster.conditions("r")).doesNotContain("NodeUsable");
    }

    @Test
    void tolerationSecondsOfTheTemplateDecideWhenTheReservationMoves() {
        reservedOnN1(aReservation("r").toleratingFor(tolerationOf(NOT_READY), Duration.ofSeconds(20)));
        cluster.upsert(node("n1").notReadySince(start)).advance(Duration.ofSeconds(19));
        assertThat(nodeOf("r")).isEqualTo("n1");
        cluster.advance(Duration.ofSeconds(1));
        assertThat(nodeOf("r")).isEqualTo("n2");
    }

    @Test
    void anUnreachableNodeIsToleratedByItsOwnToleration() {
        reservedOnN1(aReservation("r")
                .toleratingFor(tolerationOf(NOT_READY), Duration.ofSeconds(20))
                .toleratingFor(tolerationOf(UNREACHABLE), Duration.ofSeconds(40)));
        cluster.upsert(node("n1").notReadySince(start).tainted(UNREACHABLE, "", Taint.TaintEffect.NO_EXECUTE));
        cluster.advance(Duration.ofSeconds(39));
        assertThat(nodeOf("r")).isEqualTo("n1");
        cluster.advance(Duration.ofSeconds(1));
        assertThat(nodeOf("r")).isEqualTo("n2");
    }

    @Test
    void aTemplateThatToleratesTheTaintForeverStays() {
        reservedOnN1(aReservation("r").withTemplate(spec -> spec.tolerations(List.of(tolerationOf(NOT_READY)))));
        cluster.upsert(node("n1").notReadySince(start)).advance(Duration.ofDays(1));
        assertThat(nodeOf("r")).isEqualTo("n1");
    }

    @Test
    void aTaintNoExecuteIsToleratedForTheSecondsOfTheTemplate() {
        reservedOnN1(aReservation("r").toleratingFor(tolerationOf("maintenance"), Duration.ofSeconds(60)));
        cluster.upsert(node("n1").tainted("maintenance", "", Taint.TaintEffect.NO_EXECUTE));
        assertThat(cluster.conditions("r")).contains("NodeUsable=false/NodeTainted");
        cluster.advance(Duration.ofSeconds(59));
        assertThat(nodeOf("r")).isEqualTo("n1");
        cluster.advance(Duration.ofSeconds(1));
        assertThat(nodeOf("r")).isEqualTo("n2");
    }

    @Test
    void noMoreReservationsThanTheLimitLeaveNodesThatAreNotReadyInAMinute() {
        cluster.movingAtMost(2);
        cluster.upsert(aNode("n1").with("8 cpu", "16Gi memory"));
        for (String name : List.of("r1", "r2", "r3", "r4")) {
            cluster.createReservation(aReservation(name).requesting("1 cpu"));
        }
        cluster.upsert(node("n2")).upsert(node("n1").notReadySince(start)).advance(Duration.ofMinutes(5));
        assertThat(List.of(nodeOf("r1"), nodeOf("r2"), nodeOf("r3"), nodeOf("r4")))
                .containsExactlyInAnyOrder("n2", "n2", "n1", "n1");
        cluster.advance(Duration.ofSeconds(30));
        assertThat(List.of(nodeOf("r1"), nodeOf("r2"), nodeOf("r3"), nodeOf("r4")))
                .containsExactlyInAnyOrder("n2", "n2", "n2", "n1");
        cluster.advance(Duration.ofSeconds(30));
        assertThat(List.of(nodeOf("r1"), nodeOf("r2"), nodeOf("r3"), nodeOf("r4")))
                .containsOnly("n2");
    }

    @Test
    void theLimitDoesNotApplyToACordonedNode() {
        cluster.movingAtMost(1);
        cluster.upsert(node("n1"));
        for (String name : List.of("r1", "r2", "r3")) {
            cluster.createReservation(aReservation(name).requesting("1 cpu"));
        }
        cluster.upsert(node("n2")).upsert(node("n1").unschedulable());
        assertThat(List.of(nodeOf("r1"), nodeOf("r2"), nodeOf("r3"))).containsOnly("n2");
    }

    @Test
    void nothingMovesWhileMostNodesOfTheZoneAreNotReady() {
        cluster.upsert(node("n1").inZone("a"))
                .createReservation(aReservation("r").requesting("6 cpu"));
        cluster.upsert(node("spare").inZone("b")).upsert(node("n4").inZone("a"));
        for (String name : List.of("n1", "n2", "n3")) {
            cluster.upsert(node(name).inZone("a").notReadySince(start));
        }
        cluster.advance(Duration.ofHours(1));
        assertThat(nodeOf("r")).as("3 of 4 nodes of the zone are not ready").isEqualTo("n1");

        cluster.upsert(node("n2").inZone("a")).upsert(node("n3").inZone("a")).advance(Duration.ofSeconds(20));
        assertThat(nodeOf("r")).isNotEqualTo("n1");
    }

    @Test
    void reservationsLeaveAZoneThatIsDownIfAnotherZoneIsUp() {
        cluster.upsert(node("n1").inZone("a"))
                .createReservation(aReservation("r").requesting("6 cpu"));
        cluster.upsert(node("spare").inZone("b"));
        for (String name : List.of("n1", "n2", "n3")) {
            cluster.upsert(node(name).inZone("a").notReadySince(start));
        }
        cluster.advance(Duration.ofMinutes(5));
        assertThat(nodeOf("r")).isEqualTo("spare");
    }

    @Test
    void nothingMovesWhileAllZonesAreDown() {
        cluster.upsert(node("n1").inZone("a"))
                .createReservation(aReservation("r").requesting("6 cpu"));
        cluster.upsert(node("n2").inZone("b").notReadySince(start))
                .upsert(node("n1").inZone("a").notReadySince(start))
                .advance(Duration.ofHours(1));
        assertThat(nodeOf("r")).isEqualTo("n1");
    }

    private String nodeMessage(String reservation) {
        return cluster.status(reservation)
                .findCondition(ReservationCondition.Type.NODE_USABLE)
                .map(ReservationCondition::message)
                .orElse("");
    }

    private void threeOfFourNodesOfZoneAAreNotReady() {
        cluster.upsert(node("spare").inZone("b")).upsert(node("n4").inZone("a"));
        for (String name : List.of("n1", "n2", "n3")) {
            cluster.upsert(node(name).inZone("a").notReadySince(start));
        }
    }

    @Test
    void aTaintNoExecuteMovesReservationsFromAReadyNodeOfAnUnhealthyZone() {
        cluster.upsert(node("n0").inZone("a"))
                .createReservation(aReservation("r").requesting("6 cpu"));
        cluster.upsert(node("spare").inZone("b"));
        for (String name : List.of("n1", "n2", "n3")) {
            cluster.upsert(node(name).inZone("a").notReadySince(start));
        }
        cluster.upsert(node("n0").inZone("a").tainted("maintenance", "", Taint.TaintEffect.NO_EXECUTE));
        cluster.advance(Duration.ofSeconds(20));
        assertThat(nodeOf("r")).isEqualTo("spare");
    }

    @Test
    void aReservationThatTheZoneStopsSaysSo() {
        cluster.upsert(node("n1").inZone("a"))
                .createReservation(aReservation("r").requesting("6 cpu"));
        threeOfFourNodesOfZoneAAreNotReady();
        cluster.advance(Duration.ofMinutes(5));
        assertThat(nodeMessage("r"))
                .isEqualTo(
                        "node n1 is not ready. Berth does not move the Reservation yet: most nodes of its zone, or all zones,"
                                + " are not ready");
        String version = cluster.getReservation("r").resourceVersion();
        cluster.advance(Duration.ofMinutes(1)).restart();
        assertThat(cluster.getReservation("r").resourceVersion())
                .as("the message does not change while the move is postponed")
                .isEqualTo(version);
    }

    @Test
    void aReservationThatTheLimitPostponesSaysSo() {
        cluster.movingAtMost(1).upsert(node("n1"));
        cluster.createReservation(aReservation("r1").requesting("1 cpu"))
                .createReservation(aReservation("r2").requesting("1 cpu"));
        cluster.upsert(node("n2")).upsert(node("n1").notReadySince(start)).advance(Duration.ofMinutes(5));
        String postponed = nodeOf("r1").equals("n1") ? "r1" : "r2";
        assertThat(nodeMessage(postponed))
                .isEqualTo(
                        "node n1 is not ready. Berth moves the Reservation later: at most 1 Reservations leave such nodes"
                                + " in a minute (moving.maxPerMinute)");
        cluster.advance(Duration.ofMinutes(1));
        assertThat(List.of(nodeOf("r1"), nodeOf("r2"))).containsOnly("n2");
    }

    @Test
    void aReservationWhoseMoveWasPostponedMovesWhenItsNodeIsNotReadyAgain() {
        cluster.upsert(node("n1").inZone("a"))
                .createReservation(aReservation("r").requesting("6 cpu"));
        threeOfFourNodesOfZoneAAreNotReady();
        cluster.advance(Duration.ofMinutes(5));
        for (String name : List.of("n1", "n2", "n3")) {
            cluster.upsert(node(name).inZone("a"));
        }
        cluster.advance(Duration.ofMinutes(5));
        cluster.upsert(node("n1").inZone("a").notReadySince(cluster.clock.instant()));
        cluster.advance(Duration.ofMinutes(5));
        assertThat(nodeOf("r")).isNotEqualTo("n1");
    }
}
