package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** StatefulSets that are deleted or replaced, most of them while no Berth runs. */
class DeletedWhileDownTest {
    private static final Duration A_BATCH = Duration.ofSeconds(1);

    private final Scene scene = new Scene();

    @BeforeEach
    void oneNodeAndOneStatefulSet() {
        scene.node(aNode("n1").with("4 cpu")).set("web", "set-1").listed();
    }

    private static PodBuilder web0() {
        return aPod("web-0").asking("3 cpu").ownedBy("StatefulSet/web", "set-1").annotated(Words.RESERVATION, "true");
    }

    @Test
    void placeStaysAfterARestartIfItsStatefulSetIsThere() {
        scene.pod(web0().on("n1")).delete("web-0").restart();
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        assertThat(scene.reservations()).containsExactly("web-0");
    }

    @Test
    void statefulSetThatIsDeletedWhileBerthIsDownTakesItsPlacesAlong() {
        scene.pod(web0().on("n1")).delete("web-0");
        assertThat(scene.reservations()).containsExactly("web-0");
        scene.deleteSetUnseen("web").restart();
        assertThat(scene.cpuKept("n1")).isZero();
        scene.pass(A_BATCH).pass(A_BATCH);
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void statefulSetThatIsReplacedWhileBerthIsDownTakesItsPlacesAlong() {
        scene.pod(web0().on("n1")).delete("web-0");
        scene.setUnseen("web", "set-2").restart();
        assertThat(scene.cpuKept("n1")).isZero();
        scene.pass(A_BATCH).pass(A_BATCH);
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void podAndStatefulSetThatAreDeletedWhileBerthIsDownLeaveNoPlace() {
        scene.pod(web0().on("n1")).pass(A_BATCH).pass(A_BATCH);
        scene.deleteUnseen("web-0").setUnseen("web", "set-2").restartWithoutHistory();
        assertThat(scene.cpuKept("n1")).isZero();
        assertThat(scene.reservations()).isEmpty();
        scene.pass(A_BATCH).pass(A_BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void podOfAStatefulSetThatWasReplacedLeavesNoPlace() {
        scene.pod(web0().on("n1"));
        scene.deleteSet("web").set("web", "set-2").delete("web-0");
        assertThat(scene.cpuKept("n1")).isZero();
        assertThat(scene.reservations()).isEmpty();
    }

    @Test
    void reservationThatNamesAStatefulSetAndNoPodStaysAfterARestart() {
        scene.reservation(scene.byHand("mine").toBuilder().statefulSet("none").build())
                .restart();
        assertThat(scene.reservations()).containsExactly("mine");
    }
}
