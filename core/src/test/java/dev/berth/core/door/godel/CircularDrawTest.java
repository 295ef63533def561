package dev.berth.core.door.godel;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A tenant creates Gödel Reservations that draw on each other, in a circle or in a chain. No deletion reduces the free
 * capacity of the node.
 */
class CircularDrawTest {
    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("8 cpu")).sync();

    @Test
    void twoReservationsThatDrawOnEachOtherKeepTheirCapacity() {
        scene.upsertReservation(drawing("a", placeOf("b"))).runTurns();
        assertThat(scene.cpuFree("n1")).isEqualTo(4_000);
        scene.upsertReservation(drawing("b", placeOf("a"))).runTurns();
        assertThat(scene.cpuHeld("n1")).as("held by the two").isEqualTo(8_000);
    }

    @Test
    void deletingOneOfTwoCircularReservationsLeavesTheOtherHoldUnchanged() {
        scene.upsertReservation(drawing("a", placeOf("b"))).runTurns();
        scene.upsertReservation(drawing("b", placeOf("a"))).runTurns();

        assertOwnerOfAllFreeCapacityIsPlacedAfterDeletionOf("a");
    }

    @Test
    void threeReservationsInACircleKeepTheirCapacity() {
        scene.upsert(aNode("n1").with("16 cpu")).runTurns();
        scene.upsertReservation(drawing("a", placeOf("b"))).runTurns();
        scene.upsertReservation(drawing("b", placeOf("c"))).runTurns();
        scene.upsertReservation(drawing("c", placeOf("a"))).runTurns();
        assertThat(scene.cpuHeld("n1")).as("held by the three").isEqualTo(12_000);

        assertOwnerOfAllFreeCapacityIsPlacedAfterDeletionOf("b");
    }

    @Test
    void deletingTheMiddleOfThreeChainedReservationsLeavesTheOtherHoldsUnchanged() {
        scene.upsert(aNode("n1").with("16 cpu")).runTurns();
        keep("koordinator/source", 4, "j");
        scene.upsertReservation(drawing("a", new HoldId("koordinator/source"))).runTurns();
        scene.upsertReservation(drawing("b", placeOf("a"))).runTurns();

        assertOwnerOfAllFreeCapacityIsPlacedAfterDeletionOf("a");
    }

    /**
     * A Koordinator hold uses all free capacity, and its owner is bound after the Reservation is
     * deleted.
     */
    private void assertOwnerOfAllFreeCapacityIsPlacedAfterDeletionOf(String reservation) {
        long free = scene.cpuFree("n1") / 1_000;
        keep("koordinator/r", free, "web");

        scene.deleteReservation(reservation).runTurns();

        assertThat(scene.cpuFree("n1")).as("free after the deletion").isNotNegative();
        scene.upsert(aPod("owner").labelled("app", "web").asking(free + " cpu"));
        assertThat(scene.nodeOf("owner")).isEqualTo("n1");
    }

    private void keep(String id, long cpus, String app) {
        scene.addObject(new Fact.HoldUpserted(aHold(id)
                        .on("n1")
                        .keeping(cpus + " cpu", "2 pods")
                        .forPodsLabelled("app", app)
                        .build()))
                .runTurns();
    }

    private static HoldId placeOf(String name) {
        return new HoldId("godel/default/%s/uid-%s".formatted(name, name));
    }

    private GodelReservation drawing(String name, HoldId on) {
        Draw draw = Draw.forSuccessorOf(
                aPod("any")
                        .labelled("app", "j")
                        .annotated(GodelAnnotations.INDEX, "j")
                        .build(),
                on);
        return scene.handWrittenReservation(name).toBuilder()
                .key("j")
                .size(Resources.of(ResourceName.CPU, 4_000).plus(Resources.of(ResourceName.PODS, 1)))
                .draw(Optional.of(draw))
                .build();
    }
}
