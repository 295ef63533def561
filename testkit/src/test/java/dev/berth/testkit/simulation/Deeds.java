package dev.berth.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.embedded.client.ApiException;
import dev.berth.embedded.client.DeleteOptions;
import dev.berth.embedded.client.Patch;
import dev.berth.embedded.client.Resource;
import dev.berth.embedded.client.Selection;
import dev.berth.embedded.client.object.Json;
import dev.berth.embedded.kubelet.NodePlan;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * What users and tenants do to a cluster with holds, drawn by a seed: reservations of every kind, owners and other pods
 * of several priorities, pods that ask to return, pods that finish and keep a finalizer, forged and removed records,
 * edited owners, shared reservations that become ones for once, room kept by an annotation of a node, pods that another
 * scheduler binds, nodes that are cordoned, not ready, or replaced by smaller ones, devices as {@link DeviceDeeds} draws
 * them, a clock of Berth's machine that is set, and restarts of Berth.
 */
final class Deeds {
    static final NodePlan NODES = NodePlan.nodes(3, "4", "8Gi", 20);
    private static final NodePlan SMALLER_NODES = NodePlan.nodes(3, "2", "8Gi", 20);
    static final Resource RESERVATIONS =
            new Resource("scheduling.koordinator.sh", "v1alpha1", "reservations", "Reservation", false);
    private static final Resource PRIORITY_CLASSES =
            new Resource("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", false);
    private static final List<String> SIZES = List.of("500m", "1", "2", "3", "4");
    static final String INTRUDING_SCHEDULER = "another-scheduler";
    private static final String FINALIZER = "example.com/archive";

    private final Simulation cluster;
    private final Random dice;
    private final Restarts restarts;
    private final DeviceDeeds devices;
    private final UnprovenClaims unproven;
    private int names;

    Deeds(Simulation cluster, Random dice) {
        this.cluster = cluster;
        this.dice = dice;
        this.restarts = new Restarts(cluster, dice);
        this.devices = new DeviceDeeds(cluster, dice, this::anyPod);
        this.unproven = new UnprovenClaims(cluster);
        for (int value : List.of(10, 100)) {
            cluster.client().create(PRIORITY_CLASSES, Json.parse("""
                    {"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"p%1$d"},"value":%1$d}
                    """.formatted(value)));
        }
    }

    /** How far the clock of Berth's machine is ahead of the API server's. */
    static Duration skew(Random dice) {
        return Duration.ofSeconds(dice.nextInt(1_201) - 600);
    }

    /** Pods whose claim may be lost without any fault of Berth. */
    UnprovenClaims unproven() {
        return unproven;
    }

    /** Objects that are gone or changed meanwhile are no fault: users meet them too. */
    void next() {
        try {
            draw();
        } catch (ApiException refused) {
            assertThat(refused.code()).as(refused.getMessage()).isIn(404, 409);
        }
    }

    private void draw() {
        switch (dice.nextInt(34)) {
            case 0, 1, 2 -> createReservation();
            case 3 -> deleteReservation();
            case 4 -> editOwners();
            case 5 -> editOnce();
            case 6, 7, 8, 9, 10 -> createPod();
            case 11, 12, 13 -> deletePod();
            case 14 -> createIntruder();
            case 15, 16 -> removeFinalizer();
            case 17 -> forgeRecord();
            case 18 -> removeRecord();
            case 19 -> annotateNode();
            case 20 -> replaceNode();
            case 21 -> cordonNode();
            case 22 -> reportReadiness();
            case 23, 24 -> restarts.next();
            case 25 -> cluster.setMachineClock(skew(dice));
            default -> devices.next();
        }
    }

