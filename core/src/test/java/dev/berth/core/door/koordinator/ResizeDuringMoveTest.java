package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.SchedulerScene.ServerMode;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A reservation must leave its node, no other node fits, and the template's requests are edited. */
class ResizeDuringMoveTest {
    /** Longer than any back-off. */
    private static final Duration A_RETRY = Duration.ofMinutes(6);

    private final KoordinatorScene cluster = new KoordinatorScene();

    private static NodeBuilder node(String name, String cpus) {
        return aNode(name).with(cpus, "16Gi memory");
    }

    private static ReservationBuilder sized(String cpus) {
        return aReservation("r").requesting(cpus).shared();
    }

    /** It holds 6 of 8 cpus of n1, and n2 has 4. */
    private KoordinatorScene aReservationThatFitsNoOtherNode() {
        cluster.upsert(node("n1", "8 cpu")).createReservation(sized("6 cpu"));
        cluster.upsert(node("n2", "4 cpu"));
        return cluster.upsert(node("n1", "8 cpu").unschedulable());
    }

    private void assertPlace(String node, String cpus) {
        cluster.advance(A_RETRY);
        assertThat(cluster.status("r").nodeName()).isEqualTo(node);
        assertThat(cluster.status("r").allocatable()).isEqualTo(amounts(cpus));
    }

    @Test
    void aReservationShrinksAndMovesToANodeThatFitsItsNewSize() {
        aReservationThatFitsNoOtherNode().edit(sized("4 cpu"));
        assertPlace("n2", "4 cpu");
        assertThat(cluster.cpuFree("n1")).isEqualTo(8_000);
        assertThat(cluster.cpuFree("n2")).isZero();
    }

    @Test
    void aReservationShrinksOnItsOldNodeIfItsNewSizeFitsNoOtherNode() {
        aReservationThatFitsNoOtherNode().edit(sized("5 cpu"));
        assertPlace("n1", "5 cpu");
        assertThat(cluster.cpuFree("n1")).isEqualTo(3_000);
    }

    @Test
    void aReservationGrowsOnItsOldNode() {
        aReservationThatFitsNoOtherNode().edit(sized("8 cpu"));
        assertPlace("n1", "8 cpu");
        assertThat(cluster.cpuFree("n1")).isZero();
    }

    @Test
    void aReservationThatCannotGrowOnItsOldNodeSaysSo() {
        aReservationThatFitsNoOtherNode().edit(sized("9 cpu"));
        assertPlace("n1", "6 cpu");
        assertThat(cluster.conditions("r")).contains("Resized=false/InsufficientCapacity");
    }

    @Test
    void anEditIsAppliedToAReservationThatAnotherSchedulerPlaced() {
        cluster.upsert(node("n1", "8 cpu").unschedulable())
                .createReservation(sized("6 cpu")
                        .withStatus(
                                ReservationStatus.ABSENT.toAvailable("n1", amounts("6 cpu"), cluster.clock.instant())));
        assertThat(cluster.status("r").appliedSize()).isPresent();
        cluster.edit(sized("5 cpu"));
        assertPlace("n1", "5 cpu");
    }

    @Test
    void capacityForAGrowthOnTheOldNodeIsNotHeldOnTheNewNode() {
        cluster.upsert(node("n1", "8 cpu")).createReservation(sized("6 cpu"));
        cluster.setServerMode(ServerMode.CONFLICTING).edit(sized("8 cpu"));
        assertThat(cluster.cpuFree("n1")).as("the growth is held").isZero();
        cluster.upsert(node("n2", "7 cpu")).upsert(node("n1", "8 cpu").unschedulable());
        cluster.setServerMode(ServerMode.ACCEPTING);
        assertPlace("n2", "6 cpu");
        assertThat(cluster.cpuFree("n2")).isEqualTo(1_000);
        assertThat(cluster.conditions("r")).contains("Resized=false/InsufficientCapacity");
    }

    @Test
    void aReservationWhoseNodeWasDeletedShrinksAndMovesToANodeThatFitsItsNewSize() {
        cluster.upsert(node("n1", "8 cpu")).createReservation(sized("6 cpu"));
        cluster.upsert(node("n2", "4 cpu")).deleteNode("n1");
        cluster.edit(sized("4 cpu"));
        assertPlace("n2", "4 cpu");
        assertThat(cluster.cpuFree("n2")).isZero();
    }

    @Test
    void aReservationWhoseNodeWasDeletedKeepsItsSizeUntilItHasAPlaceToGrow() {
        cluster.upsert(node("n1", "8 cpu")).createReservation(sized("6 cpu"));
        cluster.deleteNode("n1").edit(sized("8 cpu"));
        cluster.upsert(node("n2", "7 cpu"));
        assertPlace("n2", "6 cpu");
        assertThat(cluster.conditions("r")).contains("Resized=false/InsufficientCapacity");
        cluster.upsert(node("n2", "8 cpu"));
        assertPlace("n2", "8 cpu");
    }

    @Test
    void anEditIsAppliedToAReservationThatAnotherSchedulerPlacedOnADeletedNode() {
        cluster.createReservation(sized("6 cpu")
                .withStatus(ReservationStatus.ABSENT.toAvailable("n1", amounts("6 cpu"), cluster.clock.instant())));
        cluster.edit(sized("5 cpu")).upsert(node("n2", "8 cpu"));
        assertPlace("n2", "5 cpu");
    }

    private String resizedMessage() {
        return cluster.status("r")
                .findCondition(ReservationCondition.Type.RESIZED)
                .map(ReservationCondition::message)
                .orElse("");
    }

    @Test
    void afterTheDeletionOfItsNodeAReservationThatCannotGrowDoesNotNameThatNodesCapacity() {
        cluster.upsert(node("n1", "8 cpu")).createReservation(sized("6 cpu")).edit(sized("9 cpu"));
        assertThat(resizedMessage()).startsWith("Insufficient cpu on node n1");
        cluster.deleteNode("n1");
        assertThat(cluster.conditions("r")).contains("Ready=false/NodeDeleted", "Resized=false/NodeDeleted");
        assertThat(resizedMessage())
                .isEqualTo(
                        "node n1 was deleted: the Reservation keeps its size (6 cpu), and the requested size is 9 cpu. Berth"
                                + " resizes it when it has another place");
    }

    @Test
    void afterTheDeletionOfItsNodeAReservationWhoseEditIsUndoneIsResizedAgain() {
        cluster.upsert(node("n1", "8 cpu")).createReservation(sized("6 cpu")).edit(sized("9 cpu"));
        cluster.deleteNode("n1").edit(sized("6 cpu"));
        assertThat(cluster.conditions("r")).doesNotContain("Resized").contains("Ready=false/NodeDeleted");
    }
}
