package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.hold.ReturnKey;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The API server takes none of the door's writes for a while. */
class RefusedWritesTest {
    private final Scene scene = new Scene().node(aNode("n1").with("4 cpu")).listed();

    private static PodBuilder asking(String name) {
        return aPod(name).asking("3 cpu").annotated(Words.RESERVATION, "true").annotated(ReturnKey.INDEX, "i");
    }

    @Test
    void aPlaceWhoseReservationIsDeniedIsOpenToItsSuccessorAndWrittenLater() {
        scene.server(Scene.Mood.DENYING).pod(asking("p").on("n1")).delete("p");
        assertThat(scene.events)
                .containsExactly(
                        "Pod default/p: The API server denied a write: forbidden. The pod's place on node n1 is"
                                + " kept until its time is over or Berth restarts. Berth tries again, at least once a minute.");
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        assertThat(scene.owed()).hasSize(1);

        scene.server(Scene.Mood.TAKING).pass(Duration.ofSeconds(1));

        assertThat(scene.reservations()).containsExactly("p");
        assertThat(scene.owed()).isEmpty();
    }

    @Test
    void aPlaceWhoseReservationIsDeniedEndsInTime() {
        scene.server(Scene.Mood.DENYING).pod(asking("p").on("n1")).delete("p");
        scene.pass(Scene.USUAL);
        assertThat(scene.cpuKept("n1")).isZero();
        assertThat(scene.owed()).isEmpty();

        scene.server(Scene.Mood.TAKING).pass(Duration.ofMinutes(2));

        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void aCreationThatIsAnsweredWithNotFoundIsTriedAgain() {
        scene.server(Scene.Mood.MISSING).pod(asking("p").on("n1")).delete("p");
        scene.server(Scene.Mood.TAKING).pass(Duration.ofSeconds(10));
        assertThat(scene.reservations()).containsExactly("p");
    }

    @Test
    void aDeletionThatIsDeniedIsTriedAgainAndTheReservationSaysSo() {
        scene.pod(asking("p").on("n1")).delete("p");
        scene.server(Scene.Mood.DENYING).pass(Scene.USUAL);
        assertThat(scene.events)
                .anyMatch(
                        event -> event.contains("denied a write: forbidden. The Reservation keeps no room any more."));
        assertThat(scene.cpuKept("n1")).isZero();

        scene.server(Scene.Mood.TAKING).pass(Duration.ofSeconds(1));

        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.events)
                .filteredOn(event -> event.contains("No pod returned"))
                .hasSize(1);
    }

    @Test
    void aDeletionThatMeetsAConflictOrIsLostFromSightIsTriedAgain() {
        scene.pod(asking("p").on("n1")).delete("p");
        scene.server(Scene.Mood.CONTRADICTING).pass(Scene.USUAL);
        scene.server(Scene.Mood.MISSING).pass(Duration.ofSeconds(1));
        assertThat(scene.reservations()).containsExactly("p");

        scene.server(Scene.Mood.TAKING).pass(Duration.ofSeconds(20));

        assertThat(scene.reservations()).isEmpty();
    }
}
