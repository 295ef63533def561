package dev.berth.core.preemption;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.godel.GodelAnnotations;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A pod that requests a Reservation is chosen as a victim. */
class VictimWithReturnKeyTest {
    private final PreemptionScene scene =
            new PreemptionScene().upsert(aNode("n1").with("4 cpu")).listed();

    private static PodBuilder low() {
        return aPod("low")
                .asking("4 cpu")
                .ofPriority(0)
                .annotated(GodelAnnotations.INDEX, "i")
                .annotated("godel.bytedance.com/reservation", "true")
                .on("n1");
    }

    private static PodBuilder high() {
        return aPod("high").asking("4 cpu").ofPriority(10);
    }

    /** The victim is marked, and the API server denies its deletion. */
    private void markWithoutEviction() {
        scene.upsert(low()).deny("Delete").upsert(high());
        assertThat(scene.pod("low").preempted()).isTrue();
        assertThat(scene.pod("low").terminating()).isFalse();
        scene.deletePod("high").allow("Delete").advance(Duration.ofMinutes(1));
    }

    @Test
    void aPodMarkedButNeverEvictedGetsAReturnHoldWhenAUserDeletesIt() {
        markWithoutEviction();
        scene.deletePod("low").advance(Duration.ofSeconds(5));
        assertThat(scene.cpuFree("n1")).as("the place is kept").isZero();
    }

    @Test
    void aPodMarkedButNeverEvictedGetsAReturnHoldWhereverBerthIsKilled() {
        markWithoutEviction();
        scene.restart();
        scene.changePod("low", pod -> pod.terminating(true).deletionRequestedAt(Optional.of(scene.clock.instant())));
        scene.restart().advance(Duration.ofSeconds(20)).restart();
        scene.deletePod("low").advance(Duration.ofSeconds(5));
        assertThat(scene.cpuFree("n1")).as("the place is kept").isZero();
    }

    @Test
    void anEvictedPodGetsNoReturnHoldAndAnEventSaysWhy() {
        scene.upsert(low()).upsert(high());
        assertThat(scene.pod("low").terminating()).isTrue();
        scene.deletePod("low").advance(Duration.ofSeconds(20));
        assertThat(scene.nodeOf("high")).isEqualTo("n1");
        assertThat(scene.events)
                .contains("Pod default/low ReservationFailed: No Reservation was created: the pod was preempted and its"
                        + " capacity is held for nominated pod default/high");
    }

    @Test
    void anEvictedPodGetsNoReturnHoldWhenItsPreemptorIsDeletedFirst() {
        scene.upsert(low()).upsert(high()).deletePod("high").restart();
        scene.advance(Duration.ofSeconds(20)).deletePod("low").advance(Duration.ofSeconds(5));
        assertThat(scene.cpuFree("n1")).isEqualTo(4_000);
        assertThat(scene.events)
                .contains("Pod default/low ReservationFailed: No Reservation was created: the pod was preempted and its"
                        + " capacity is for the preemptor");
    }

    @Test
    void aPodEvictedLongAfterItsMarkLeavesItsCapacityToThePreemptorAfterARestart() {
        markWithoutEviction();
        scene.advance(Duration.ofMinutes(6)).upsert(high()).advance(Duration.ofSeconds(20));
        assertThat(scene.pod("low").terminating()).isTrue();

        scene.restart();
        assertThat(scene.hasNominationHold("high")).isTrue();
        scene.deletePod("low").advance(Duration.ofSeconds(20));
        assertThat(scene.nodeOf("high")).isEqualTo("n1");
    }
}
