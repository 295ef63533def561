package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.hold.ReturnKey;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The time of a place is over, its room goes to another pod, and then the Reservation says that there is time left. */
class ExpiredPlaceTest {
    private final Scene scene = new Scene().node(aNode("n1").with("4 cpu")).listed();

    private static PodBuilder asking(String name) {
        return aPod(name).asking("3 cpu").annotated(Words.RESERVATION, "true").annotated(ReturnKey.INDEX, "i");
    }

    private Placeholder leaveAPlace() {
        scene.pod(asking("p").on("n1")).delete("p");
        return scene.reservation("p").orElseThrow();
    }

    private static Placeholder prolonged(Placeholder it) {
        return it.toBuilder().ttl(Optional.of(3600L)).build();
    }

    private void giveTheRoomAway() {
        scene.pod(aPod("stranger").asking("3 cpu"));
        assertThat(scene.nodeOf("stranger")).isEqualTo("n1");
    }

    private void staysOver() {
        assertThat(scene.cpuKept("n1")).isZero();
        scene.silent(false)
                .server(Scene.Mood.TAKING)
                .pass(Duration.ofSeconds(35))
                .pass(Duration.ofSeconds(35));
        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.checkpoint().pods()).isEmpty();
        assertThat(scene.owed()).isEmpty();
    }

    @Test
    void aPlaceStaysOverWhenItsTtlIsProlongedWhileItsDeletionIsDenied() {
        Placeholder written = leaveAPlace();
        scene.server(Scene.Mood.DENYING).pass(Scene.USUAL);
        giveTheRoomAway();

        scene.reservation(prolonged(written)).settle();
        staysOver();
    }

    @Test
    void aPlaceStaysOverWhenItsTtlIsProlongedWhileItsDeletionIsOnItsWay() {
        Placeholder written = leaveAPlace();
        scene.silent(true).pass(Scene.USUAL);
        giveTheRoomAway();

        scene.reservation(prolonged(written)).settle();
        staysOver();
    }

    @Test
    void aPlaceStaysOverWhenItsTtlIsProlongedBeforeThisDoorLooksAtItAgain() {
        leaveAPlace();
        Placeholder written = scene.reservation("p").orElseThrow();
        scene.clock.advance(Scene.USUAL);
        // The ledger ends the hold; the edit is heard before the door settles.
        scene.advance().reservation(prolonged(written)).settle();

        staysOver();
    }

    @Test
    void aPlaceThatIsWrittenAfterItsTimeIsNotKeptAgain() {
        scene.pod(asking("p").on("n1")).silent(true).delete("p");
        scene.pass(Scene.USUAL);
        giveTheRoomAway();

        scene.silent(false);
        staysOver();
    }

    @Test
    void aPlaceThatShowsAfterItsTimeIsNotKeptAgain() {
        scene.pod(asking("p").on("n1")).silent(true).delete("p");
        scene.pass(Duration.ofSeconds(30)).server(Scene.Mood.HIDING).silent(false);
        scene.pass(Duration.ofSeconds(30));
        giveTheRoomAway();

        scene.server(Scene.Mood.TAKING);
        staysOver();
    }
}
