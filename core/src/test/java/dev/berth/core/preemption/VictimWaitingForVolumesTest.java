package dev.berth.core.preemption;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volumebinding.PersistentVolumeClaimBuilder.aClaim;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.StorageClass;
import dev.berth.core.volumebinding.VolumeFact;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pod that waits for its volumes is not bound yet: it is requeued, not deleted. */
class VictimWaitingForVolumesTest {
    private final PersistentVolumeClaim data = aClaim("data").ofClass("made").build();
    private final PreemptionScene scene = new PreemptionScene();

    @BeforeEach
    void aPodThatWaitsForItsVolumeFillsTheNode() {
        scene.upsert(aNode("n1").with("4 cpu")).listed();
        scene.addObject(
                new VolumeFact.Upserted(new StorageClass("made", "class-made", "disks.example.com", true, List.of())));
        scene.addObject(new VolumeFact.Upserted(data));
        scene.upsert(aPod("slow").asking("3 cpu").mounting("data"));
        assertThat(scene.cpuFree("n1")).isEqualTo(1000);
        assertThat(scene.nodeOf("slow")).isEmpty();
    }

    @Test
    void aPodThatWaitsForItsVolumesIsNominatedAndCountsOnce() {
        scene.addObject(new VolumeFact.Upserted(aClaim("more").ofClass("made").build()));
        scene.upsert(aPod("tiny").asking("300m cpu").mounting("more"));
        assertThat(scene.writes).containsExactly("nominate slow to n1", "nominate tiny to n1");
        assertThat(scene.pod("tiny").nominatedNodeName()).contains("n1");

        scene.touch("slow").touch("tiny").advance(Duration.ofSeconds(60));
        assertThat(scene.cpuFree("n1")).isEqualTo(700);
        assertThat(scene.hasNominationHold("slow")).isFalse();
        assertThat(scene.hasNominationHold("tiny")).isFalse();
        assertThat(scene.writes).hasSize(2);
    }

    @Test
    void afterARestartThePodIsPlacedOnItsNominatedNode() {
        scene.upsert(aNode("n0").with("8 cpu")).restart().advance(Duration.ofSeconds(60));

        assertThat(scene.cpuFree("n1")).isEqualTo(1000);
        assertThat(scene.cpuFree("n0")).isEqualTo(8000);
        assertThat(scene.writes).containsExactly("nominate slow to n1");
    }

    @Test
    void aPreemptedPodThatWaitsForItsVolumesIsRequeuedAndNotDeleted() {
        scene.upsert(aPod("vip").asking("3 cpu").ofPriority(10)).advance(Duration.ofSeconds(20));

        assertThat(scene.writes).containsExactly("nominate slow to n1", "nominate vip to n1", "nominate slow nowhere");
        assertThat(scene.nodeOf("vip")).isEqualTo("n1");
        assertThat(scene.hasPod("slow")).isTrue();
        assertThat(scene.pod("slow").terminating()).isFalse();
        assertThat(scene.events).anyMatch(event -> event.contains("slow Preempted: Preempted by pod vip on node n1"));
        assertThat(scene.unschedulableMessages.get("slow")).startsWith("0/1 nodes are available: 1 Insufficient cpu.");
    }

    @Test
    void aRequeuedVictimIsPlacedWhenThereIsCapacityAgain() {
        scene.upsert(aPod("vip").asking("3 cpu").ofPriority(10)).advance(Duration.ofSeconds(20));
        scene.deletePod("vip").advance(Duration.ofSeconds(60));

        assertThat(scene.hasNominationHold("vip")).isFalse();
        assertThat(scene.cpuFree("n1")).as("slow is assumed there again").isEqualTo(1000);
        assertThat(scene.nodeOf("slow")).isEmpty();
    }

    @Test
    void aVictimWhoseVolumeBindingFailsBeforeItsEvictionIsNotDeleted() {
        scene.delayAnswers(true).upsert(aPod("vip").asking("3 cpu").ofPriority(10));
        assertThat(scene.hasNominationHold("vip")).isTrue();
        scene.addObject(new VolumeFact.Deleted(data.uid()));
        assertThat(scene.cpuFree("n1"))
                .as("nobody is there, and the place is kept")
                .isEqualTo(1000);

        scene.delayAnswers(false).advance(Duration.ofSeconds(20));

        assertThat(scene.writes).containsExactly("nominate slow to n1", "nominate vip to n1", "nominate slow nowhere");
        assertThat(scene.nodeOf("vip")).isEqualTo("n1");
        assertThat(scene.pod("slow").terminating()).isFalse();
    }
}
