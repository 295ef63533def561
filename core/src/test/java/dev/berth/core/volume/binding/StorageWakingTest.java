package dev.berth.core.volume.binding;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volume.ClaimBuilder.aClaim;
import static dev.berth.core.volume.VolumeBuilder.aVolume;
import static dev.berth.core.volume.VolumeBuilder.term;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.queue.Standing;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.volume.Attachment;
import dev.berth.core.volume.CsiDriver;
import dev.berth.core.volume.CsiNode;
import dev.berth.core.volume.StorageCapacity;
import dev.berth.core.volume.StorageClass;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which news of storage wake a refused pod, and which do not. */
class StorageWakingTest {
    private static final String DRIVER = "disks.example.com";
    private static final LabelSelector ZONE_A = LabelSelector.of(Labels.of(Node.ZONE_LABEL, "a"));

    private final Scene scene = new Scene();

    @Test
    void aMissingClaimWakesThePodWhenItComes() {
        scene.seen(aNode("n1"));
        refused(aPod("p").mounting("data"), "0/1 nodes are available: persistentvolumeclaim \"data\" not found.");
        scene.seen(aClaim("another").of("now"));
        assertAsleep();
        scene.seen(aVolume("v"));
        assertAsleep();
        scene.seen(aClaim("data").of("now"));
        assertAwake();
    }

    @Test
    void anUnboundClaimWakesThePodWhenItIsBound() {
        scene.seen(aNode("n1")).seen(new StorageClass("now", "c", DRIVER, false, List.of()));
        scene.seen(aClaim("data").of("now"));
        refused(
                aPod("p").mounting("data"),
                "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.");
        scene.seen(aClaim("data").of("now").boundTo("v"));
        assertAwake();
    }

    @Test
    void aVolumeThatIsMissingWakesThePodWhenItComes() {
        scene.seen(aNode("n1")).seen(aClaim("data").boundTo("v"));
        refused(aPod("p").mounting("data"), "0/1 nodes are available: persistentvolume \"v\" not found.");
        scene.seen(aVolume("v"));
        assertAwake();
    }

    @Test
    void aZoneThatDoesNotFitWakesThePodWhenTheVolumeIsElsewhere() {
        scene.seen(aNode("n1").inZone("a")).seen(aClaim("data").boundTo("v"));
        scene.seen(aVolume("v").labelled(Node.ZONE_LABEL, "b"));
        refused(aPod("p").mounting("data"), "0/1 nodes are available: 1 node(s) had no available volume zone.");
        scene.seen(aVolume("v").labelled(Node.ZONE_LABEL, "b").labelled("colour", "blue"));
        assertAsleep();
        scene.seen(aVolume("v").labelled(Node.ZONE_LABEL, "a__b"));
        assertAwake();
    }

    @Test
    void aClassThatAllowsNoNodeWakesThePodWhenItAllowsOthersAndNotOtherwise() {
        scene.seen(aNode("n1").inZone("a"));
        scene.seen(new StorageClass("made", "c", DRIVER, true, List.of(term(Node.ZONE_LABEL, "b"))));
        scene.seen(aClaim("data").of("made"));
        refused(
                aPod("p").mounting("data"),
                "0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.");
        scene.seen(new StorageClass("made", "c", "another.example.com", true, List.of(term(Node.ZONE_LABEL, "b"))));
        assertAsleep();
        scene.seen(new StorageClass("made", "c", DRIVER, true, List.of(term(Node.ZONE_LABEL, "a"))));
        assertAwake();
    }

    @Test
    void tooLittleStorageWakesThePodWhenThereIsMoreAndNotWhenThereIsLess() {
        tooLittleStorage();
        scene.seen(new StorageCapacity("k", "made", Optional.of(ZONE_A), Optional.of(99L)));
        assertAsleep();
        scene.seen(new StorageCapacity("k", "made", Optional.of(ZONE_A), Optional.of(2L << 30)));
        assertAwake();
    }

    @Test
    void tooLittleStorageWakesThePodWhenNobodyCountsItAnyMore() {
        tooLittleStorage();
        scene.seen(new CsiDriver(DRIVER, "d", true));
        assertAsleep();
        scene.seen(new CsiDriver(DRIVER, "d", false));
        assertAwake();
    }

    private void tooLittleStorage() {
        scene.seen(aNode("n1").inZone("a"));
        scene.seen(new StorageClass("made", "c", DRIVER, true, List.of()));
        scene.seen(new CsiDriver(DRIVER, "d", true));
        scene.seen(new StorageCapacity("k", "made", Optional.of(ZONE_A), Optional.of(100L)));
        scene.seen(aClaim("data").of("made"));
        refused(aPod("p").mounting("data"), "0/1 nodes are available: 1 node(s) did not have enough free storage.");
    }

    @Test
    void aFullNodeWakesThePodWhenAVolumeIsDetachedOrMoreMayBeAttached() {
        fullNode();
        scene.seen(new CsiNode("n1", "n", Map.of(DRIVER, 1L), Set.of()));
        assertAsleep();
        scene.seen(new Attachment("other", "o", DRIVER, "n1", Optional.of("w")));
        assertAsleep();
        scene.gone(new Attachment("a", "a", DRIVER, "n1", Optional.of("w")));
        assertAwake();
    }

    @Test
    void aFullNodeWakesThePodWhenItsDriverCanAttachMore() {
        fullNode();
        scene.seen(new CsiNode("n1", "n", Map.of(DRIVER, 2L), Set.of()));
        assertAwake();
    }

    private void fullNode() {
        scene.seen(aNode("n1"));
        scene.seen(new CsiNode("n1", "n", Map.of(DRIVER, 1L), Set.of()));
        scene.seen(aVolume("v").by(DRIVER)).seen(aVolume("w").by(DRIVER));
        scene.seen(new Attachment("a", "a", DRIVER, "n1", Optional.of("w")));
        scene.seen(aClaim("data").boundTo("v"));
        refused(aPod("p").mounting("data"), "0/1 nodes are available: 1 node(s) exceed max volume count.");
    }

    private void refused(PodBuilder pod, String words) {
        scene.seen(pod).run();
        assertThat(scene.told).containsExactly(words);
        assertAsleep();
    }

    private void assertAsleep() {
        assertThat(scene.standing("p")).isEqualTo(Standing.WAITING);
    }

    private void assertAwake() {
        assertThat(scene.standing("p")).isEqualTo(Standing.BACKING_OFF);
    }
}
