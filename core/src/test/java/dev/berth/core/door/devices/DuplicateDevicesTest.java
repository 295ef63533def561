package dev.berth.core.door.devices;

import static dev.berth.core.door.devices.DeviceFixtures.claim;
import static dev.berth.core.door.devices.DeviceFixtures.claimOn;
import static dev.berth.core.door.devices.DeviceFixtures.device;
import static dev.berth.core.door.devices.DeviceFixtures.duplicate;
import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
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
            "ExtendedResource er1 is the same device (nvidia.com/gpu er1) on the same node, and Berth uses that one. Delete one of the two, or correct spec.deviceID.";

    private final DevicesScene cluster = new DevicesScene();

    @BeforeEach
    void twoNodes() {
        cluster.upsert(aNode("n1").with("8 cpu")).upsert(aNode("n2").with("8 cpu"));
    }

    private static PodBuilder pod(String name, String claims) {
        return aPod(name).asking("1 cpu").annotated(DeviceClaim.ANNOTATION, claims);
    }

    private void twoClaims() {
        cluster.upsert(claim("c1", "k80", 1)).upsert(claim("c2", "k80", 1));
    }

    private static String recordOf(Pod pod) {
        return pod.annotations().get(DeviceUse.ANNOTATION).orElse("");
    }

    @Test
    void aSecondPodDoesNotGetTheSameDeviceByItsOtherObject() {
        cluster.upsert(FIRST).upsert(SECOND);
        twoClaims();

        assertThat(recordOf(cluster.scheduleAndBind(pod("p", "c1")))).isEqualTo("c1=er1");

        assertThat(cluster.unschedulableMessage(pod("q", "c2")))
                .as("pods p and q would use one GPU at the same time")
                .contains("less than pod needs");
    }

    @Test
    void onePodWithTwoClaimsDoesNotGetTheSameDeviceTwice() {
        cluster.upsert(FIRST).upsert(SECOND);
        twoClaims();

        assertThat(cluster.unschedulableMessage(pod("p", "c1,c2")))
                .as("pod p would believe that it has two GPUs")
                .contains("less than pod needs");
    }

    @Test
    void theFirstByNameIsUsedAndTheOtherReportsItUntilTheFirstIsDeleted() {
        cluster.upsert(SECOND).upsert(FIRST).runUntilIdle();

        assertThat(cluster.devicePhase("er1")).isEqualTo("Available");
        assertThat(cluster.device("er2").status())
                .isEqualTo(new DeviceObjectStatus(DeviceObjectStatus.PENDING, "", SECOND_SAYS));
        assertThat(cluster.recordedEvents).extracting(Effect.RecordEvent::note).containsExactly(SECOND_SAYS);

        cluster.deleteDevice("er1").runUntilIdle();

        assertThat(cluster.device("er2").status())
                .isEqualTo(new DeviceObjectStatus(DeviceObjectStatus.AVAILABLE, "", ""));
    }

    @Test
    void aDuplicateInUseIsPreferredToTheFirstByName() {
        cluster.upsert(SECOND).upsert(claimOn("c1", 1, "er2"));
        cluster.scheduleAndBind(pod("p", "c1"));

        cluster.upsert(FIRST).upsert(claim("c2", "k80", 1)).runUntilIdle();

        assertThat(cluster.devicePhase("er2")).isEqualTo("Bound");
        assertThat(cluster.devicePhase("er1")).isEqualTo("Pending");
        assertThat(cluster.device("er1").status().message()).startsWith("ExtendedResource er2 is the same device");
        assertThat(cluster.unschedulableMessage(pod("q", "c2")))
                .contains("less than pod needs (used by pod default/p)");

        cluster.deletePod("p").runUntilIdle();

        assertThat(cluster.devicePhase("er1")).isEqualTo("Available");
        assertThat(cluster.devicePhase("er2")).isEqualTo("Pending");
    }

    @Test
    void aDeviceIdThatIsCorrectedMakesTwoDevicesOfThem() {
        cluster.upsert(FIRST).upsert(SECOND).runUntilIdle();

        cluster.upsert(device("er2", "n1", "k80")).runUntilIdle();

        assertThat(cluster.devicePhase("er2")).isEqualTo("Available");
    }

    @Test
    void theSameDeviceIdOnAnotherNodeOrOfAnotherResourceIsAnotherDevice() {
        Device elsewhere = new Device(
                SECOND.ref(),
                List.of(DeviceFixtures.host("n2")),
                SECOND.resource(),
                SECOND.deviceId(),
                Labels.NONE,
                Device.DeviceBinding.NONE,
                DeviceObjectStatus.NONE,
                SECOND.problem());
        Device otherResource = new Device(
                DeviceFixtures.ref("", "er3", "1"),
                FIRST.nodeTerms(),
                "example.com/fpga",
                FIRST.deviceId(),
                Labels.NONE,
                Device.DeviceBinding.NONE,
                DeviceObjectStatus.NONE,
                FIRST.problem());

        cluster.upsert(FIRST).upsert(elsewhere).upsert(otherResource).runUntilIdle();

        assertThat(cluster.devices.values())
                .extracting(device -> device.status().phase())
                .containsOnly("Available");
    }

    @Test
    void duplicatesAlreadyInUseByTwoPodsStayWithThemAndReportIt() {
        cluster.upsert(linked(FIRST, "c1", "p"))
                .upsert(linked(SECOND, "c2", "q"))
                .upsert(claim("c3", "k80", 1))
                .upsert(pod("p", "c1").on("n1"))
                .upsert(pod("q", "c2").on("n1"))
                .runUntilIdle();

        assertThat(cluster.devicePhase("er1")).isEqualTo("Bound");
        assertThat(cluster.devicePhase("er2")).isEqualTo("Bound");
        assertThat(cluster.device("er2").status().message())
                .isEqualTo("Pod default/p uses the same device (nvidia.com/gpu er1) by ExtendedResource er1."
                        + " Delete one of the two pods, then one of the two ExtendedResources.");
        assertThat(cluster.recordedEvents).hasSize(2);
        assertThat(cluster.unschedulableMessage(pod("r", "c3"))).contains("less than pod needs");

        cluster.deletePod("p").runUntilIdle();

        assertThat(cluster.device("er2").status()).isEqualTo(new DeviceObjectStatus(DeviceObjectStatus.BOUND, "", ""));
        assertThat(cluster.devicePhase("er1")).isEqualTo("Pending");
    }

    @Test
    void aDeviceThatAHoldKeepsIsNotGivenByItsOtherObject() {
        cluster.upsert(FIRST).upsert(SECOND).upsert(claim("c2", "k80", 1));
        cluster.scheduler()
                .apply(
                        new Fact.HoldUpserted(aHold("h")
                                .on("n1")
                                .keeping("1 cpu")
                                .keepingDevice("er2")
                                .forPodsLabelled("app", "web")
                                .build()),
                        cluster.clock.instant());

        assertThat(cluster.unschedulableMessage(pod("q", "c2")))
                .as("the owner of the hold would come back to a device that pod q uses")
                .contains("1 Insufficient extended resources (held by Reservation h)");
        assertThat(recordOf(cluster.scheduleAndBind(pod("owner", "c2").labelled("app", "web"))))
                .isEqualTo("c2=er2");
    }

    private static Device linked(Device device, String claim, String pod) {
        return new Device(
                device.ref(),
                device.nodeTerms(),
                device.resource(),
                device.deviceId(),
                device.properties(),
                new Device.DeviceBinding("default", claim, pod),
                DeviceObjectStatus.NONE,
                device.problem());
    }
}
