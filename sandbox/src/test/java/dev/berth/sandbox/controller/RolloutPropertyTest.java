package dev.berth.sandbox.controller;

import static dev.berth.sandbox.controller.WorkloadManifests.WEB;
import static dev.berth.sandbox.controller.WorkloadManifests.deployment;
import static dev.berth.sandbox.controller.WorkloadManifests.image;
import static dev.berth.sandbox.controller.WorkloadManifests.images;
import static dev.berth.sandbox.controller.WorkloadManifests.replicas;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.testing.RandomSeeds;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.kubelet.KubeletSettings;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.simulation.TestCluster;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random rollouts of random size: at no time too many pods, at no time too few available ones, and it ends. */
class RolloutPropertyTest {
    private static final int ROLLOUTS = 12;

    @Test
    void aRolloutNeverLeavesItsBounds() {
        RandomSeeds.forEach(20_261_115L, ROLLOUTS, seed -> rollOut(new SplittableRandom(seed)));
    }

    private static void rollOut(SplittableRandom random) {
        int size = 1 + random.nextInt(12);
        int surge = random.nextInt(4);
        int unavailable = surge == 0 ? 1 + random.nextInt(3) : random.nextInt(4);
        KubeletSettings settings = KubeletSettings.DEFAULT
                .withStartTime(Duration.ofSeconds(random.nextInt(3)))
                .withStopTime(Duration.ofSeconds(random.nextInt(4)))
                .withoutPodEvents();
        String bounds = "strategy: {rollingUpdate: {maxSurge: %d, maxUnavailable: %d}}".formatted(surge, unavailable);
        try (TestCluster cluster = TestCluster.of(NodePool.of(3, "8", "32Gi", 110), settings)) {
            cluster.create(deployment(size, "v0", bounds), RestMapping.DEPLOYMENTS);
            cluster.advance(Duration.ofSeconds(10));
            for (int version = 1; version <= 3; version++) {
                cluster.merge(WEB, image("v" + version));
                int steps = version == 3 ? 120 : random.nextInt(8);
                for (int second = 0; second < steps; second++) {
                    check(cluster, size, surge, unavailable);
                    cluster.advance(Duration.ofSeconds(1));
                }
            }
            assertThat(images(cluster)).hasSize(size).containsOnly("v3");
            size += 3;
            cluster.merge(WEB, replicas(size));
            cluster.advance(Duration.ofSeconds(10));
            assertThat(images(cluster)).hasSize(size).containsOnly("v3");
        }
    }

    private static void check(TestCluster cluster, int size, int surge, int unavailable) {
        List<ObjectNode> active = cluster.pods().stream().filter(Pods::isActive).toList();
        long available = active.stream().filter(Pods::isReady).count();
        assertThat(active.size()).as("pods").isLessThanOrEqualTo(size + surge);
        assertThat(available)
                .as(
                        "available pods of %s",
                        active.stream().map(ObjectMetaReader::name).toList())
                .isGreaterThanOrEqualTo(size - unavailable);
        ObjectNode web = cluster.client().get(WEB);
        assertThat(NestedFields.intValue(web, 0, "status", "replicas")).isEqualTo(active.size());
    }
}
