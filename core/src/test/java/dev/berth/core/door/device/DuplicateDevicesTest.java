package dev.berth.core.door.device;

import static dev.berth.core.door.device.Made.claim;
import static dev.berth.core.door.device.Made.claimOn;
import static dev.berth.core.door.device.Made.device;
import static dev.berth.core.door.device.Made.duplicate;
import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.DeviceUse;
import dev.berth.core.testing.PodBuilder;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Several ExtendedResources with the same resource, device ID and node: there is one device, and one pod has it. */
class DuplicateDevicesTest {
    private static final Device FIRST = device("er1", "n1", "k80");
    private static final Device SECOND = duplicate("er2", FIRST);
    private static final String SECOND_SAYS =
            "ExtendedResource er1 stands for the same device (nvidia.com/gpu er1) on its node and counts instead."
                    + " Delete one of the two, or correct spec.deviceID.";

    private final Scene scene = new Scene();

    @BeforeEach
    void twoNodes() {
        scene.seen(aNode("n1").with("8 cpu")).seen(aNode("n2").with("8 cpu"));
    }

    private static PodBuilder pod(String name, String claims) {
        return aPod(name).asking("1 cpu").annotated(DeviceClaim.ANNOTATION, claims);
    }

    private void twoClaims() {
        scene.seen(claim("c1", "k80", 1)).seen(claim("c2", "k80", 1));
    }

    private static String recordOf(Pod pod) {
        return pod.annotations().get(DeviceUse.ANNOTATION).orElse("");
    }

    @Test
    void aSecondPodDoesNotGetTheSameDeviceByItsOtherObject() {
        scene.seen(FIRST).seen(SECOND);
        twoClaims();

        assertThat(recordOf(scene.bound(pod("p", "c1")))).isEqualTo("c1=er1");

        assertThat(scene.refusal(pod("q", "c2")))
                .as("pods p and q would use one GPU at the same time")
                .contains("less than pod needs");
    }

    @Test
    void onePodWithTwoClaimsDoesNotGetTheSameDeviceTwice() {
        scene.seen(FIRST).seen(SECOND);
        twoClaims();

        assertThat(scene.refusal(pod("p", "c1,c2")))
                .as("pod p would believe that it has two GPUs")
                .contains("less than pod needs");
    }

    @Test
    void theFirstByNameCountsAndTheOtherSaysSoUntilTheFirstIsGone() {
        scene.seen(SECOND).seen(FIRST).settle();

        assertThat(scene.deviceIs("er1")).isEqualTo("Available");
        assertThat(scene.device("er2").status()).isEqualTo(new ObjectStatus(ObjectStatus.PENDING, "", SECOND_SAYS));
        assertThat(scene.told).extracting(Effect.Announce::note).containsExactly(SECOND_SAYS);

        scene.deviceGone("er1").settle();

        assertThat(scene.device("er2").status()).isEqualTo(new ObjectStatus(ObjectStatus.AVAILABLE, "", ""));
    }

    @Test
    void theOneThatAPodHasCountsBeforeTheFirstByName() {
        scene.seen(SECOND).seen(claimOn("c1", 1, "er2"));
        scene.bound(pod("p", "c1"));

        scene.seen(FIRST).seen(claim("c2", "k80", 1)).settle();

        assertThat(scene.deviceIs("er2")).isEqualTo("Bound");
        assertThat(scene.deviceIs("er1")).isEqualTo("Pending");
        assertThat(scene.device("er1").status().message())
                .startsWith("ExtendedResource er2 stands for the same device");
        assertThat(scene.refusal(pod("q", "c2"))).contains("less than pod needs (used by pod default/p)");

        scene.gone("p").settle();

        assertThat(scene.deviceIs("er1")).isEqualTo("Available");
        assertThat(scene.deviceIs("er2")).isEqualTo("Pending");
    }

    @Test
    void aDeviceIdThatIsCorrectedMakesTwoDevicesOfThem() {
        scene.seen(FIRST).seen(SECOND).settle();

        scene.seen(device("er2", "n1", "k80")).settle();

        assertThat(scene.deviceIs("er2")).isEqualTo("Available");
    }

    @Test
    void theSameDeviceIdOnAnotherNodeOrOfAnotherResourceIsAnotherDevice() {
        Device elsewhere = new Device(
                SECOND.ref(),
                List.of(Made.host("n2")),
                SECOND.resource(),
                SECOND.id(),
                Labels.NONE,
                Device.Link.NONE,
                ObjectStatus.NONE,
                SECOND.problem());
        Device otherResource = new Device(
                Made.ref("", "er3", "1"),
                FIRST.nodes(),
                "example.com/fpga",
                FIRST.id(),
                Labels.NONE,
                Device.Link.NONE,
                ObjectStatus.NONE,
                FIRST.problem());

        scene.seen(FIRST).seen(elsewhere).seen(otherResource).settle();

        assertThat(scene.devices.values())
                .extracting(device -> device.status().phase())
                .containsOnly("Available");
    }

    @Test
    void bothStayWithPodsThatHaveThemAlreadyAndSaySo() {
        scene.seen(linked(FIRST, "c1", "p"))
                .seen(linked(SECOND, "c2", "q"))
                .seen(claim("c3", "k80", 1))
                .seen(pod("p", "c1").on("n1"))
                .seen(pod("q", "c2").on("n1"))
                .settle();

        assertThat(scene.deviceIs("er1")).isEqualTo("Bound");
        assertThat(scene.deviceIs("er2")).isEqualTo("Bound");
        assertThat(scene.device("er2").status().message())
                .isEqualTo("Pod default/p uses the same device (nvidia.com/gpu er1) by ExtendedResource er1."
                        + " Delete one of the two pods, then one of the two ExtendedResources.");
        assertThat(scene.told).hasSize(2);
        assertThat(scene.refusal(pod("r", "c3"))).contains("less than pod needs");

        scene.gone("p").settle();

        assertThat(scene.device("er2").status()).isEqualTo(new ObjectStatus(ObjectStatus.BOUND, "", ""));
        assertThat(scene.deviceIs("er1")).isEqualTo("Pending");
    }

    @Test
    void aDeviceThatAHoldKeepsIsNotGivenByItsOtherObject() {
        scene.seen(FIRST).seen(SECOND).seen(claim("c2", "k80", 1));
        scene.decider.learn(
                new Fact.HoldSeen(aHold("h")
                        .on("n1")
                        .keeping("1 cpu")
                        .keepingDevice("er2")
                        .forPodsLabelled("app", "web")
                        .build()),
                scene.now);

        assertThat(scene.refusal(pod("q", "c2")))
                .as("the owner of the hold would come back to a device that pod q uses")
                .contains("1 Insufficient extended resources (held by Reservation h)");
        assertThat(recordOf(scene.bound(pod("owner", "c2").labelled("app", "web"))))
                .isEqualTo("c2=er2");
    }

    private static Device linked(Device device, String claim, String pod) {
        return new Device(
                device.ref(),
                device.nodes(),
                device.resource(),
                device.id(),
                device.properties(),
                new Device.Link("default", claim, pod),
                ObjectStatus.NONE,
                device.problem());
    }
}
