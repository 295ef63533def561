package dev.berth.core.door.device;

import static dev.berth.core.door.device.Made.claim;
import static dev.berth.core.door.device.Made.claimOn;
import static dev.berth.core.door.device.Made.device;
import static dev.berth.core.door.device.Made.duplicate;
import static dev.berth.core.door.device.Made.moved;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Effect;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An ExtendedResource whose affinity matches several nodes: nobody knows where the device is, so no pod gets it. */
class AmbiguousDevicesTest {
    private static final Device SOUND = device("er1", "n1", "k80");
    private static final Device AMBIGUOUS = moved(SOUND, "n1", "n2");
    private static final String SAYS = "spec.nodeAffinity.required matches 2 nodes (n1, n2): a device is on one node."
            + " Name the node that it is on.";

    private final Scene scene = new Scene();

    @BeforeEach
    void twoNodes() {
        scene.seen(aNode("n1").with("8 cpu")).seen(aNode("n2").with("8 cpu")).seen(claim("any", "k80", 1));
    }

    private static PodBuilder pod(String name, String claims) {
        return aPod(name).asking("1 cpu").annotated(DeviceClaim.ANNOTATION, claims);
    }

    private static String recordOf(Pod pod) {
        return pod.annotations().get(DeviceUse.ANNOTATION).orElse("");
    }

    @Test
    void aDeviceThatMatchesTwoNodesIsPendingAndSaysSoUntilItMatchesOne() {
        scene.seen(AMBIGUOUS).settle();

        assertThat(scene.device("er1").status()).isEqualTo(new ObjectStatus(ObjectStatus.PENDING, "", SAYS));
        assertThat(scene.told).extracting(Effect.Announce::note).containsExactly(SAYS);

        scene.seen(moved(scene.device("er1"), "n1")).settle();

        assertThat(scene.device("er1").status()).isEqualTo(new ObjectStatus(ObjectStatus.AVAILABLE, "", ""));
        assertThat(scene.told)
                .extracting(event -> event.kind().reason() + ": " + event.note())
                .endsWith("Usable: ExtendedResource er1 can be used again.");
    }

    @Test
    void aDeviceIsUsableWhenAllButOneOfItsNodesAreGone() {
        scene.seen(AMBIGUOUS).settle();

        scene.nodeGone("n2").settle();

        assertThat(scene.device("er1").status()).isEqualTo(new ObjectStatus(ObjectStatus.AVAILABLE, "", ""));
    }

    @Test
    void aDeviceThatMatchesTwoNodesIsNotGivenToAPodUntilItMatchesOne() {
        scene.seen(AMBIGUOUS).seen(claimOn("named", 0, "er1")).settle();
        assertThat(scene.refusal(pod("p", "any"))).contains("less than pod needs");
        assertThat(scene.refusal(pod("q", "named"))).contains("unavailable extended resources");
        scene.settle().gone("q");

        scene.seen(moved(scene.device("er1"), "n2"))
                .advance(Duration.ofSeconds(2))
                .settle();

        assertThat(scene.decide())
                .filteredOn(Effect.Bind.class::isInstance)
                .extracting(effect -> ((Effect.Bind) effect).node())
                .containsExactly("n2");
    }

    @Test
    void aSoundDeviceIsGivenInsteadOfOneThatMatchesTwoNodes() {
        scene.seen(AMBIGUOUS).seen(device("er2", "n2", "k80"));

        assertThat(recordOf(scene.bound(pod("p", "any")))).isEqualTo("any=er2");
    }

    @Test
    void anObjectThatMatchesTwoNodesDoesNotCountInsteadOfASoundOneOfTheSameDevice() {
        scene.seen(AMBIGUOUS).seen(duplicate("er2", SOUND)).settle();

        assertThat(scene.deviceIs("er2")).isEqualTo("Available");
        assertThat(recordOf(scene.bound(pod("p", "any")))).isEqualTo("any=er2");
    }

    @Test
    void aPodKeepsItsDeviceWhenTheDeviceComesToMatchTwoNodes() {
        scene.seen(SOUND);
        scene.bound(pod("p", "any"));

        scene.seen(moved(scene.device("er1"), "n1", "n2")).settle();

        assertThat(scene.device("er1").status()).isEqualTo(new ObjectStatus(ObjectStatus.BOUND, "", SAYS));
        assertThat(scene.phaseOf("any")).isEqualTo("Bound");

        scene.gone("p").settle();

        assertThat(scene.deviceIs("er1")).isEqualTo("Pending");
        assertThat(scene.refusal(pod("q", "any"))).contains("less than pod needs");
    }
}
