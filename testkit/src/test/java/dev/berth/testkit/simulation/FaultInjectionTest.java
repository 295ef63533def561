package dev.berth.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.testing.RandomSeeds;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.unstructured.JsonText;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The world breaks in every way at once, by a seed: calls are lost, late, refused for no reason, watches end and their
 * past is forgotten, Berth is killed, a second one runs beside it, nodes go and come again under their names. Afterwards
 * each ledger equals a fresh list, no pod was bound twice and none is forgotten.
 */
class FaultInjectionTest {
    private static final NodePool NODES = NodePool.of(4, "4", "8Gi", 20);
    private static final FaultRates SLOW = new FaultRates(0, 0, 0, 0, 100, 0, 0);
    private static final FaultRates ALL = new FaultRates(5, 5, 5, 5, 50, 15, 5);

    @Test
    void aPodDeletedBetweenDecisionAndBindIsRemoved() {
        RandomSeeds.forEach(0, 5, seed -> {
            try (Simulation cluster = new Simulation(seed, NODES, SLOW)) {
                create(cluster, "short", "1");
                stepUntilBindIsSent(cluster);
                delete(cluster, "short");
                cluster.advance(Duration.ofMinutes(1));
                assertConsistent(cluster, seed);
                assertThat(cluster.snapshot().facts().pods()).isEmpty();
            }
        });
    }

    @Test
    void aNodeRecreatedWhileBindsAreInFlightCountsTheBoundPods() {
        RandomSeeds.forEach(0, 10, seed -> {
            NodePool one = NodePool.of(1, "4", "8Gi", 20);
            try (Simulation cluster = new Simulation(seed, one, SLOW)) {
                create(cluster, "first", "3");
                stepUntilBindIsSent(cluster);
                cluster.client().delete(RestMapping.NODES.clusterObject("node-0"), DeleteOptions.DEFAULT);
                cluster.advance(Duration.ofSeconds(5));
                cluster.registerNodes(one);
                create(cluster, "second", "3");
                cluster.advance(Duration.ofMinutes(6));
                assertConsistent(cluster, seed);
                assertThat(SimulationTest.pods(cluster).stream()
                                .map(SimulationTest::node)
                                .filter(node -> !node.isEmpty()))
                        .as("seed %d: there is room for one of the two", seed)
                        .hasSize(1);
            }
        });
    }

    @Test
    void aNodeDeletedWhileBindsAreInFlightLeavesOtherNodesUnchanged() {
        RandomSeeds.forEach(0, 10, seed -> {
            try (Simulation cluster = new Simulation(seed, NodePool.of(2, "4", "8Gi", 20), SLOW)) {
                create(cluster, "first", "3");
                create(cluster, "second", "3");
                stepUntilBindIsSent(cluster);
                cluster.client().delete(RestMapping.NODES.clusterObject("node-0"), DeleteOptions.DEFAULT);
                cluster.advance(Duration.ofSeconds(5));
                create(cluster, "third", "3");
                cluster.advance(Duration.ofMinutes(6));
                assertConsistent(cluster, seed);
                assertThat(SimulationTest.pods(cluster).stream()
                                .map(SimulationTest::node)
                                .filter("node-1"::equals))
                        .as("seed %d: there is room for one on the node that is left", seed)
                        .hasSize(1);
            }
        });
    }

    @Test
    void twoConcurrentBerthsBindNoPodTwiceAndMissNone() {
        RandomSeeds.forEach(0, 3, seed -> {
            try (Simulation cluster = new Simulation(seed, NODES, SLOW)) {
                cluster.startBerth();
                SimulationTest.deploy(cluster, "web", 30, "500m");
                cluster.advance(Duration.ofMinutes(1));
                assertConsistent(cluster, seed);
                assertThat(cluster.berthCount()).isEqualTo(2);
            }
        });
    }

    @Test
    void aRestartAtAnyStepLosesNoPod() {
        for (int point = 0; point < 24; point += 2) {
            try (Simulation cluster = new Simulation(7, NODES, SLOW)) {
                SimulationTest.deploy(cluster, "web", 20, "500m");
                for (int step = 0; step < point; step++) {
                    cluster.step();
                }
                cluster.killBerth();
                cluster.startBerth();
                cluster.advance(Duration.ofMinutes(1));
                assertConsistent(cluster, point);
                assertThat(placed(cluster)).as("killed after step %d", point).isEqualTo(20);
            }
        }
    }

