package dev.berth.core.door.devices;

import static dev.berth.core.door.devices.DeviceFixtures.claim;
import static dev.berth.core.door.devices.DeviceFixtures.device;
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
    private DevicesScene cluster = start();

    @Test
    void aForgedRecordOnAPodOfAnotherNamespaceWithoutAClaimTakesNoDevice() {
        running("p");

        cluster.upsert(forger("other/q")).runUntilIdle();

        assertThat(linkOf("er1")).isEqualTo("default/c/p");
        restart(forger("other/q").build());
        assertThat(linkOf("er1")).isEqualTo("default/c/p");
    }

    @Test
    void aForgedRecordOnAnOlderPodWithoutAClaimTakesNoFreeDevice() {
        cluster.upsert(forger("q")).runUntilIdle();

        assertThat(linkOf("er1")).isEqualTo("//");
        assertThat(cluster.scheduleAndBind(wanting("p")).nodeName()).contains("n1");
        assertThat(linkOf("er1")).isEqualTo("default/c/p");
    }

    @Test
    void forgedRecordIsReportedOnceOnThePod() {
        running("p");

        cluster.upsert(forger("other/q"))
                .runUntilIdle()
                .upsert(forger("other/q").labelled("a", "b"))
                .runUntilIdle();

        assertThat(cluster.recordedEvents.stream()
                        .filter(it -> it.kind().reason().equals("InvalidAnnotation"))
                        .map(it -> it.target() + ": " + it.note()))
                .hasSize(1)
                .allSatisfy(note -> assertThat(note).startsWith("Pod other/q: ").contains("[er1]"));
    }

    @Test
    void removedAnnotationsFreeNoDeviceOfARunningPod() {
        Pod there = running("p");
        Pod bare = there.toBuilder().annotations(Labels.NONE).build();

        cluster.upsert(bare).runUntilIdle();

        assertThat(linkOf("er1")).isEqualTo("default/c/p");
        restart(bare);
        assertThat(linkOf("er1")).isEqualTo("default/c/p");
        assertThat(cluster.unschedulableMessage(wanting("second"))).contains("is bound to pod p");
        cluster.deletePod("p").runUntilIdle();
        assertThat(linkOf("er1")).isEqualTo("//");
    }

    @Test
    void recordOfARunningPodCountsBeforeTheDeviceNamesThePod() {
        Pod there = running("p");
        cluster.devices.put("er1", device("er1", "n1", "k80"));
        cluster.claims.put("c", claim("c", "k80", 1));

        restart(there);

        assertThat(linkOf("er1")).isEqualTo("default/c/p");
    }

    @Test
    void aPodKeepsBothDevicesOfItsClaimIfBerthIsKilledBetweenTheWritesOfTheTwo() {
        cluster.upsert(device("er3", "n1", "k80")).upsert(claim("c", "k80", 2)).runUntilIdle();
        Pod there = running("p");
        cluster.devices.put("er3", device("er3", "n1", "k80"));

        restart(there);

        assertThat(linkOf("er1")).isEqualTo("default/c/p");
        assertThat(linkOf("er3"))
                .as("the pod that er3 names: any other pod would be given a device that p uses")
                .isEqualTo("default/c/p");
    }

    @Test
    void aForgedRecordTakesOnlyDevicesThatNameThePod() {
        cluster.upsert(device("er3", "n1", "k80"))
                .upsert(device("er4", "n1", "k80"))
                .upsert(claim("c", "k80", 2));
        cluster.runUntilIdle();
        Pod there = running("p");

        restart(there.toBuilder()
                .annotations(there.annotations().with(DeviceUse.ANNOTATION, "c=er1,er4"))
                .build());

        assertThat(linkOf("er3")).isEqualTo("default/c/p");
        assertThat(linkOf("er4")).isEqualTo("//");
    }

    @Test
    void recordWithMoreDevicesThanTheClaimAsksForHasNoEffect() {
        cluster.upsert(aPod("q")
                        .on("n1")
                        .annotated(DeviceClaim.ANNOTATION, "c")
                        .annotated(DeviceUse.ANNOTATION, "c=er1,er2"))
                .runUntilIdle();

        assertThat(linkOf("er1")).isEqualTo("//");
        assertThat(linkOf("er2")).isEqualTo("//");
    }

    @Test
    void recordOfADeviceOnAnotherNodeHasNoEffect() {
        cluster.upsert(aPod("q")
                        .on("n2")
                        .annotated(DeviceClaim.ANNOTATION, "c")
                        .annotated(DeviceUse.ANNOTATION, "c=er1"))
                .runUntilIdle();

        assertThat(linkOf("er1")).isEqualTo("//");
    }

    private static DevicesScene start() {
        DevicesScene cluster = new DevicesScene();
        cluster.upsert(aNode("n1").with("8 cpu")).upsert(aNode("n2").with("8 cpu"));
        cluster.upsert(device("er1", "n1", "k80"))
                .upsert(device("er2", "n1", "v100"))
                .upsert(claim("c", "k80", 1));
        return cluster.runUntilIdle();
    }

    /** Another process finds what is there, the pods first. */
    private void restart(Pod forged) {
        DevicesScene before = cluster;
        cluster = new DevicesScene();
        List<Pod> pods = before.ledger().facts().pods().stream()
                .filter(pod -> !pod.uid().equals(forged.uid()))
                .toList();
        cluster.upsert(forged);
        pods.forEach(cluster::upsert);
        before.devices.values().forEach(cluster::upsert);
        before.claims.values().forEach(cluster::upsert);
        before.ledger().facts().nodes().forEach(cluster::upsert);
        cluster.runUntilIdle();
    }

    private Pod running(String name) {
        return cluster.scheduleAndBind(wanting(name));
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
        Device.DeviceBinding deviceBinding = cluster.device(device).binding();
        return "%s/%s/%s".formatted(deviceBinding.claimNamespace(), deviceBinding.claimName(), deviceBinding.podUid());
    }
}
