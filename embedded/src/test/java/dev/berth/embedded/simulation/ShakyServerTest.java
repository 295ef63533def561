package dev.berth.embedded.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.Address;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.mirror.Bell;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.Stepper;
import dev.berth.embedded.client.object.Conditions;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.client.object.Meta;
import dev.berth.embedded.client.object.Pods;
import dev.berth.embedded.kubelet.KubeletSettings;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.embedded.kubelet.SimulatedKubelets;
import dev.berth.embedded.workload.WorkloadControllers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever gets lost on the way, in the end the cluster is as it was asked to be: no pod too many, none too few. */
class ShakyServerTest {
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
    private static final Address WEB_AT = Resource.DEPLOYMENTS.at("default", "web");
    private static final Address DB_AT = Resource.STATEFUL_SETS.at("default", "db");

    @Test
    void whatGetsLostIsMadeUpFor() {
        liveThrough(SEED, HISTORIES);
    }

    @Test
    @Tag("long")
    void whatGetsLostIsMadeUpForInManyHistories() {
        liveThrough(SEED + 1, MANY_HISTORIES);
    }

    private static void liveThrough(long seed, int histories) {
        SplittableRandom seeds = new SplittableRandom(seed);
        for (int i = 0; i < histories; i++) {
            live(seeds.nextLong(), "seed %d, history %d".formatted(seed, i));
        }
    }

    private static void live(long seed, String name) {
        try (Cluster cluster = Cluster.bare()) {
            List<ShakyTransport> lines = new ArrayList<>();
            List<Stepper> parts = new ArrayList<>();
            parts.add(new WorkloadControllers(shaky(cluster, seed, lines)));
            parts.add(new SimulatedKubelets(
                    shaky(cluster, seed + 1, lines),
                    NodePlan.nodes(3, "8", "32Gi", 110),
                    KubeletSettings.DEFAULT.stoppingFor(Duration.ofSeconds(1))));
            parts.add(new TestBinder(cluster.environment()));
            SplittableRandom moves = new SplittableRandom(seed);
            cluster.create(WEB, Resource.DEPLOYMENTS);
            cluster.create(DB, Resource.STATEFUL_SETS);
            for (int second = 0; second < 60; second++) {
                if (second % 10 == 5) {
                    disturb(cluster, moves, second);
                }
                run(cluster, parts);
            }
            lines.forEach(ShakyTransport::calm);
            for (int second = 0; second < 60; second++) {
                run(cluster, parts);
            }
            check(cluster, name);
            parts.forEach(Stepper::close);
        }
    }

    private static Environment shaky(Cluster cluster, long seed, List<ShakyTransport> lines) {
        ShakyTransport line = new ShakyTransport(cluster.transport(), seed);
        lines.add(line);
        return new Environment(new ApiClient(line), cluster.time(), new SplittableRandom(seed), new Bell());
    }

    /** One second, in which everybody may take a good number of steps. */
    private static void run(Cluster cluster, List<Stepper> parts) {
        for (int tenth = 0; tenth < 10; tenth++) {
            for (int step = 0; step < 30; step++) {
                boolean progress = false;
                for (Stepper part : parts) {
                    progress |= part.step();
                }
                if (!progress) {
                    break;
                }
            }
            cluster.time().advance(Duration.ofMillis(100));
        }
    }

    private static void disturb(Cluster cluster, SplittableRandom moves, int second) {
        ApiClient client = cluster.client();
        switch (moves.nextInt(4)) {
            case 0 -> client.patch(WEB_AT, template("v" + second));
            case 1 -> client.patch(DB_AT, template("v" + second));
            case 2 -> client.patch(WEB_AT, size(moves.nextInt(9)));
            default -> client.patch(DB_AT, size(moves.nextInt(5)));
        }
    }

    private static Patch template(String image) {
        return Patch.merge(
                Cluster.parse("{spec: {template: {spec: {containers: [{name: main, image: %s}]}}}}".formatted(image)));
    }

    private static Patch size(int replicas) {
        return Patch.merge(Cluster.parse("{spec: {replicas: %d}}".formatted(replicas)));
    }

    private static void check(Cluster cluster, String name) {
        ObjectNode web = cluster.client().get(WEB_AT);
        ObjectNode db = cluster.client().get(DB_AT);
        Map<String, List<ObjectNode>> pods = cluster.client().list(Resource.PODS, Selection.in("default")).stream()
                .collect(Collectors.groupingBy(pod -> Meta.labels(pod).getOrDefault("app", "")));
        complete(web, pods.getOrDefault("web", List.of()), name);
        complete(db, pods.getOrDefault("db", List.of()), name);
        for (int i = 0; i < 3; i++) {
            assertThat(Conditions.isTrue(cluster.client().get(Resource.NODES.named("node-" + i)), "Ready"))
                    .as(name)
                    .isTrue();
        }
    }

    private static void complete(ObjectNode owner, List<ObjectNode> pods, String name) {
        int replicas = Json.number(owner, 1, "spec", "replicas");
        String image = Json.text(
                Json.objects(owner, "spec", "template", "spec", "containers").get(0), "image");
        String what = name + ", " + Meta.describe(owner);
        assertThat(pods).as(what).hasSize(replicas).allMatch(Pods::ready);
        assertThat(pods)
                .as(what)
                .allMatch(
                        pod -> Json.text(Json.objects(pod, "spec", "containers").get(0), "image")
                                .equals(image));
        assertThat(Json.number(owner, 0, "status", "availableReplicas"))
                .as(what)
                .isEqualTo(replicas);
        assertThat(Json.number(owner, 0, "status", "updatedReplicas")).as(what).isEqualTo(replicas);
    }
}
