package dev.berth.core.door.device;

import static dev.berth.core.door.device.Made.claim;
import static dev.berth.core.door.device.Made.device;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.testing.PodBuilder;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The device's object says which pod has it; the record on a pod is evidence that tenants can write. */
class DeviceRecordsTest {
    private Scene scene = start();

    @Test
    void claimlessPodOfAnotherNamespaceTakesNoDeviceWithAForgedRecord() {
        running("p");

        scene.seen(forger("other/q")).settle();

        assertThat(linkOf("er1")).isEqualTo("default/c/p");
        restart(forger("other/q").build());
        assertThat(linkOf("er1")).isEqualTo("default/c/p");
    }

    @Test
    void olderClaimlessPodTakesNoFreeDeviceWithAForgedRecord() {
        scene.seen(forger("q")).settle();

        assertThat(linkOf("er1")).isEqualTo("//");
        assertThat(scene.bound(wanting("p")).nodeName()).contains("n1");
        assertThat(linkOf("er1")).isEqualTo("default/c/p");
    }

    @Test
    void forgedRecordIsReportedOnceOnThePod() {
        running("p");

        scene.seen(forger("other/q"))
                .settle()
                .seen(forger("other/q").labelled("a", "b"))
                .settle();

        assertThat(scene.told.stream()
                        .filter(it -> it.kind().reason().equals("FalseRecord"))
                        .map(it -> it.subject() + ": " + it.note()))
                .hasSize(1)
                .allSatisfy(note -> assertThat(note).startsWith("Pod other/q: ").contains("[er1]"));
    }

    @Test
    void removedAnnotationsFreeNoDeviceOfARunningPod() {
        Pod there = running("p");
        Pod bare = there.toBuilder().annotations(Labels.NONE).build();

        scene.seen(bare).settle();

        assertThat(linkOf("er1")).isEqualTo("default/c/p");
        restart(bare);
        assertThat(linkOf("er1")).isEqualTo("default/c/p");
        assertThat(scene.refusal(wanting("second"))).contains("is bound to pod p");
        scene.gone("p").settle();
        assertThat(linkOf("er1")).isEqualTo("//");
    }

    @Test
    void recordOfARunningPodCountsBeforeTheDeviceNamesThePod() {
        Pod there = running("p");
        scene.devices.put("er1", device("er1", "n1", "k80"));
        scene.claims.put("c", claim("c", "k80", 1));

        restart(there);

        assertThat(linkOf("er1")).isEqualTo("default/c/p");
    }

    @Test
    void aPodKeepsBothDevicesOfItsClaimIfBerthIsKilledBetweenTheWritesOfTheTwo() {
        scene.seen(device("er3", "n1", "k80")).seen(claim("c", "k80", 2)).settle();
        Pod there = running("p");
        scene.devices.put("er3", device("er3", "n1", "k80"));

        restart(there);

        assertThat(linkOf("er1")).isEqualTo("default/c/p");
        assertThat(linkOf("er3"))
                .as("the pod that er3 names: any other pod would be given a device that p uses")
                .isEqualTo("default/c/p");
    }

    @Test
    void aForgedRecordTakesNoDeviceBesidesThoseThatNameThePod() {
        scene.seen(device("er3", "n1", "k80")).seen(device("er4", "n1", "k80")).seen(claim("c", "k80", 2));
        scene.settle();
        Pod there = running("p");

        restart(there.toBuilder()
                .annotations(there.annotations().with(DeviceUse.ANNOTATION, "c=er1,er4"))
                .build());

        assertThat(linkOf("er3")).isEqualTo("default/c/p");
        assertThat(linkOf("er4")).isEqualTo("//");
    }

    @Test
    void recordWithMoreDevicesThanTheClaimAsksForHasNoEffect() {
        scene.seen(aPod("q")
                        .on("n1")
                        .annotated(DeviceClaim.ANNOTATION, "c")
                        .annotated(DeviceUse.ANNOTATION, "c=er1,er2"))
                .settle();

        assertThat(linkOf("er1")).isEqualTo("//");
        assertThat(linkOf("er2")).isEqualTo("//");
    }

    @Test
    void recordOfADeviceOnAnotherNodeHasNoEffect() {
        scene.seen(aPod("q").on("n2").annotated(DeviceClaim.ANNOTATION, "c").annotated(DeviceUse.ANNOTATION, "c=er1"))
                .settle();

        assertThat(linkOf("er1")).isEqualTo("//");
    }

    private static Scene start() {
        Scene scene = new Scene();
        scene.seen(aNode("n1").with("8 cpu")).seen(aNode("n2").with("8 cpu"));
        scene.seen(device("er1", "n1", "k80")).seen(device("er2", "n1", "v100")).seen(claim("c", "k80", 1));
        return scene.settle();
    }

    /** Another process finds what is there, the pods first. */
    private void restart(Pod forged) {
        Scene before = scene;
        scene = new Scene();
        List<Pod> pods = before.ledger.facts().pods().stream()
                .filter(pod -> !pod.uid().equals(forged.uid()))
                .toList();
        scene.seen(forged);
        pods.forEach(scene::seen);
        before.devices.values().forEach(scene::seen);
        before.claims.values().forEach(scene::seen);
        before.ledger.facts().nodes().forEach(scene::seen);
        scene.settle();
    }

    private Pod running(String name) {
        return scene.bound(wanting(name));
    }

    private static PodBuilder wanting(String name) {
        return aPod(name)
                .asking("1 cpu")
                .annotated(DeviceClaim.ANNOTATION, "c")
                .with(pod -> pod.created(Instant.parse("2026-01-01T00:00:00Z")));
    }

    /** An older pod without a claim. */
    private static PodBuilder forger(String name) {
        return aPod(name).on("n1").annotated(DeviceUse.ANNOTATION, "c=er1").with(pod -> pod.created(Instant.EPOCH));
    }

    private String linkOf(String device) {
        Device.Link link = scene.device(device).link();
        return "%s/%s/%s".formatted(link.namespace(), link.claim(), link.pod());
    }
}
