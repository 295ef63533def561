package dev.berth.core.door.devices;

import static dev.berth.core.door.devices.DeviceFixtures.claim;
import static dev.berth.core.door.devices.DeviceFixtures.device;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.hold.DeviceUse;
import dev.berth.core.testing.AllocatedBytes;
import dev.berth.core.testing.CpuTime;
import dev.berth.core.testing.PodBuilder;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tenants write records of devices as long as an annotation can be: what Berth does about them grows no faster. */
class DeviceRecordCostTest {
    private static PodBuilder pod(String name, String claims) {
        return aPod(name).asking("1m cpu").annotated(DeviceClaim.ANNOTATION, claims);
    }

    private static String list(int count, IntFunction<String> each, String separator) {
        return IntStream.range(0, count).mapToObj(each).collect(Collectors.joining(separator));
    }

    private static DevicesScene oneNode() {
        return new DevicesScene().upsert(aNode("n0").with("8 cpu"));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void recordsOfManyPodsCostNoMoreThanTheyNameWhenTheirDevicesAppear(boolean backedByAClaim) {
        long few = listed(40, backedByAClaim);
        long many = listed(160, backedByAClaim);

        assertThat(many)
                .as("bytes for 4 times as many pods that name 4 times as many devices, %d before", few)
                .isLessThan(32 * few);
    }

    /** So many pods whose records name as many devices, and then the devices. */
    private static long listed(int count, boolean backedByAClaim) {
        DevicesScene cluster = oneNode();
        if (backedByAClaim) {
            cluster.upsert(claim("c", "k80", count));
        }
        String record = "c=" + list(count, i -> "d" + i, ",");
        for (int i = 0; i < count; i++) {
            cluster.upsert(
                    pod("p" + i, "c").annotated(DeviceUse.ANNOTATION, record).on("n0"));
        }
        return AllocatedBytes.measure(() -> {
            for (int i = 0; i < count; i++) {
                cluster.upsert(device("d" + i, "n0", "k80"));
            }
            cluster.runUntilIdle();
        });
    }

    @Test
    void aRecordOfMoreDevicesThanAPodCanHaveIsReportedOnThePodAndHasNoEffect() {
        DevicesScene cluster = oneNode().upsert(device("d0", "n0", "k80")).runUntilIdle();
        String record = list(1_001, i -> "c%d=d%1$d".formatted(i), ";");
        IntStream.range(0, 1_001).forEach(i -> cluster.upsert(claim("c" + i, "k80", 1)));

        cluster.upsert(pod("p", list(1_001, i -> "c" + i, ","))
                        .annotated(DeviceUse.ANNOTATION, record)
                        .on("n0"))
                .runUntilIdle();

        assertThat(cluster.device("d0").binding()).isEqualTo(Device.DeviceBinding.NONE);
        assertThat(cluster.recordedEvents)
                .singleElement()
                .satisfies(event -> assertThat(event.note()).contains("has no effect for devices [d0]"));
    }

    @Test
    void aForgedRecordIsReportedWhenItsDeviceAppearsLater() {
        DevicesScene cluster = oneNode();
        cluster.upsert(aPod("p").annotated(DeviceUse.ANNOTATION, "c=d0,d1").on("n0"))
                .runUntilIdle();

        cluster.upsert(device("d0", "n0", "k80")).runUntilIdle();

        assertThat(cluster.recordedEvents)
                .singleElement()
                .satisfies(event -> assertThat(event.note()).contains("has no effect for devices [d0]"));
    }

    @Test
    void aPodWhoseAnnotationsNameManyClaimsCostsAboutAsMuchAsTheyAreLong() {
        seenWithClaims(4_000);
        long few = seenWithClaims(3_000);
        long many = seenWithClaims(24_000);

        assertThat(many)
                .as("CPU time for 8 times as many claims, %d before", few)
                .isLessThan(32 * few);
    }

    private static long seenWithClaims(int claims) {
        DevicesScene cluster = oneNode().upsert(device("d", "n0", "k80")).runUntilIdle();
        String named = list(claims, i -> Integer.toString(i, 36), ",");
        String record = list(claims, i -> Integer.toString(i, 36) + "=", ";");
        int[] pods = {0};
        return CpuTime.minimum(5, () -> {
            pods[0]++;
            cluster.upsert(pod("p" + pods[0], named)
                            .annotated(DeviceUse.ANNOTATION, record)
                            .on("n0"))
                    .runUntilIdle();
        });
    }
}
