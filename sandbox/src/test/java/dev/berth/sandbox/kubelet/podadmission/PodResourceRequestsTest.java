package dev.berth.sandbox.kubelet.podadmission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.sandbox.simulation.TestCluster;
import org.junit.jupiter.api.Test;

class PodResourceRequestsTest {
    private static long cpu(String spec) {
        return PodResourceRequests.compute(TestCluster.parse("{spec: %s}".formatted(spec)))
                .units("cpu");
    }

    private static String ask(String cpu) {
        return "resources: {requests: {cpu: %s}}".formatted(cpu);
    }

    @Test
    void containersAddUp() {
        assertThat(cpu("{containers: [{%s}, {%s}]}".formatted(ask("500m"), ask("1"))))
                .isEqualTo(1500);
    }

    @Test
    void initContainersCountByTheirMaximum() {
        assertThat(cpu("{containers: [{%s}], initContainers: [{%s}, {%s}]}".formatted(ask("1"), ask("3"), ask("2"))))
                .isEqualTo(3000);
        assertThat(cpu("{containers: [{%s}], initContainers: [{%s}]}".formatted(ask("4"), ask("3"))))
                .isEqualTo(4000);
    }

    @Test
    void sidecarsAddToLaterInitContainers() {
        String sidecar = "{restartPolicy: Always, %s}".formatted(ask("1"));
        assertThat(cpu("{containers: [{%s}], initContainers: [%s]}".formatted(ask("2"), sidecar)))
                .isEqualTo(3000);
        assertThat(cpu("{containers: [{%s}], initContainers: [%s, {%s}]}".formatted(ask("2"), sidecar, ask("5"))))
                .isEqualTo(6000);
        assertThat(cpu("{containers: [{%s}], initContainers: [{%s}, %s]}".formatted(ask("2"), ask("5"), sidecar)))
                .isEqualTo(5000);
    }

    @Test
    void podLevelRequestsOverrideContainersAndOverheadIsAdded() {
        assertThat(cpu("{containers: [{%s}], resources: {requests: {cpu: 7}}}".formatted(ask("2"))))
                .isEqualTo(7000);
        assertThat(cpu("{containers: [{%s}], overhead: {cpu: 250m}}".formatted(ask("2"))))
                .isEqualTo(2250);
    }

    @Test
    void fractionsAreRoundedUp() {
        assertThat(cpu("{containers: [{%s}]}".formatted(ask("100u")))).isEqualTo(1);
    }
}