    private void createReservation() {
        ObjectNode reservation = Json.parse(
                """
                {"apiVersion":"scheduling.koordinator.sh/v1alpha1","kind":"Reservation","metadata":{"name":"r-%d"},
                 "spec":{"allocateOnce":%b,"ttl":"%ds","owners":[{"labelSelector":{"matchLabels":{"app":"%s"}}}],
                  "template":{"spec":{"schedulerName":"%s",
                   "containers":[{"name":"c","resources":{"requests":{"cpu":"%s"}}}]}}}}
                """.formatted(names++, dice.nextBoolean(), 30 + dice.nextInt(300), app(), scheduler(), size()));
        if (dice.nextInt(4) == 0) {
            reservation.withObject("/spec").put("allocatePolicy", "Restricted");
        }
        cluster.client().create(RESERVATIONS, reservation);
    }

    private void deleteReservation() {
        for (ObjectNode one : one(cluster.client().list(RESERVATIONS, Selection.ALL))) {
            cluster.client().delete(RESERVATIONS.named(SimulationTest.name(one)), DeleteOptions.DEFAULT);
        }
    }

    private void editOwners() {
        unproven.change();
        for (ObjectNode one : one(cluster.client().list(RESERVATIONS, Selection.ALL))) {
            cluster.client()
                    .patch(RESERVATIONS.named(SimulationTest.name(one)), Patch.merge(Json.parse("""
                            {"spec":{"owners":[{"labelSelector":{"matchLabels":{"app":"%s"}}}]}}
                            """.formatted(app()))));
        }
    }

    private void editOnce() {
        for (ObjectNode one : one(cluster.client().list(RESERVATIONS, Selection.ALL))) {
            cluster.client()
                    .patch(
                            RESERVATIONS.named(SimulationTest.name(one)),
                            Patch.merge(Json.parse("{\"spec\":{\"allocateOnce\":%b}}".formatted(dice.nextBoolean()))));
        }
    }

    private void createPod() {
        cluster.client().create(Resource.PODS, anyPod());
    }

    private ObjectNode anyPod() {
        ObjectNode pod = pod();
        int priority = List.of(0, 0, 10, 100).get(dice.nextInt(4));
        if (priority > 0) {
            pod.withObject("/spec").put("priorityClassName", "p" + priority);
        }
        if (dice.nextInt(3) == 0) {
            pod.withObject("/metadata/annotations")
                    .put("godel.bytedance.com/reservation", "true")
                    .put("godel.bytedance.com/reservation-index", "key-" + dice.nextInt(3));
        }
        if (dice.nextInt(4) == 0) {
            pod.withObject("/metadata").putArray("finalizers").add(FINALIZER);
        }
        if (dice.nextInt(5) == 0) {
            pod.withObject("/spec").put("restartPolicy", "Never");
            pod.withObject("/metadata/annotations").put("simulate.berth.dev/exit-after", dice.nextInt(60) + "s");
        }
        return pod;
    }

