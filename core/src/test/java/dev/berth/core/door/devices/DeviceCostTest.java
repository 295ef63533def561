package dev.berth.core.door.devices;

import static dev.berth.core.door.devices.DeviceFixtures.claim;
import static dev.berth.core.door.devices.DeviceFixtures.device;
import static dev.berth.core.door.devices.DeviceFixtures.deviceOfId;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.testing.AllocatedBytes;
import dev.berth.core.testing.CpuTime;
import dev.berth.core.testing.PodBuilder;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tenants write claims as long as an object can be: what Berth does about them grows no faster. */
class DeviceCostTest {
    private static final int NODES = 400;

    private static PodBuilder pod(String name, String claims) {
        return aPod(name).asking("1m cpu").annotated(DeviceClaim.ANNOTATION, claims);
    }

    private static String list(int count, IntFunction<String> each, String separator) {
        return IntStream.range(0, count).mapToObj(each).collect(Collectors.joining(separator));
    }

    private static DevicesScene nodes(int count) {
        DevicesScene cluster = new DevicesScene();
        IntStream.range(0, count).forEach(i -> cluster.upsert(aNode("n" + i).with("8 cpu")));
        return cluster;
    }

    private static DeviceClaim naming(int devices) {
        List<String> names =
                IntStream.range(0, devices).mapToObj(i -> "x".repeat(100) + i).toList();
        return claim("many", new DeviceClaim.DeviceClaimSpec(DeviceFixtures.GPU, LabelSelector.EVERYTHING, names, 0));
    }

    @Test
    void aClaimThatNamesMoreDevicesThanAPodCanHaveIsReportedToItsAuthorAndToThePod() {
        DevicesScene cluster = nodes(2).upsert(naming(10_000)).runUntilIdle();
        String reason = "spec.extendedResourceNames has 10000 names; the maximum is 1000 devices per pod";

        assertThat(cluster.claim("many").status().message()).isEqualTo(reason);
        assertThat(cluster.recordedEvents)
                .singleElement()
                .satisfies(event -> assertThat(event.note()).isEqualTo(reason));
        assertThat(cluster.unschedulableMessage(pod("p", "many")))
                .isEqualTo("0/2 nodes are available: 2 ExtendedResourceClaim many: %s.".formatted(reason));
    }

    @Test
    void aClaimOnMoreDevicesThanAPodCanHaveIsReportedToItsAuthor() {
        DevicesScene cluster = nodes(1).upsert(claim("many", "k80", 1_001)).runUntilIdle();

        assertThat(cluster.claim("many").status().message())
                .isEqualTo("spec.extendResourceNum (1001) is too large; the maximum is 1000 devices per pod");
    }

    @Test
    void claimsThatTogetherAskForMoreDevicesThanAPodCanHaveAreRefused() {
        DevicesScene cluster = nodes(1).upsert(claim("a", "k80", 600)).upsert(claim("b", "k80", 600));

        assertThat(cluster.unschedulableMessage(pod("p", "a,b")))
                .contains("the pod's claims request more than 1000 devices");
    }

    @Test
    void aPodThatNamesTooManyClaimsIsRefused() {
        assertThat(nodes(1).unschedulableMessage(pod("p", list(1_001, Integer::toString, ","))))
                .contains("annotation berth.dev/extended-resource-claims names 1001 claims; the maximum is 1000");
    }

    @Test
    void aMessageNamesAFewOfManyMissingDevices() {
        DevicesScene cluster = nodes(1).upsert(claim(
                        "many",
                        new DeviceClaim.DeviceClaimSpec(
                                DeviceFixtures.GPU,
                                LabelSelector.EVERYTHING,
                                IntStream.range(0, 1_000).mapToObj(i -> "d" + i).toList(),
                                0)))
                .upsert(device("d1", "n0", "k80"));

        assertThat(cluster.unschedulableMessage(pod("p", "many")))
                .isEqualTo("0/1 nodes are available: "
                        + "1 there are no such [d0, d2, d3 and 996 more] extended resource.");
    }

    @Test
    void aMessageCutsANameThatNoObjectCanHave() {
        assertThat(nodes(1).unschedulableMessage(pod("p", "c".repeat(100_000)))).hasSizeLessThan(400);
    }

    @ParameterizedTest
    @ValueSource(ints = {1_000, 10_000})
    void aClaimThatNamesManyMissingDevicesCostsEachNodeNoMoreThanOneThatNamesFew(int names) {
        long few = refused(10);
        long many = refused(names);

        assertThat(many).as("bytes for a decision, %d where few are named", few).isLessThan(3 * few);
    }

    private static long refused(int names) {
        DevicesScene cluster = nodes(NODES).upsert(naming(names)).runUntilIdle();
        return AllocatedBytes.measure(() -> cluster.unschedulableMessage(pod("p", "many")));
    }

    @Test
    void aPodThatMakesManyClaimsCostsEachNodeNoMoreThanOneThatMakesFew() {
        decided(100);
        long few = decided(10);
        long many = decided(1_000);

        assertThat(many).as("CPU time for a decision, %d for few claims", few).isLessThan(10 * few);
    }

    private static long decided(int claims) {
        DevicesScene cluster = nodes(2_000);
        IntStream.range(0, claims).forEach(i -> cluster.upsert(claim("c" + i, "k80", 1)));
        String named = list(claims, i -> "c" + i, ",");
        int[] pods = {0};
        return CpuTime.minimum(5, () -> {
            pods[0]++;
            assertThat(cluster.unschedulableMessage(pod("p" + pods[0], named))).contains("less than pod needs");
        });
    }

    @Test
    void anExtenderThatAsksAboutManyNodesIsAnsweredInLittleMemoryThoughAClaimNamesManyMissingDevices() {
        DevicesScene cluster = nodes(NODES).upsert(naming(10_000)).runUntilIdle();
        List<String> nodes = IntStream.range(0, NODES).mapToObj(i -> "n" + i).toList();

        long bytes = AllocatedBytes.measure(() ->
                assertThat(cluster.filter(pod("p", "many").build(), nodes)).hasSize(NODES));

        assertThat(bytes / NODES).as("bytes for each node").isLessThan(20_000);
    }

    @Test
    void aClaimOnAllDevicesOfANodeCostsAboutAsMuchAsThereAreDevices() {
        long few = claimingAll(100);
        long many = claimingAll(800);

        assertThat(many).as("bytes for 8 times as many devices, %d before", few).isLessThan(20 * few);
    }

    private static long claimingAll(int devices) {
        DevicesScene cluster = nodes(1);
        IntStream.range(0, devices).forEach(i -> cluster.upsert(device("d" + i, "n0", "k80")));
        cluster.upsert(claim("all", "k80", devices)).runUntilIdle();
        return AllocatedBytes.measure(() ->
                assertThat(cluster.scheduleAndBind(pod("p", "all")).nodeName()).contains("n0"));
    }

    @Test
    void devicesOfTheSameIdOnOtherNodesCostADeviceNothing() {
        changed(100);
        long few = changed(100);
        long many = changed(800);

        assertThat(many).as("bytes for one change, %d with few nodes", few).isLessThan(3 * few);
    }

    /** What it costs that one device changes, where each node has a device of the same ID. */
    private static long changed(int nodes) {
        DevicesScene cluster = nodes(nodes);
        IntStream.range(0, nodes).forEach(i -> cluster.upsert(deviceOfId("gpu0", "d" + i, "n" + i)));
        cluster.runUntilIdle();
        return AllocatedBytes.measure(() -> cluster.upsert(cluster.device("d7")).runUntilIdle());
    }
}
