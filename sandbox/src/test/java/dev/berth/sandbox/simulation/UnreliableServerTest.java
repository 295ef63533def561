package dev.berth.sandbox.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.testing.RandomSeeds;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.ObjectLocation;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.client.eventloop.EventLoopTask;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.eventloop.WakeSignal;
import dev.berth.sandbox.controller.ControllerManager;
import dev.berth.sandbox.kubelet.KubeletSettings;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.kubelet.SimulatedKubelets;
import dev.berth.sandbox.unstructured.NestedFields;
import dev.berth.sandbox.unstructured.ObjectMetaReader;
import dev.berth.sandbox.unstructured.Pods;
import dev.berth.sandbox.unstructured.StatusConditions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever gets lost on the way, in the end the cluster is as it was asked to be: no pod too many, none too few. */
class UnreliableServerTest {
    private static final int HISTORIES = 4;
    private static final int MANY_HISTORIES = 100;
    private static final long SEED = 20_261_116L;

    private static final String WEB = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, namespace: default}
            spec:
              replicas: 6
              selector: {matchLabels: {app: web}}
              template: {metadata: {labels: {app: web}}, spec: {containers: [{name: main, image: v0}]}}
            """;
    private static final String DB = """
            apiVersion: apps/v1
            kind: StatefulSet
            metadata: {name: db, namespace: default}
            spec:
              replicas: 3
              selector: {matchLabels: {app: db}}
              template: {metadata: {labels: {app: db}}, spec: {containers: [{name: main, image: v0}]}}
            """;
    private static final ObjectLocation WEB_AT = RestMapping.DEPLOYMENTS.object("default", "web");
    private static final ObjectLocation DB_AT = RestMapping.STATEFUL_SETS.object("default", "db");

    @Test
    void theClusterConvergesDespiteLostCallsAndWatches() {
        RandomSeeds.forEach(SEED, HISTORIES, UnreliableServerTest::live);
    }

    @Test
    @Tag("long")
    void theClusterConvergesInManyRandomHistories() {
        RandomSeeds.forEach(SEED + HISTORIES, MANY_HISTORIES, UnreliableServerTest::live);
    }

    private static void live(long seed) {
        try (TestCluster cluster = TestCluster.bare()) {
            List<UnreliableTransport> lines = new ArrayList<>();
            List<EventLoopTask> parts = new ArrayList<>();
            parts.add(new ControllerManager(unreliable(cluster, seed, lines)));
            parts.add(new SimulatedKubelets(
                    unreliable(cluster, seed + 1, lines),
                    NodePool.of(3, "8", "32Gi", 110),
                    KubeletSettings.DEFAULT.withStopTime(Duration.ofSeconds(1))));
            parts.add(new TestBinder(cluster.environment()));
            SplittableRandom moves = new SplittableRandom(seed);
            cluster.create(WEB, RestMapping.DEPLOYMENTS);
            cluster.create(DB, RestMapping.STATEFUL_SETS);
            for (int second = 0; second < 60; second++) {
                if (second % 10 == 5) {
                    disturb(cluster, moves, second);
                }
                run(cluster, parts);
            }
            lines.forEach(UnreliableTransport::stopFailing);
            for (int second = 0; second < 60; second++) {
                run(cluster, parts);
            }
            check(cluster);
            parts.forEach(EventLoopTask::close);
        }
    }

    private static LoopEnvironment unreliable(TestCluster cluster, long seed, List<UnreliableTransport> lines) {
        UnreliableTransport line = new UnreliableTransport(cluster.transport(), seed);
        lines.add(line);
        return new LoopEnvironment(
                new DynamicClient(line), cluster.time(), new SplittableRandom(seed), new WakeSignal());
    }

    /** One second, in which everybody may take a good number of steps. */
    private static void run(TestCluster cluster, List<EventLoopTask> parts) {
        for (int tenth = 0; tenth < 10; tenth++) {
            for (int step = 0; step < 30; step++) {
                boolean progress = false;
                for (EventLoopTask part : parts) {
                    progress |= part.step();
                }
                if (!progress) {
                    break;
                }
            }
            cluster.time().advance(Duration.ofMillis(100));
        }
    }

    private static void disturb(TestCluster cluster, SplittableRandom moves, int second) {
        DynamicClient client = cluster.client();
        switch (moves.nextInt(4)) {
            case 0 -> client.patch(WEB_AT, template("v" + second));
            case 1 -> client.patch(DB_AT, template("v" + second));
            case 2 -> client.patch(WEB_AT, size(moves.nextInt(9)));
            default -> client.patch(DB_AT, size(moves.nextInt(5)));
        }
    }

    private static Patch template(String image) {
        return Patch.merge(TestCluster.parse(
                "{spec: {template: {spec: {containers: [{name: main, image: %s}]}}}}".formatted(image)));
    }

    private static Patch size(int replicas) {
        return Patch.merge(TestCluster.parse("{spec: {replicas: %d}}".formatted(replicas)));
    }

    private static void check(TestCluster cluster) {
        ObjectNode web = cluster.client().get(WEB_AT);
        ObjectNode db = cluster.client().get(DB_AT);
        Map<String, List<ObjectNode>> pods =
                cluster.client().list(RestMapping.PODS, ListScope.inNamespace("default")).stream()
                        .collect(Collectors.groupingBy(
                                pod -> ObjectMetaReader.labels(pod).getOrDefault("app", "")));
        complete(web, pods.getOrDefault("web", List.of()));
        complete(db, pods.getOrDefault("db", List.of()));
        for (int i = 0; i < 3; i++) {
            assertThat(StatusConditions.isTrue(
                            cluster.client().get(RestMapping.NODES.clusterObject("node-" + i)), "Ready"))
                    .isTrue();
        }
    }

    private static void complete(ObjectNode owner, List<ObjectNode> pods) {
        int replicas = NestedFields.intValue(owner, 1, "spec", "replicas");
        String image = NestedFields.text(
                NestedFields.objects(owner, "spec", "template", "spec", "containers")
                        .get(0),
                "image");
        String what = ObjectMetaReader.displayName(owner);
        assertThat(pods).as(what).hasSize(replicas).allMatch(Pods::isReady);
        assertThat(pods)
                .as(what)
                .allMatch(pod -> NestedFields.text(
                                NestedFields.objects(pod, "spec", "containers").get(0), "image")
                        .equals(image));
        assertThat(NestedFields.intValue(owner, 0, "status", "availableReplicas"))
                .as(what)
                .isEqualTo(replicas);
        assertThat(NestedFields.intValue(owner, 0, "status", "updatedReplicas"))
                .as(what)
                .isEqualTo(replicas);
    }
}
