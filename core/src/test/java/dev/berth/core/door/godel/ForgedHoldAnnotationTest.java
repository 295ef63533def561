package dev.berth.core.door.godel;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.PodPhase;
import dev.berth.core.hold.Claim;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A record of a return hold takes effect only on a pod that has the key of the hold. */
class ForgedHoldAnnotationTest {
    private final GodelScene scene =
            new GodelScene().upsert(aNode("n1").with("4 cpu")).sync();

    @Test
    void podWithoutTheKeyDoesNotClaimTheHoldByAForgedRecord() {
        leavePlace();

        scene.upsert(aPod("forger")
                .on("n1")
                .annotated(Claim.ANNOTATION, "godel/default/res-pod/res-pod")
                .annotated(GodelAnnotations.MATCHED_PLACEHOLDER, "default/res-pod-placeholder"));

        assertThat(scene.reservationNames()).containsExactly("res-pod");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
        scene.restart();
        assertThat(scene.reservationNames()).containsExactly("res-pod");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
    }

    @Test
    void podOfADifferentNamespaceDoesNotClaimTheHoldByAForgedRecord() {
        leavePlace();

        scene.upsert(aPod("other/forger")
                .on("n1")
                .annotated(GodelAnnotations.INDEX, "i")
                .annotated(Claim.ANNOTATION, "godel/default/res-pod/res-pod"));

        assertThat(scene.reservationNames()).containsExactly("res-pod");
    }

    @Test
    void podWhoseHoldAnnotationNamesItsOwnReturnHoldLeavesNothingInMemory() {
        PodBuilder finished = returningPod("res-pod")
                .annotated(GodelAnnotations.RESERVATION, "true")
                .on("n1")
                .terminating()
                .in(PodPhase.FAILED)
                .with(pod -> pod.deletionTimestamp(Optional.of(scene.clock.instant())));
        scene.upsert(returningPod("res-pod")
                        .annotated(GodelAnnotations.RESERVATION, "true")
                        .on("n1"))
                .advance(Duration.ofSeconds(20))
                .upsert(finished);
        assertThat(scene.reservationNames()).containsExactly("res-pod");

        scene.upsert(finished.annotated(Claim.DRAWING_HOLDS, "godel/default/res-pod/res-pod"))
                .deletePod("res-pod");
        for (int i = 0; i < 20; i++) {
            scene.advance(Duration.ofMinutes(10));
        }

        assertThat(scene.reservationNames()).isEmpty();
        assertThat(scene.checkpoint().pods()).isEmpty();
    }

    @Test
    void forgedHoldAnnotationDoesNotHideTheSuccessor() {
        leavePlace();
        scene.upsert(aPod("a-forger").on("n1").annotated(Claim.ANNOTATION, "godel/default/res-pod/res-pod"));

        scene.upsert(returningPod());

        assertThat(scene.writes)
                .containsExactly("create res-pod on n1", "match res-pod with back-pod", "delete res-pod");
    }

    @Test
    void successorThatRemovesItsRecordBeforeTheMatchIsWrittenKeepsItsClaim() {
        leavePlace();
        scene.delayAnswers(true).upsert(returningPod());
        assertThat(scene.nodeOf("back-pod")).isEqualTo("n1");

        scene.upsert(returningPod().on("n1").annotated(GodelAnnotations.INDEX, "j"));

        assertThat(scene.cpuHeld("n1")).isZero();
        scene.delayAnswers(false);
        assertThat(scene.writes)
                .containsExactly("create res-pod on n1", "match res-pod with back-pod", "delete res-pod");
    }

    @Test
    void podWithoutTheKeyDoesNotClaimTheHoldByAForgedRecordOfDrawingHolds() {
        leavePlace();

        scene.upsert(aPod("forger").on("n1").annotated(Claim.DRAWING_HOLDS, "godel/default/res-pod/res-pod"));

        assertThat(scene.reservationNames()).containsExactly("res-pod");
        scene.restart();
        assertThat(scene.reservationNames()).containsExactly("res-pod");
        assertThat(scene.cpuHeld("n1")).isEqualTo(3000);
    }

    @Test
    void bindErasesAForgedRecordOfDrawingHolds() {
        leavePlace();

        scene.upsert(aPod("forger").asking("1 cpu").annotated(Claim.DRAWING_HOLDS, "godel/default/res-pod/res-pod"));

        assertThat(scene.nodeOf("forger")).isEqualTo("n1");
        assertThat(scene.pod("forger").annotations().get(Claim.DRAWING_HOLDS)).contains("");
        assertThat(scene.reservationNames()).containsExactly("res-pod");
        assertThat(scene.events)
                .contains(
                        "Pod default/forger: annotation %s (godel/default/res-pod/res-pod) has no effect: only the binding of a pod writes it. Remove it."
                                .formatted(Claim.DRAWING_HOLDS));
    }

    private void leavePlace() {
        scene.upsert(returningPod("res-pod")
                        .annotated(GodelAnnotations.RESERVATION, "true")
                        .on("n1"))
                .deletePod("res-pod");
    }

    private static PodBuilder returningPod() {
        return returningPod("back-pod");
    }

    private static PodBuilder returningPod(String name) {
        return aPod(name).asking("3 cpu").annotated(GodelAnnotations.INDEX, "i");
    }
}
