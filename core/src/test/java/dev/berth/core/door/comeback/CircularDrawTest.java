package dev.berth.core.door.comeback;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Draw;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * A tenant writes Gödel Reservations that draw on each other, in a circle or one behind the other. Whatever the tenant
 * deletes, the node does not become scarcer.
 */
class CircularDrawTest {
    private final Scene scene = new Scene().node(aNode("n1").with("8 cpu")).listed();

    @Test
    void twoReservationsThatDrawOnEachOtherKeepTheirRoom() {
        scene.reservation(drawing("a", placeOf("b"))).settle();
        assertThat(scene.cpuFree("n1")).isEqualTo(4_000);
        scene.reservation(drawing("b", placeOf("a"))).settle();
        assertThat(scene.cpuKept("n1")).as("kept by the two").isEqualTo(8_000);
    }

    @Test
    void theDeletionOfOneOfThemTakesNothingFromAnotherReservation() {
        scene.reservation(drawing("a", placeOf("b"))).settle();
        scene.reservation(drawing("b", placeOf("a"))).settle();

        theOwnerOfAllFreeRoomIsPlacedAfterTheDeletionOf("a");
    }

    @Test
    void threeReservationsInACircleKeepTheirRoom() {
        scene.node(aNode("n1").with("16 cpu")).settle();
        scene.reservation(drawing("a", placeOf("b"))).settle();
        scene.reservation(drawing("b", placeOf("c"))).settle();
        scene.reservation(drawing("c", placeOf("a"))).settle();
        assertThat(scene.cpuKept("n1")).as("kept by the three").isEqualTo(12_000);

        theOwnerOfAllFreeRoomIsPlacedAfterTheDeletionOf("b");
    }

    @Test
    void theDeletionOfOneBetweenTwoOthersTakesNothingFromAnotherReservation() {
        scene.node(aNode("n1").with("16 cpu")).settle();
        keep("reservation/source", 4, "j");
        scene.reservation(drawing("a", new HoldId("reservation/source"))).settle();
        scene.reservation(drawing("b", placeOf("a"))).settle();

        theOwnerOfAllFreeRoomIsPlacedAfterTheDeletionOf("a");
    }

    /** Another door keeps what Berth believes to be free, and its owner comes when the Reservation is gone. */
    private void theOwnerOfAllFreeRoomIsPlacedAfterTheDeletionOf(String reservation) {
        long free = scene.cpuFree("n1") / 1_000;
        keep("reservation/r", free, "web");

        scene.deleteReservation(reservation).settle();

        assertThat(scene.cpuFree("n1")).as("free after the deletion").isNotNegative();
        scene.pod(aPod("owner").labelled("app", "web").asking(free + " cpu"));
        assertThat(scene.nodeOf("owner")).isEqualTo("n1");
    }

    private void keep(String id, long cpus, String app) {
        scene.tell(new Fact.HoldSeen(aHold(id)
                        .on("n1")
                        .keeping(cpus + " cpu", "2 pods")
                        .forPodsLabelled("app", app)
                        .build()))
                .settle();
    }

    private static HoldId placeOf(String name) {
        return new HoldId("return/default/%s/uid-%s".formatted(name, name));
    }

    private Placeholder drawing(String name, HoldId on) {
        Draw draw = Draw.forSuccessorOf(
                aPod("any").labelled("app", "j").annotated(ReturnKey.INDEX, "j").build(), on);
        return scene.byHand(name).toBuilder()
                .key("j")
                .size(Resources.of(ResourceName.CPU, 4_000).plus(Resources.of(ResourceName.PODS, 1)))
                .draw(Optional.of(draw))
                .build();
    }
}
