package dev.berth.core.volumebinding.prebind;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volumebinding.PersistentVolumeBuilder.aVolume;
import static dev.berth.core.volumebinding.PersistentVolumeClaimBuilder.aClaim;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.queue.QueueState;
import dev.berth.core.volumebinding.StorageClass;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pod that waits for its volumes says where it is about to be, and no longer than that is true. */
class VolumeBindingNominationTest {
    private final VolumeBindingScene scene = new VolumeBindingScene();

    @BeforeEach
    void aNodeAndTwoClasses() {
        scene.upsert(new StorageClass("local", "class-local", "kubernetes.io/no-provisioner", true, List.of()));
        scene.upsert(new StorageClass("made", "class-made", "disks.example.com", true, List.of()));
        scene.upsert(aNode("n1").with("4 cpu"));
    }

    @Test
    void aPodWhoseVolumeIsToBeBoundIsNominatedOnce() {
        scene.upsert(aVolume("v").ofClass("local").on("n1"));
        scene.upsert(aClaim("data").ofClass("local"))
                .upsert(aPod("p").mounting("data"))
                .run();
        assertThat(scene.nominated).containsExactly("p to n1");

        scene.upsert(aPod("p").mounting("data").with(pod -> pod.nominatedNodeName(Optional.of("n1"))));
        scene.run().performWrites();
        assertThat(scene.isAssumed("p")).isTrue();
        assertThat(scene.queueState("p")).isEqualTo(QueueState.IN_FLIGHT);
        scene.controllerBinds("v");
        assertThat(scene.bound).containsEntry("p", "n1");
        assertThat(scene.nominated).containsExactly("p to n1");
    }

    @Test
    void aPodWhoseVolumesAreThereIsNotNominated() {
        scene.upsert(aClaim("data").ofClass("local").boundTo("v"));
        scene.upsert(aVolume("v").ofClass("local").on("n1").boundTo(scene.claim("data")));
        scene.upsert(aPod("p").mounting("data")).upsert(aPod("q")).run();
        assertThat(scene.bound).containsOnlyKeys("p", "q");
        assertThat(scene.nominated).isEmpty();
    }

    @Test
    void aPodAlreadyNominatedToItsNodeIsNotNominatedAgain() {
        scene.upsert(aClaim("data").ofClass("made"));
        scene.upsert(aPod("p").mounting("data").with(pod -> pod.nominatedNodeName(Optional.of("n1"))));
        scene.run();
        assertThat(scene.isAssumed("p")).isTrue();
        assertThat(scene.nominated).isEmpty();
    }

    @Test
    void aPodNominatedToAnotherNodeIsNominatedToItsPlace() {
        scene.upsert(aClaim("data").ofClass("made"));
        scene.upsert(aPod("p").mounting("data").with(pod -> pod.nominatedNodeName(Optional.of("n9"))));
        scene.run();
        assertThat(scene.nominated).containsExactly("p to n1");
    }

    @Test
    void aNominationIsClearedWhenThePlaceIsReleased() {
        scene.upsert(aClaim("data").ofClass("made"))
                .upsert(aPod("p").mounting("data"))
                .run();
        scene.performWrites().provisionerGivesUp("data");
        assertThat(scene.isAssumed("p")).isFalse();
        assertThat(scene.nominated).containsExactly("p to n1", "p to ");

        scene.advance(Duration.ofSeconds(2));
        assertThat(scene.isAssumed("p")).isTrue();
        assertThat(scene.nominated).containsExactly("p to n1", "p to ", "p to n1");
    }

    @Test
    void aNominationIsClearedWhenTheNodeIsDeleted() {
        scene.upsert(aClaim("data").ofClass("made"))
                .upsert(aPod("p").mounting("data"))
                .run();
        scene.deleteNode("n1").run();
        assertThat(scene.nominated).containsExactly("p to n1", "p to ");
    }

    @Test
    void noNominationIsClearedForADeletedPod() {
        scene.upsert(aClaim("data").ofClass("made"))
                .upsert(aPod("p").mounting("data"))
                .run();
        scene.upsert(aPod("p").mounting("data").terminating()).run();
        scene.deletePod("p").run();
        assertThat(scene.nominated).containsExactly("p to n1");
    }
}
