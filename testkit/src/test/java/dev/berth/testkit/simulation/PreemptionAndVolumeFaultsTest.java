package dev.berth.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.RandomSeeds;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.unstructured.JsonText;
import dev.berth.sandbox.unstructured.NestedFields;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pods that send others away and pods that wait for their volumes, while everything goes wrong. */
class PreemptionAndVolumeFaultsTest {
    private static final NodePool NODES = NodePool.of(4, "4", "8Gi", 20);
    private static final FaultRates SLOW = new FaultRates(0, 0, 0, 0, 100, 0, 0);
    private static final FaultRates ALL = new FaultRates(5, 5, 5, 5, 50, 15, 5);
    private static final RestMapping CLASSES =
            new RestMapping("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", false);

    @Test
    void aRestartDuringPreemptionDeletesNoExtraVictim() {
        for (int point = 0; point < 40; point += 3) {
            try (Simulation cluster = prepared(point, SLOW)) {
                createHighPriorityPodInFullCluster(cluster);
                steps(cluster, point);
                cluster.killBerth();
                cluster.startBerth();
                cluster.advance(Duration.ofMinutes(5));
                assertConsistent(cluster, point);
                assertThat(SimulationTest.pods(cluster))
                        .as("killed after step %d: the vip and three of the small ones", point)
                        .hasSize(4)
                        .noneMatch(pod -> SimulationTest.node(pod).isEmpty());
                assertThat(cluster.victims().values())
                        .singleElement()
                        .satisfies(victims -> assertThat(victims).hasSize(1));
            }
        }
    }

    @Test
    void aDeletedPreemptorLeavesNoHold() {
        for (int point = 0; point < 30; point += 3) {
            try (Simulation cluster = prepared(point, SLOW)) {
                createHighPriorityPodInFullCluster(cluster);
                steps(cluster, point);
                cluster.client().delete(RestMapping.PODS.object("default", "vip"), DeleteOptions.DEFAULT);
                cluster.advance(Duration.ofMinutes(5));
                assertConsistent(cluster, point);
                assertThat(cluster.snapshot().facts().holds())
                        .as("the vip was deleted after step %d", point)
                        .isEmpty();
            }
        }
    }

    @Test
    void aRestartDuringVolumeBindingContinuesTheBinding() {
        for (int point = 0; point < 40; point += 3) {
            try (Simulation cluster = prepared(point, SLOW)) {
                for (int i = 0; i < 4; i++) {
                    claim(cluster, "data-" + i);
                    pod(cluster, "p-" + i, 0, "1", "data-" + i);
                }
                steps(cluster, point);
                cluster.killBerth();
                cluster.startBerth();
                cluster.advance(Duration.ofMinutes(15));
                assertConsistent(cluster, point);
                assertThat(SimulationTest.pods(cluster))
                        .as("killed after step %d", point)
                        .noneMatch(pod -> SimulationTest.node(pod).isEmpty());
            }
        }
    }

    @Test
    void noPodIsLostAndNoHoldIsOrphanedUnderFaults() {
        AtomicInteger preempted = new AtomicInteger();
        RandomSeeds.forEach(0, 6, seed -> preempted.addAndGet(runHistory(seed, 40)));
        RandomSeeds.checkOverAll(() -> assertThat(preempted.get())
                .as("preempted pods in all histories")
                .isPositive());
    }

    @Test
    @Tag("long")
    void noPodIsLostAndNoHoldIsOrphanedUnderFaultsInManyHistories() {
        RandomSeeds.forEach(20_000, 300, seed -> runHistory(seed, 60));
    }

    private static Simulation prepared(long seed, FaultRates faultRates) {
        Simulation cluster = new Simulation(seed, NODES, faultRates);
        for (int value : List.of(10, 100)) {
            cluster.client().create(CLASSES, JsonText.parse("""
                    {"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"p%1$d"},"value":%1$d}
                    """.formatted(value)));
        }
        cluster.client().create(RestMapping.STORAGE_CLASSES, JsonText.parse("""
                {"apiVersion":"storage.k8s.io/v1","kind":"StorageClass","metadata":{"name":"made"},
                 "provisioner":"disks.example.com","volumeBindingMode":"WaitForFirstConsumer"}
                """));
        return cluster;
    }

    private static void createHighPriorityPodInFullCluster(Simulation cluster) {
        for (int i = 0; i < 4; i++) {
            pod(cluster, "small-" + i, 0, "3", "");
        }
        cluster.advance(Duration.ofMinutes(1));
        pod(cluster, "vip", 100, "3", "");
    }

    private static void steps(Simulation cluster, int count) {
        for (int step = 0; step < count; step++) {
            cluster.step();
        }
    }

    /** Gives how many pods were sent away for others. */
    private static int runHistory(long seed, int operations) {
        Random random = new Random(seed);
        try (Simulation cluster = prepared(seed, ALL)) {
            for (int i = 0; i < 4; i++) {
                claim(cluster, "data-" + i);
            }
            FaultInjectionTest.runWithFaults(
                    cluster, random, operations, number -> randomOperation(cluster, random, number));
            cluster.advance(Duration.ofMinutes(20));
            assertConsistent(cluster, seed);
            return cluster.victims().values().stream().mapToInt(Set::size).sum();
        }
    }

