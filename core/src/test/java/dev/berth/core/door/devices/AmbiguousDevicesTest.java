package dev.berth.core.door.devices;

import static dev.berth.core.door.devices.DeviceFixtures.claim;
import static dev.berth.core.door.devices.DeviceFixtures.claimOn;
import static dev.berth.core.door.devices.DeviceFixtures.device;
import static dev.berth.core.door.devices.DeviceFixtures.duplicate;
import static dev.berth.core.door.devices.DeviceFixtures.moved;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An ExtendedResource whose affinity matches several nodes: nobody knows where the device is, so no pod gets it. */
class AmbiguousDevicesTest {
    private static final Device SOUND = device("er1", "n1", "k80");
    private static final Device AMBIGUOUS = moved(SOUND, "n1", "n2");
    private static final String SAYS =
            "spec.nodeAffinity.required matches 2 nodes (n1, n2): a device is on one node. Name only that node.";

    private final DevicesScene cluster = new DevicesScene();

    @BeforeEach
    void twoNodes() {
        cluster.upsert(aNode("n1").with("8 cpu"))
                .upsert(aNode("n2").with("8 cpu"))
                .upsert(claim("any", "k80", 1));
    }

    private static PodBuilder pod(String name, String claims) {
        return aPod(name).asking("1 cpu").annotated(DeviceClaim.ANNOTATION, claims);
    }

    private static String recordOf(Pod pod) {
        return pod.annotations().get(DeviceUse.ANNOTATION).orElse("");
    }

    @Test
    void aDeviceThatMatchesTwoNodesIsPendingWithAMessageUntilItMatchesOneNode() {
        cluster.upsert(AMBIGUOUS).runUntilIdle();

        assertThat(cluster.device("er1").status())
                .isEqualTo(new DeviceObjectStatus(DeviceObjectStatus.PENDING, "", SAYS));
        assertThat(cluster.recordedEvents).extracting(Effect.RecordEvent::note).containsExactly(SAYS);

        cluster.upsert(moved(cluster.device("er1"), "n1")).runUntilIdle();

        assertThat(cluster.device("er1").status())
                .isEqualTo(new DeviceObjectStatus(DeviceObjectStatus.AVAILABLE, "", ""));
        assertThat(cluster.recordedEvents)
                .extracting(event -> event.kind().reason() + ": " + event.note())
                .endsWith("Usable: ExtendedResource er1 can be used again.");
    }

    @Test
    void aDeviceIsUsableWhenAllButOneOfItsNodesAreGone() {
        cluster.upsert(AMBIGUOUS).runUntilIdle();

        cluster.deleteNode("n2").runUntilIdle();

        assertThat(cluster.device("er1").status())
                .isEqualTo(new DeviceObjectStatus(DeviceObjectStatus.AVAILABLE, "", ""));
    }

    @Test
    void aDeviceThatMatchesTwoNodesIsNotGivenToAPodUntilItMatchesOne() {
        cluster.upsert(AMBIGUOUS).upsert(claimOn("named", 0, "er1")).runUntilIdle();
        assertThat(cluster.unschedulableMessage(pod("p", "any"))).contains("less than pod needs");
        assertThat(cluster.unschedulableMessage(pod("q", "named"))).contains("unavailable extended resources");
        cluster.runUntilIdle().deletePod("q");

        cluster.upsert(moved(cluster.device("er1"), "n2"))
                .advance(Duration.ofSeconds(2))
                .runUntilIdle();

        assertThat(cluster.schedulePods())
                .filteredOn(Effect.Bind.class::isInstance)
                .extracting(effect -> ((Effect.Bind) effect).node())
                .containsExactly("n2");
    }

    @Test
    void aSoundDeviceIsGivenInsteadOfOneThatMatchesTwoNodes() {
        cluster.upsert(AMBIGUOUS).upsert(device("er2", "n2", "k80"));

        assertThat(recordOf(cluster.scheduleAndBind(pod("p", "any")))).isEqualTo("any=er2");
    }

    @Test
    void anAmbiguousDuplicateIsNotPreferredToAValidObjectOfTheSameDevice() {
        cluster.upsert(AMBIGUOUS).upsert(duplicate("er2", SOUND)).runUntilIdle();

        assertThat(cluster.devicePhase("er2")).isEqualTo("Available");
        assertThat(recordOf(cluster.scheduleAndBind(pod("p", "any")))).isEqualTo("any=er2");
    }

    @Test
    void aPodKeepsItsDeviceWhenTheDeviceComesToMatchTwoNodes() {
        cluster.upsert(SOUND);
        cluster.scheduleAndBind(pod("p", "any"));

        cluster.upsert(moved(cluster.device("er1"), "n1", "n2")).runUntilIdle();

        assertThat(cluster.device("er1").status())
                .isEqualTo(new DeviceObjectStatus(DeviceObjectStatus.BOUND, "", SAYS));
        assertThat(cluster.claimPhase("any")).isEqualTo("Bound");

        cluster.deletePod("p").runUntilIdle();

        assertThat(cluster.devicePhase("er1")).isEqualTo("Pending");
        assertThat(cluster.unschedulableMessage(pod("q", "any"))).contains("less than pod needs");
    }
}
