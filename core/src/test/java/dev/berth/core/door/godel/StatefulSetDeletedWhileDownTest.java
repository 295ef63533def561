package dev.berth.core.door.godel;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** StatefulSets that are deleted or replaced, mostly while Berth is down. */
class StatefulSetDeletedWhileDownTest {
    private static final Duration A_BATCH = Duration.ofSeconds(1);

    private final GodelScene scene = new GodelScene();

    @BeforeEach
    void oneNodeAndOneStatefulSet() {
        scene.upsert(aNode("n1").with("4 cpu"))
                .createStatefulSet("web", "set-1")
                .sync();
    }

    private static PodBuilder web0() {
        return aPod("web-0")
                .asking("3 cpu")
                .ownedBy("StatefulSet/web", "set-1")
                .annotated(GodelAnnotations.RESERVATION, "true");
    }

    @Test
    void holdStaysAfterARestartIfItsStatefulSetExists() {
        scene.upsert(web0().on("n1")).deletePod("web-0").restart();
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        assertThat(scene.reservationNames()).containsExactly("web-0");
    }

    @Test
    void reservationsOfAStatefulSetDeletedWhileBerthIsDownEnd() {
        scene.upsert(web0().on("n1")).deletePod("web-0");
        assertThat(scene.reservationNames()).containsExactly("web-0");
        scene.deleteStatefulSetUnseen("web").restart();
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.advance(A_BATCH).advance(A_BATCH);
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void reservationsOfAStatefulSetReplacedWhileBerthIsDownEnd() {
        scene.upsert(web0().on("n1")).deletePod("web-0");
        scene.createStatefulSetUnseen("web", "set-2").restart();
        assertThat(scene.cpuHeld("n1")).isZero();
        scene.advance(A_BATCH).advance(A_BATCH);
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void podDeletedWithItsStatefulSetWhileBerthIsDownIsNotHeld() {
        scene.upsert(web0().on("n1")).advance(A_BATCH).advance(A_BATCH);
        scene.deletePodUnseen("web-0").createStatefulSetUnseen("web", "set-2").restartWithoutHistory();
        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.reservationNames()).isEmpty();
        scene.advance(A_BATCH).advance(A_BATCH);
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void podOfAReplacedStatefulSetIsNotHeld() {
        scene.upsert(web0().on("n1"));
        scene.deleteStatefulSet("web").createStatefulSet("web", "set-2").deletePod("web-0");
        assertThat(scene.cpuHeld("n1")).isZero();
        assertThat(scene.reservationNames()).isEmpty();
    }

    @Test
    void reservationThatNamesAStatefulSetAndNoPodStaysAfterARestart() {
        scene.upsertReservation(scene.handWrittenReservation("mine").toBuilder()
                        .statefulSetName("none")
                        .build())
                .restart();
        assertThat(scene.reservationNames()).containsExactly("mine");
    }
}