    private ObjectNode pod() {
        return Json.parse("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p-%d","namespace":"default","labels":{"app":"%s"}},
                 "spec":{"schedulerName":"%s","terminationGracePeriodSeconds":%d,
                  "containers":[{"name":"c","image":"nginx","resources":{"requests":{"cpu":"%s"}}}]}}
                """.formatted(names++, app(), scheduler(), dice.nextInt(10), size()));
    }

    /** Another scheduler binds a pod and knows nothing of holds; its author may have written any record. */
    private void createIntruder() {
        ObjectNode pod = pod();
        pod.withObject("/spec").put("schedulerName", INTRUDING_SCHEDULER).put("nodeName", node());
        if (dice.nextBoolean()) {
            for (ObjectNode hold : one(cluster.client().list(RESERVATIONS, Selection.ALL))) {
                pod.withObject("/metadata/annotations").put("berth.dev/hold", holdOf(hold));
            }
        }
        cluster.client().create(Resource.PODS, pod);
    }

    private void deletePod() {
        for (ObjectNode one : one(SimulationTest.pods(cluster))) {
            cluster.client().delete(Resource.PODS.at("default", SimulationTest.name(one)), DeleteOptions.DEFAULT);
        }
    }

    private void removeFinalizer() {
        SimulationTest.pods(cluster).stream()
                .filter(pod -> pod.path("metadata").has("finalizers"))
                .findFirst()
                .ifPresent(pod -> patch(pod, Patch.merge(Json.parse("{\"metadata\":{\"finalizers\":null}}"))));
    }

    /** Every tenant may annotate its own pods, with another tenant's hold too. */
    private void forgeRecord() {
        unproven.change();
        for (ObjectNode hold : one(cluster.client().list(RESERVATIONS, Selection.ALL))) {
            for (ObjectNode pod : one(SimulationTest.pods(cluster))) {
                patch(pod, Patch.merge(Json.parse("""
                        {"metadata":{"annotations":{"berth.dev/hold":"%s"}}}
                        """.formatted(holdOf(hold)))));
            }
        }
    }

    private static String holdOf(ObjectNode reservation) {
        return "reservation/" + reservation.path("metadata").path("uid").asText();
    }

    private void removeRecord() {
        unproven.change();
        for (ObjectNode pod : one(SimulationTest.pods(cluster))) {
            patch(pod, Patch.merge(Json.parse("""
                    {"metadata":{"labels":{"app":"%s"},"annotations":{"berth.dev/hold":null,
                     "berth.dev/drawing-holds":null,"scheduling.koordinator.sh/reservation-allocated":null}}}
                    """.formatted(app()))));
        }
    }

    private void annotateNode() {
        String value = dice.nextBoolean() ? "\"1\"" : "null";
        cluster.client().patch(Resource.NODES.named(node()), Patch.merge(Json.parse("""
                                {"metadata":{"annotations":{"reserve.cpu/11111111-2222-3333-4444-555555555555":%s}}}
                                """.formatted(value))));
    }

    /** While Berth runs or while no Berth does; the node that comes is another one, sometimes a smaller one. */
    private void replaceNode() {
        boolean down = dice.nextBoolean();
        if (down) {
            cluster.killBerth();
        }
        try {
            cluster.client().delete(Resource.NODES.named(node()), DeleteOptions.DEFAULT);
            // A node is another one where its creation can be told from what was promised before.
            cluster.clock().advance(Duration.ofSeconds(2));
            cluster.register(dice.nextBoolean() ? NODES : SMALLER_NODES);
        } finally {
            if (down) {
                cluster.startBerth();
            }
        }
    }

    private void cordonNode() {
        patchNode("{\"spec\":{\"unschedulable\":%b}}".formatted(dice.nextBoolean()));
    }

    private void reportReadiness() {
        String value = dice.nextBoolean() ? "\"false\"" : "null";
        patchNode("{\"metadata\":{\"annotations\":{\"simulate.berth.dev/ready\":%s}}}".formatted(value));
    }

    private void patchNode(String patch) {
        cluster.client().patch(Resource.NODES.named(node()), Patch.merge(Json.parse(patch)));
    }

    /** All members run, and every node can be used again. */
    void mend() {
        restarts.allMembersRun();
        uncordonNodes();
    }

    private void uncordonNodes() {
        for (ObjectNode node : cluster.client().list(Resource.NODES, Selection.ALL)) {
            cluster.client().patch(Resource.NODES.named(SimulationTest.name(node)), Patch.merge(Json.parse("""
                    {"metadata":{"annotations":{"simulate.berth.dev/ready":null}},"spec":{"unschedulable":false}}
                    """)));
        }
    }

    private void patch(ObjectNode pod, Patch patch) {
        cluster.client().patch(Resource.PODS.at("default", SimulationTest.name(pod)), patch);
    }

    private String node() {
        return "node-" + dice.nextInt(3);
    }

    private String app() {
        return List.of("web", "db").get(dice.nextInt(2));
    }

    private String scheduler() {
        return dice.nextInt(4) == 0 ? Restarts.SECOND_SCHEDULER : Restarts.FIRST_SCHEDULER;
    }

    private String size() {
        return SIZES.get(dice.nextInt(SIZES.size()));
    }

    private List<ObjectNode> one(List<ObjectNode> all) {
        return all.isEmpty() ? List.of() : List.of(all.get(dice.nextInt(all.size())));
    }
}