    @Test
    void noPodIsLostOrBoundTwiceUnderFaults() {
        RandomSeeds.forEach(0, 4, seed -> {
            runHistory(seed, 40);
        });
    }

    @Test
    @Tag("long")
    void noPodIsLostOrBoundTwiceUnderFaultsInManyHistories() {
        RandomSeeds.forEach(10_000, 300, seed -> {
            runHistory(seed, 60);
        });
    }

    private static void runHistory(long seed, int operations) {
        Random random = new Random(seed);
        try (Simulation cluster = new Simulation(seed, NODES, ALL)) {
            runWithFaults(cluster, random, operations, number -> SimulationTest.randomOperation(cluster, random));
            cluster.advance(Duration.ofMinutes(10));
            assertConsistent(cluster, seed);
        }
    }

    /** Lets deeds be done while everything breaks; then all is mended and nothing more happens. */
    static void runWithFaults(Simulation cluster, Random random, int operations, IntConsumer operation) {
        for (int i = 0; i < operations; i++) {
            injectFault(cluster, random);
            operation.accept(i);
            for (int steps = random.nextInt(8); steps > 0; steps--) {
                cluster.step();
            }
            if (random.nextInt(3) == 0) {
                cluster.advance(Duration.ofMillis(random.nextInt(20_000)));
            }
        }
        cluster.registerNodes(NODES);
        cluster.stopFaults();
    }

    private static void injectFault(Simulation cluster, Random random) {
        switch (random.nextInt(12)) {
            case 0 -> {
                cluster.killBerth();
                if (cluster.berthCount() == 0) {
                    cluster.startBerth();
                }
            }
            case 1 -> {
                if (cluster.berthCount() < 2) {
                    cluster.startBerth();
                }
            }
            case 2 -> deleteNode(cluster, "node-" + random.nextInt(4));
            case 3, 4 -> cluster.registerNodes(NODES);
            default -> {}
        }
    }

    private static void deleteNode(Simulation cluster, String node) {
        try {
            cluster.client().delete(RestMapping.NODES.clusterObject(node), DeleteOptions.DEFAULT);
        } catch (ApiException gone) {
            assertThat(gone.isNotFound()).as(gone.getMessage()).isTrue();
        }
    }

    private static void assertConsistent(Simulation cluster, long seed) {
        assertNothingLostOrBoundTwice(cluster, seed);
        assertThat(SimulationTest.schedulablePendingPods(cluster))
                .as("seed %d: pods forgotten although there is room", seed)
                .isEmpty();
    }

    static void assertNothingLostOrBoundTwice(Simulation cluster, long seed) {
        assertThat(cluster.unfinishedWrites())
                .as("seed %d: writes on their way", seed)
                .isZero();
        assertThat(cluster.ledgerProblems()).as("seed %d", seed).isEmpty();
        assertThat(cluster.podsBoundTwice()).as("seed %d", seed).isEmpty();
    }

    private static void stepUntilBindIsSent(Simulation cluster) {
        for (int steps = 0; cluster.unfinishedWrites() == 0; steps++) {
            assertThat(steps).as("a bind is sent").isLessThan(100);
            cluster.step();
        }
    }

    private static long placed(Simulation cluster) {
        return SimulationTest.pods(cluster).stream()
                .filter(pod -> !SimulationTest.node(pod).isEmpty())
                .count();
    }

    private static void create(Simulation cluster, String name, String cpu) {
        cluster.client().create(RestMapping.PODS, JsonText.parse("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"default"},
                 "spec":{"containers":[{"name":"c","image":"nginx","resources":{"requests":{"cpu":"%s"}}}]}}
                """.formatted(name, cpu)));
    }

    private static void delete(Simulation cluster, String name) {
        List<ObjectNode> there = SimulationTest.pods(cluster);
        if (there.stream().anyMatch(pod -> SimulationTest.name(pod).equals(name))) {
            cluster.client().delete(RestMapping.PODS.object("default", name), DeleteOptions.DEFAULT);
        }
    }
}
