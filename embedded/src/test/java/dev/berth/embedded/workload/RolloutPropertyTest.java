package dev.berth.embedded.workload;

import static dev.berth.embedded.workload.Workloads.WEB;
import static dev.berth.embedded.workload.Workloads.deployment;
import static dev.berth.embedded.workload.Workloads.image;
import static dev.berth.embedded.workload.Workloads.images;
import static dev.berth.embedded.workload.Workloads.replicas;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.kubelet.KubeletSettings;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.embedded.simulation.Cluster;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Random rollouts of random size: at no time too many pods, at no time too few available ones, and it ends. */
class RolloutPropertyTest {
    private static final int ROLLOUTS = 12;

    @Test
    void aRolloutNeverLeavesItsBounds() {
        long seed = 20_261_115L;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < ROLLOUTS; i++) {
            rollOut(random.split(), "seed %d, rollout %d".formatted(seed, i));
        }
    }

    private static void rollOut(SplittableRandom random, String name) {
        int size = 1 + random.nextInt(12);
        int surge = random.nextInt(4);
        int unavailable = surge == 0 ? 1 + random.nextInt(3) : random.nextInt(4);
        KubeletSettings settings = KubeletSettings.DEFAULT
                .startingFor(Duration.ofSeconds(random.nextInt(3)))
                .stoppingFor(Duration.ofSeconds(random.nextInt(4)))
                .withoutPodEvents();
        String bounds = "strategy: {rollingUpdate: {maxSurge: %d, maxUnavailable: %d}}".formatted(surge, unavailable);
        try (Cluster cluster = Cluster.of(NodePlan.nodes(3, "8", "32Gi", 110), settings)) {
            cluster.create(deployment(size, "v0", bounds), Resource.DEPLOYMENTS);
            cluster.advance(Duration.ofSeconds(10));
            for (int version = 1; version <= 3; version++) {
                cluster.merge(WEB, image("v" + version));
                int steps = version == 3 ? 120 : random.nextInt(8);
                for (int second = 0; second < steps; second++) {
                    check(cluster, size, surge, unavailable, name);
                    cluster.advance(Duration.ofSeconds(1));
                }
            }
            assertThat(images(cluster)).as(name).hasSize(size).containsOnly("v3");
            size += 3;
            cluster.merge(WEB, replicas(size));
            cluster.advance(Duration.ofSeconds(10));
            assertThat(images(cluster)).as(name).hasSize(size).containsOnly("v3");
        }
    }

    private static void check(Cluster cluster, int size, int surge, int unavailable, String name) {
        List<ObjectNode> active = cluster.pods().stream().filter(Pods::active).toList();
        long available = active.stream().filter(Pods::ready).count();
        assertThat(active.size()).as("pods of " + name).isLessThanOrEqualTo(size + surge);
        assertThat(available)
                .as(
                        "available pods of %s, all: %s",
                        name, active.stream().map(Meta::name).toList())
                .isGreaterThanOrEqualTo(size - unavailable);
        ObjectNode web = cluster.client().get(WEB);
        assertThat(Json.number(web, 0, "status", "replicas")).as(name).isEqualTo(active.size());
    }
}
