package dev.berth.core.door.comeback;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Phase;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A record of a return place counts only on a pod that has the key of the place. */
class ForgedRecordTest {
    private final Scene scene = new Scene().node(aNode("n1").with("4 cpu")).listed();

    @Test
    void podWithoutTheKeyDoesNotTakeThePlaceWithAForgedRecord() {
        leave();

        scene.pod(aPod("forger")
                .on("n1")
                .annotated(Claim.ANNOTATION, "return/default/res-pod/res-pod")
                .annotated(Words.MATCHED, "default/res-pod-placeholder"));

        assertThat(scene.reservations()).containsExactly("res-pod");
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
        scene.restart();
        assertThat(scene.reservations()).containsExactly("res-pod");
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
    }

    @Test
    void podOfAnotherNamespaceDoesNotTakeThePlaceWithAForgedRecord() {
        leave();

        scene.pod(aPod("other/forger")
                .on("n1")
                .annotated(ReturnKey.INDEX, "i")
                .annotated(Claim.ANNOTATION, "return/default/res-pod/res-pod"));

        assertThat(scene.reservations()).containsExactly("res-pod");
    }

    @Test
    void podThatClaimsItsOwnPlaceLeavesNothingBehind() {
        PodBuilder finished = back("res-pod")
                .annotated(Words.RESERVATION, "true")
                .on("n1")
                .terminating()
                .in(Phase.FAILED)
                .with(pod -> pod.deletion(Optional.of(scene.clock.instant())));
        scene.pod(back("res-pod").annotated(Words.RESERVATION, "true").on("n1"))
                .pass(Duration.ofSeconds(20))
                .pod(finished);
        assertThat(scene.reservations()).containsExactly("res-pod");

        scene.pod(finished.annotated(Claim.DRAWING_HOLDS, "return/default/res-pod/res-pod"))
                .delete("res-pod");
        for (int i = 0; i < 20; i++) {
            scene.pass(Duration.ofMinutes(10));
        }

        assertThat(scene.reservations()).isEmpty();
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void forgedRecordDoesNotHideTheSuccessor() {
        leave();
        scene.pod(aPod("a-forger").on("n1").annotated(Claim.ANNOTATION, "return/default/res-pod/res-pod"));

        scene.pod(back());

        assertThat(scene.writes)
                .containsExactly("create res-pod on n1", "match res-pod with back-pod", "delete res-pod");
    }

    @Test
    void successorThatRemovesItsRecordBeforeTheMatchIsWrittenKeepsThePlace() {
        leave();
        scene.silent(true).pod(back());
        assertThat(scene.nodeOf("back-pod")).isEqualTo("n1");

        scene.pod(back().on("n1").annotated(ReturnKey.INDEX, "j"));

        assertThat(scene.cpuKept("n1")).isZero();
        scene.silent(false);
        assertThat(scene.writes)
                .containsExactly("create res-pod on n1", "match res-pod with back-pod", "delete res-pod");
    }

    @Test
    void podWithoutTheKeyDoesNotTakeThePlaceWithAForgedRecordOfDrawingHolds() {
        leave();

        scene.pod(aPod("forger").on("n1").annotated(Claim.DRAWING_HOLDS, "return/default/res-pod/res-pod"));

        assertThat(scene.reservations()).containsExactly("res-pod");
        scene.restart();
        assertThat(scene.reservations()).containsExactly("res-pod");
        assertThat(scene.cpuKept("n1")).isEqualTo(3000);
    }

    @Test
    void bindErasesAForgedRecordOfDrawingHolds() {
        leave();

        scene.pod(aPod("forger").asking("1 cpu").annotated(Claim.DRAWING_HOLDS, "return/default/res-pod/res-pod"));

        assertThat(scene.nodeOf("forger")).isEqualTo("n1");
        assertThat(scene.podNamed("forger").annotations().get(Claim.DRAWING_HOLDS))
                .contains("");
        assertThat(scene.reservations()).containsExactly("res-pod");
        assertThat(scene.events)
                .contains(
                        "Pod default/forger: annotation %s (return/default/res-pod/res-pod) has no effect: only the binding of a pod writes it. Remove it."
                                .formatted(Claim.DRAWING_HOLDS));
    }

    private void leave() {
        scene.pod(back("res-pod").annotated(Words.RESERVATION, "true").on("n1")).delete("res-pod");
    }

    private static PodBuilder back() {
        return back("back-pod");
    }

    private static PodBuilder back(String name) {
        return aPod(name).asking("3 cpu").annotated(ReturnKey.INDEX, "i");
    }
}
