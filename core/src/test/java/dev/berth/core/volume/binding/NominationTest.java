package dev.berth.core.volume.binding;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volume.ClaimBuilder.aClaim;
import static dev.berth.core.volume.VolumeBuilder.aVolume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.queue.Standing;
import dev.berth.core.volume.StorageClass;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pod that waits for its volumes says where it is about to be, and no longer than that is true. */
class NominationTest {
    private final Scene scene = new Scene();

    @BeforeEach
    void aNodeAndTwoClasses() {
        scene.seen(new StorageClass("local", "class-local", "kubernetes.io/no-provisioner", true, List.of()));
        scene.seen(new StorageClass("made", "class-made", "disks.example.com", true, List.of()));
        scene.seen(aNode("n1").with("4 cpu"));
    }

    @Test
    void aPodWhoseVolumeIsToBeBoundIsNominatedOnce() {
        scene.seen(aVolume("v").of("local").on("n1"));
        scene.seen(aClaim("data").of("local")).seen(aPod("p").mounting("data")).run();
        assertThat(scene.nominated).containsExactly("p to n1");

        scene.seen(aPod("p").mounting("data").with(pod -> pod.nominatedNode(Optional.of("n1"))));
        scene.run().carryOut();
        assertThat(scene.isAssumed("p")).isTrue();
        assertThat(scene.standing("p")).isEqualTo(Standing.IN_FLIGHT);
        scene.controllerBinds("v");
        assertThat(scene.bound).containsEntry("p", "n1");
        assertThat(scene.nominated).containsExactly("p to n1");
    }

    @Test
    void aPodWhoseVolumesAreThereIsNotNominated() {
        scene.seen(aClaim("data").of("local").boundTo("v"));
        scene.seen(aVolume("v").of("local").on("n1").boundTo(scene.claim("data")));
        scene.seen(aPod("p").mounting("data")).seen(aPod("q")).run();
        assertThat(scene.bound).containsOnlyKeys("p", "q");
        assertThat(scene.nominated).isEmpty();
    }

    @Test
    void aPodThatIsNominatedThereAlreadyIsNotOnceMore() {
        scene.seen(aClaim("data").of("made"));
        scene.seen(aPod("p").mounting("data").with(pod -> pod.nominatedNode(Optional.of("n1"))));
        scene.run();
        assertThat(scene.isAssumed("p")).isTrue();
        assertThat(scene.nominated).isEmpty();
    }

    @Test
    void aPodThatIsNominatedElsewhereIsNominatedAnew() {
        scene.seen(aClaim("data").of("made"));
        scene.seen(aPod("p").mounting("data").with(pod -> pod.nominatedNode(Optional.of("n9"))));
        scene.run();
        assertThat(scene.nominated).containsExactly("p to n1");
    }

    @Test
    void aNominationIsTakenBackWithThePlace() {
        scene.seen(aClaim("data").of("made")).seen(aPod("p").mounting("data")).run();
        scene.carryOut().provisionerGivesUp("data");
        assertThat(scene.isAssumed("p")).isFalse();
        assertThat(scene.nominated).containsExactly("p to n1", "p to ");

        scene.advance(Duration.ofSeconds(2));
        assertThat(scene.isAssumed("p")).isTrue();
        assertThat(scene.nominated).containsExactly("p to n1", "p to ", "p to n1");
    }

    @Test
    void aNominationIsTakenBackWhenTheNodeIsGone() {
        scene.seen(aClaim("data").of("made")).seen(aPod("p").mounting("data")).run();
        scene.nodeGone("n1").run();
        assertThat(scene.nominated).containsExactly("p to n1", "p to ");
    }

    @Test
    void ofAPodThatIsGoneNothingIsTakenBack() {
        scene.seen(aClaim("data").of("made")).seen(aPod("p").mounting("data")).run();
        scene.seen(aPod("p").mounting("data").terminating()).run();
        scene.gone("p").run();
        assertThat(scene.nominated).containsExactly("p to n1");
    }
}
