package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.PodBuilder;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reservations that are edited into something malformed. */
class EditedReservationTest {
    private static final String PROBLEM = "cpu (lots) is no quantity";

    private final Scene scene = new Scene().node(aNode("n1").with("4 cpu")).listed();

    private static PodBuilder asking(String name) {
        return aPod(name).asking("3 cpu").annotated(Words.RESERVATION, "true").annotated(ReturnKey.INDEX, "i");
    }

    /** As the projection reads it: nothing after the malformed part is known. */
    private static Placeholder malformed(Placeholder it) {
        return it.toBuilder()
                .node("")
                .ttl(Optional.empty())
                .size(Resources.NONE)
                .phase("")
                .draw(Optional.empty())
                .problem(PROBLEM)
                .build();
    }

    private Placeholder written() {
        return scene.reservation("p").orElseThrow();
    }

    @BeforeEach
    void onePlace() {
        scene.pod(asking("p").on("n1")).delete("p");
    }

    @Test
    void malformedReservationKeepsThePlaceThatItKeptBeforeTheEditAndSaysSo() {
        scene.reservation(malformed(written())).settle();
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        assertThat(scene.events)
                .containsExactly(
                        "Reservation default/p: The Reservation keeps the place as before the edit until Berth restarts,"
                                + " and then nothing: " + PROBLEM);
        scene.pod(asking("back"));
        assertThat(scene.matchOf("back")).isEqualTo("default/p-placeholder");
    }

    @Test
    void malformedReservationEndsInItsTime() {
        scene.reservation(malformed(written())).pass(Scene.USUAL).pass(Scene.USUAL);
        assertThat(scene.cpuKept("n1")).isZero();
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void malformedReservationThatWasTakenIsNotKeptAgain() {
        scene.server(Scene.Mood.DENYING).pod(asking("back"));
        Placeholder matched = Scene.in("Matched", written());
        scene.reservation(matched)
                .reservation(malformed(matched))
                .delete("back")
                .settle();
        assertThat(scene.cpuKept("n1"))
                .as("the place of the pod that came back")
                .isEqualTo(3000);
    }

    @Test
    void malformedReservationKeepsNothingAfterARestartAndSaysSo() {
        scene.reservation(malformed(written()).toBuilder().node("n1").build()).settle();
        scene.events.clear();
        scene.restart();
        assertThat(scene.cpuKept("n1")).isZero();
        assertThat(scene.events).containsExactly("Reservation default/p: The Reservation keeps nothing: " + PROBLEM);
    }

    @Test
    void reservationThatIsCorrectedSaysWhatItNowSays() {
        Placeholder before = written();
        scene.reservation(malformed(before))
                .reservation(before)
                .reservation(malformed(before))
                .settle();
        assertThat(scene.events).hasSize(2);
        scene.reservation(before.toBuilder().ttl(Optional.of(1L)).build()).pass(Scene.USUAL);
        assertThat(scene.cpuKept("n1")).isZero();
    }
}
