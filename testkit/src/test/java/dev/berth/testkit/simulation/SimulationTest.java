package dev.berth.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.RandomHistories;
import dev.berth.core.testing.RandomSeeds;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.unstructured.JsonText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
    private static final NodePool NODES = NodePool.of(4, "4", "8Gi", 20);
    private static final FaultRates FAULTY_BINDS = new FaultRates(5, 5, 5);

    @Test
    void aDeploymentRunsAndIsSpread() {
        try (Simulation cluster = new Simulation(1, NODES, FaultRates.NONE)) {
            deploy(cluster, "web", 8, "100m");
            cluster.runUntilIdle();
            assertThat(podsPerNode(cluster)).hasSize(4).values().containsOnly(2);
            assertThat(cluster.ledgerProblems()).isEmpty();
        }
    }

    @Test
    void aPodTooLargeForEveryNodeStaysPendingWithAReason() {
        try (Simulation cluster = new Simulation(2, NODES, FaultRates.NONE)) {
            deploy(cluster, "big", 1, "6");
            cluster.advance(Duration.ofSeconds(30));
            assertThat(podsPerNode(cluster)).isEmpty();
            assertThat(cluster.reportedMessages())
                    .anyMatch(words -> words.contains("0/4 nodes are available: 4 Insufficient cpu."));
        }
    }

    @RandomHistories(count = 3, first = 11)
    void theSameSeedGivesTheSameHistory(long seed) {
        assertThat(runHistory(seed, 25)).isEqualTo(runHistory(seed, 25));
    }

    @Test
    void noHistoryWithFaultyBindsBreaksTheLedger() {
        RandomSeeds.forEach(100, 8, seed -> {
            runHistory(seed, 30);
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {1042, 1127})
    void seedsThatFailedBeforePass(long seed) {
        runHistory(seed, 60);
    }

    @Test
    @Tag("long")
    void noneOfManyHistoriesWithFaultyBindsBreaksTheLedger() {
        RandomSeeds.forEach(1_000, 1000, seed -> {
            runHistory(seed, 60);
        });
    }

    /** People do things at random while the network misbehaves; afterwards the ledger must be what a fresh list gives. */
    private static String runHistory(long seed, int operations) {
        Random dice = new Random(seed);
        try (Simulation cluster = new Simulation(seed, NODES, FAULTY_BINDS)) {
            for (int i = 0; i < operations; i++) {
                randomOperation(cluster, dice);
                for (int steps = dice.nextInt(6); steps > 0; steps--) {
                    cluster.step();
                }
                if (dice.nextInt(3) == 0) {
                    cluster.advance(Duration.ofMillis(dice.nextInt(20_000)));
                }
            }
            cluster.advance(Duration.ofMinutes(6));
            assertThat(cluster.ledgerProblems()).as("seed %d", seed).isEmpty();
            assertThat(schedulablePendingPods(cluster))
                    .as("seed %d: pods forgotten although there is room", seed)
                    .isEmpty();
            return String.join("\n", cluster.reportedMessages());
        }
    }

    static void randomOperation(Simulation cluster, Random dice) {
        String name = "app-" + dice.nextInt(4);
        try {
            switch (dice.nextInt(7)) {
                case 0, 1 ->
                    deploy(
                            cluster,
                            name,
                            dice.nextInt(8),
                            List.of("100m", "500m", "1", "3").get(dice.nextInt(4)));
                case 2 ->
                    cluster.client()
                            .patch(
                                    RestMapping.DEPLOYMENTS.object("default", name),
                                    Patch.merge(JsonText.parse(
                                            "{\"spec\":{\"replicas\":%d}}".formatted(dice.nextInt(10)))));
                case 3 ->
                    cluster.client().delete(RestMapping.DEPLOYMENTS.object("default", name), DeleteOptions.DEFAULT);
                case 4 -> deleteSomePod(cluster, dice);
                case 5 -> cordon(cluster, "node-" + dice.nextInt(4), dice.nextBoolean());
                default -> bindByHand(cluster, dice);
            }
        } catch (ApiException refused) {
            assertThat(refused.code()).as(refused.getMessage()).isIn(404, 409);
        }
    }

    static void deploy(Simulation cluster, String name, int replicas, String cpu) {
        cluster.client().create(RestMapping.DEPLOYMENTS, JsonText.parse("""
                {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"%1$s","namespace":"default"},
                 "spec":{"replicas":%2$d,"selector":{"matchLabels":{"app":"%1$s"}},
                  "template":{"metadata":{"labels":{"app":"%1$s"}},
                   "spec":{"containers":[{"name":"c","image":"nginx","resources":{"requests":{"cpu":"%3$s"}}}]}}}}
                """.formatted(name, replicas, cpu)));
    }

    private static void deleteSomePod(Simulation cluster, Random dice) {
        List<ObjectNode> pods = pods(cluster);
        if (!pods.isEmpty()) {
            ObjectNode pod = pods.get(dice.nextInt(pods.size()));
            cluster.client().delete(RestMapping.PODS.object("default", name(pod)), DeleteOptions.DEFAULT);
        }
    }

    private static void cordon(Simulation cluster, String node, boolean value) {
        cluster.client()
                .patch(
                        RestMapping.NODES.clusterObject(node),
                        Patch.merge(JsonText.parse("{\"spec\":{\"unschedulable\":%b}}".formatted(value))));
    }

    /** Another scheduler binds a pod: Berth must handle it. */
    private static void bindByHand(Simulation cluster, Random dice) {
        for (ObjectNode pod : pods(cluster)) {
            if (node(pod).isEmpty()) {
                cluster.client()
                        .create(RestMapping.PODS.object("default", name(pod)), "binding", JsonText.parse("""
                                {"apiVersion":"v1","kind":"Binding","metadata":{"name":"%s"},
                                 "target":{"kind":"Node","name":"node-%d"}}
                                """.formatted(
                                        name(pod), dice.nextInt(4))));
                return;
            }
        }
    }

    static List<String> schedulablePendingPods(Simulation cluster) {
        return pods(cluster).stream()
                .filter(pod -> node(pod).isEmpty())
                .filter(pod -> fitsSomewhere(cluster, cpu(pod)))
                .map(SimulationTest::name)
                .toList();
    }

    private static boolean fitsSomewhere(Simulation cluster, long milliCpu) {
        List<Boolean> fits = new ArrayList<>();
        cluster.snapshot()
                .forEachNode(node -> fits.add(!node.node().unschedulable()
                        && node.free().get(ResourceName.CPU) >= milliCpu
                        && node.free().get(ResourceName.PODS) >= 1));
        return fits.contains(true);
    }

    private static Map<String, Integer> podsPerNode(Simulation cluster) {
        TreeMap<String, Integer> counts = new TreeMap<>();
        pods(cluster).stream()
                .map(SimulationTest::node)
                .filter(node -> !node.isEmpty())
                .forEach(node -> counts.merge(node, 1, Integer::sum));
        return counts;
    }

    static List<ObjectNode> pods(Simulation cluster) {
        return cluster.client().list(RestMapping.PODS, ListScope.inNamespace("default"));
    }

    static String name(ObjectNode pod) {
        return pod.path("metadata").path("name").asText();
    }

    static String node(ObjectNode pod) {
        return pod.path("spec").path("nodeName").asText();
    }

    private static long cpu(ObjectNode pod) {
        String text = pod.path("spec")
                .path("containers")
                .path(0)
                .path("resources")
                .path("requests")
                .path("cpu")
                .asText("0");
        return Quantity.parse(text).toMilli();
    }
}