    private static void randomOperation(Simulation cluster, Random random, int number) {
        if (random.nextInt(3) == 0) {
            SimulationTest.randomOperation(cluster, random);
            return;
        }
        try {
            pod(
                    cluster,
                    "loner-" + number,
                    List.of(0, 10, 100).get(random.nextInt(3)),
                    List.of("500m", "1", "3").get(random.nextInt(3)),
                    random.nextInt(3) == 0 ? "data-" + random.nextInt(4) : "");
        } catch (ApiException refused) {
            assertThat(refused.code()).as(refused.getMessage()).isIn(404, 409);
        }
    }

    private static void claim(Simulation cluster, String name) {
        cluster.client().create(RestMapping.PERSISTENT_VOLUME_CLAIMS, JsonText.parse("""
                {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"%s","namespace":"default"},
                 "spec":{"storageClassName":"made","accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}
                """.formatted(name)));
    }

    /** @param claim what it mounts; empty for nothing */
    private static void pod(Simulation cluster, String name, int priority, String cpu, String claim) {
        ObjectNode pod = JsonText.parse("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"%s","namespace":"default"},
                 "spec":{"terminationGracePeriodSeconds":5,
                  "containers":[{"name":"c","image":"nginx","resources":{"requests":{"cpu":"%s"}}}]}}
                """.formatted(name, cpu));
        if (priority > 0) {
            pod.withObject("/spec").put("priorityClassName", "p" + priority);
        }
        if (!claim.isEmpty()) {
            ObjectNode volume = pod.withObject("/spec").putArray("volumes").addObject();
            volume.put("name", "v").putObject("persistentVolumeClaim").put("claimName", claim);
        }
        cluster.client().create(RestMapping.PODS, pod);
    }

    private static void assertConsistent(Simulation cluster, long seed) {
        FaultInjectionTest.assertNothingLostOrBoundTwice(cluster, seed);
        assertThat(orphanedHolds(cluster.snapshot()))
                .as("seed %d: holds of pods that are gone", seed)
                .isEmpty();
        assertThat(inconsistentPodStatuses(cluster))
                .as("seed %d: pods that show what is not so", seed)
                .isEmpty();
        assertThat(schedulablePendingPods(cluster.snapshot()))
                .as("seed %d: pods forgotten", seed)
                .isEmpty();
    }

    private static List<String> orphanedHolds(Snapshot snapshot) {
        Set<String> waiting = Set.copyOf(snapshot.facts().pods().stream()
                .filter(pod -> pod.nodeName().isEmpty())
                .map(pod -> "preemption/" + pod.uid())
                .toList());
        return snapshot.facts().holds().stream()
                .map(Hold::id)
                .map(id -> id.value())
                .filter(id -> !waiting.contains(id))
                .toList();
    }

    /** Pods without volumes that wait: each says why, and names a node only if that node is kept for it. */
    private static List<String> inconsistentPodStatuses(Simulation cluster) {
        Set<String> holds = cluster.snapshot().facts().holds().stream()
                .map(hold -> hold.id().value())
                .collect(Collectors.toSet());
        List<String> wrong = new ArrayList<>();
        for (ObjectNode pod : SimulationTest.pods(cluster)) {
            String uid = NestedFields.text(pod, "metadata", "uid");
            boolean waits = SimulationTest.node(pod).isEmpty()
                    && NestedFields.text(pod, "metadata", "deletionTimestamp").isEmpty()
                    && pod.path("spec").path("volumes").isEmpty();
            if (waits && !cluster.podsMarkedUnschedulable().contains(new PodUid(uid))) {
                wrong.add("pod %s does not say why it waits".formatted(SimulationTest.name(pod)));
            }
            String nominated = NestedFields.text(pod, "status", "nominatedNodeName");
            if (waits && !nominated.isEmpty() && !holds.contains("preemption/" + uid)) {
                wrong.add("pod %s names %s, which is not kept for it".formatted(SimulationTest.name(pod), nominated));
            }
        }
        return wrong;
    }

    /** Pods without volumes for which a node has room, or would have without pods of less priority. */
    private static List<Pod> schedulablePendingPods(Snapshot snapshot) {
        List<NodeState> nodes = new ArrayList<>();
        snapshot.forEachNode(nodes::add);
        return snapshot.facts().pods().stream()
                .filter(pod -> pod.nodeName().isEmpty() && pod.volumes().isEmpty())
                .filter(pod -> nodes.stream().anyMatch(node -> couldTake(node, pod)))
                .toList();
    }

    private static boolean couldTake(NodeState node, Pod pod) {
        List<Pod> lesser = node.pods().stream()
                .filter(there -> there.priority() < pod.priority())
                .toList();
        long cpu = lesser.stream()
                .mapToLong(there -> there.spec().requests().get(ResourceName.CPU))
                .sum();
        return !node.node().unschedulable()
                && node.free().get(ResourceName.CPU) + cpu
                        >= pod.spec().requests().get(ResourceName.CPU)
                && node.free().get(ResourceName.PODS) + lesser.size() >= 1;
    }
}
