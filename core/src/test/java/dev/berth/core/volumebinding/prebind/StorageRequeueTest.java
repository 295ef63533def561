package dev.berth.core.volumebinding.prebind;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.volumebinding.PersistentVolumeBuilder.aVolume;
import static dev.berth.core.volumebinding.PersistentVolumeBuilder.term;
import static dev.berth.core.volumebinding.PersistentVolumeClaimBuilder.aClaim;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.queue.QueueState;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.volumebinding.CsiDriver;
import dev.berth.core.volumebinding.CsiNode;
import dev.berth.core.volumebinding.CsiStorageCapacity;
import dev.berth.core.volumebinding.StorageClass;
import dev.berth.core.volumebinding.VolumeAttachment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which news of storage wake a refused pod, and which do not. */
class StorageRequeueTest {
    private static final String DRIVER = "disks.example.com";
    private static final LabelSelector ZONE_A = LabelSelector.of(Labels.of(Node.ZONE_LABEL, "a"));

    private final VolumeBindingScene scene = new VolumeBindingScene();

    @Test
    void aPodWithAMissingClaimIsRequeuedWhenTheClaimIsCreated() {
        scene.upsert(aNode("n1"));
        refused(aPod("p").mounting("data"), "0/1 nodes are available: persistentvolumeclaim \"data\" not found.");
        scene.upsert(aClaim("another").ofClass("now"));
        assertUnschedulable();
        scene.upsert(aVolume("v"));
        assertUnschedulable();
        scene.upsert(aClaim("data").ofClass("now"));
        assertRequeued();
    }

    @Test
    void aPodWithAnUnboundClaimIsRequeuedWhenTheClaimIsBound() {
        scene.upsert(aNode("n1")).upsert(new StorageClass("now", "c", DRIVER, false, List.of()));
        scene.upsert(aClaim("data").ofClass("now"));
        refused(
                aPod("p").mounting("data"),
                "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.");
        scene.upsert(aClaim("data").ofClass("now").boundTo("v"));
        assertRequeued();
    }

    @Test
    void aPodWithAMissingVolumeIsRequeuedWhenTheVolumeIsCreated() {
        scene.upsert(aNode("n1")).upsert(aClaim("data").boundTo("v"));
        refused(aPod("p").mounting("data"), "0/1 nodes are available: persistentvolume \"v\" not found.");
        scene.upsert(aVolume("v"));
        assertRequeued();
    }

    @Test
    void aPodRefusedForItsVolumesZoneIsRequeuedWhenTheVolumesZoneChanges() {
        scene.upsert(aNode("n1").inZone("a")).upsert(aClaim("data").boundTo("v"));
        scene.upsert(aVolume("v").labelled(Node.ZONE_LABEL, "b"));
        refused(aPod("p").mounting("data"), "0/1 nodes are available: 1 node(s) had no available volume zone.");
        scene.upsert(aVolume("v").labelled(Node.ZONE_LABEL, "b").labelled("colour", "blue"));
        assertUnschedulable();
        scene.upsert(aVolume("v").labelled(Node.ZONE_LABEL, "a__b"));
        assertRequeued();
    }

    @Test
    void aPodIsRequeuedOnlyWhenAllowedTopologiesOfItsClassChange() {
        scene.upsert(aNode("n1").inZone("a"));
        scene.upsert(new StorageClass("made", "c", DRIVER, true, List.of(term(Node.ZONE_LABEL, "b"))));
        scene.upsert(aClaim("data").ofClass("made"));
        refused(
                aPod("p").mounting("data"),
                "0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.");
        scene.upsert(new StorageClass("made", "c", "another.example.com", true, List.of(term(Node.ZONE_LABEL, "b"))));
        assertUnschedulable();
        scene.upsert(new StorageClass("made", "c", DRIVER, true, List.of(term(Node.ZONE_LABEL, "a"))));
        assertRequeued();
    }

    @Test
    void aPodShortOfStorageIsRequeuedWhenCapacityGrowsAndNotWhenItShrinks() {
        tooLittleStorage();
        scene.upsert(new CsiStorageCapacity("k", "made", Optional.of(ZONE_A), Optional.of(99L)));
        assertUnschedulable();
        scene.upsert(new CsiStorageCapacity("k", "made", Optional.of(ZONE_A), Optional.of(2L << 30)));
        assertRequeued();
    }

    @Test
    void aPodShortOfStorageIsRequeuedWhenTheDriverNoLongerReportsCapacity() {
        tooLittleStorage();
        scene.upsert(new CsiDriver(DRIVER, "d", true));
        assertUnschedulable();
        scene.upsert(new CsiDriver(DRIVER, "d", false));
        assertRequeued();
    }

    private void tooLittleStorage() {
        scene.upsert(aNode("n1").inZone("a"));
        scene.upsert(new StorageClass("made", "c", DRIVER, true, List.of()));
        scene.upsert(new CsiDriver(DRIVER, "d", true));
        scene.upsert(new CsiStorageCapacity("k", "made", Optional.of(ZONE_A), Optional.of(100L)));
        scene.upsert(aClaim("data").ofClass("made"));
        refused(aPod("p").mounting("data"), "0/1 nodes are available: 1 node(s) did not have enough free storage.");
    }

    @Test
    void aPodAtTheAttachLimitIsRequeuedWhenAVolumeIsDetached() {
        fullNode();
        scene.upsert(new CsiNode("n1", "n", Map.of(DRIVER, 1L), Set.of()));
        assertUnschedulable();
        scene.upsert(new VolumeAttachment("other", "o", DRIVER, "n1", Optional.of("w")));
        assertUnschedulable();
        scene.delete(new VolumeAttachment("a", "a", DRIVER, "n1", Optional.of("w")));
        assertRequeued();
    }

    @Test
    void aPodAtTheAttachLimitIsRequeuedWhenTheLimitGrows() {
        fullNode();
        scene.upsert(new CsiNode("n1", "n", Map.of(DRIVER, 2L), Set.of()));
        assertRequeued();
    }

    private void fullNode() {
        scene.upsert(aNode("n1"));
        scene.upsert(new CsiNode("n1", "n", Map.of(DRIVER, 1L), Set.of()));
        scene.upsert(aVolume("v").ofDriver(DRIVER)).upsert(aVolume("w").ofDriver(DRIVER));
        scene.upsert(new VolumeAttachment("a", "a", DRIVER, "n1", Optional.of("w")));
        scene.upsert(aClaim("data").boundTo("v"));
        refused(aPod("p").mounting("data"), "0/1 nodes are available: 1 node(s) exceed max volume count.");
    }

    private void refused(PodBuilder pod, String words) {
        scene.upsert(pod).run();
        assertThat(scene.conditionMessages).containsExactly(words);
        assertUnschedulable();
    }

    private void assertUnschedulable() {
        assertThat(scene.queueState("p")).isEqualTo(QueueState.UNSCHEDULABLE);
    }

    private void assertRequeued() {
        assertThat(scene.queueState("p")).isEqualTo(QueueState.BACKING_OFF);
    }
}
