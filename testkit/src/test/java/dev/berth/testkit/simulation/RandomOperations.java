package dev.berth.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.OperationCounts;
import dev.berth.sandbox.client.ApiException;
import dev.berth.sandbox.client.DeleteOptions;
import dev.berth.sandbox.client.ListScope;
import dev.berth.sandbox.client.Patch;
import dev.berth.sandbox.client.RestMapping;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.unstructured.JsonText;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * What users and tenants do to a cluster with holds, drawn by a seed: reservations of every kind, some of which preempt, owners and
 * other pods of several priorities, some of which no reservation may preempt, pods that ask to return, pods that finish and keep a finalizer, forged and removed records,
 * edited owners, shared reservations that become ones for once, room kept by an annotation of a node, pods that another
 * scheduler binds, nodes that are cordoned, not ready, or replaced by smaller ones, devices as {@link RandomDeviceOperations} draws
 * them, a clock of Berth's machine that is set, and restarts of Berth.
 */
final class RandomOperations {
    static final NodePool NODES = NodePool.of(3, "4", "8Gi", 20);
    private static final NodePool SMALLER_NODES = NodePool.of(3, "2", "8Gi", 20);
    static final RestMapping RESERVATIONS =
            new RestMapping("scheduling.koordinator.sh", "v1alpha1", "reservations", "Reservation", false);
    private static final RestMapping PRIORITY_CLASSES =
            new RestMapping("scheduling.k8s.io", "v1", "priorityclasses", "PriorityClass", false);
    private static final List<String> SIZES = List.of("500m", "1", "2", "3", "4");
    static final String OTHER_SCHEDULER = "another-scheduler";
    private static final String FINALIZER = "example.com/archive";

    /** What is drawn, apart from the operations on devices. */
    enum Operation {
        CREATE_RESERVATION,
        DELETE_RESERVATION,
        EDIT_OWNERS,
        EDIT_ALLOCATE_ONCE,
        CREATE_POD,
        CREATE_PREEMPTING_OWNER,
        DELETE_POD,
        CREATE_POD_OF_OTHER_SCHEDULER,
        REMOVE_FINALIZER,
        FORGE_RECORD,
        REMOVE_RECORD,
        ANNOTATE_NODE,
        REPLACE_NODE,
        CORDON_NODE,
        REPORT_READINESS,
        SET_MACHINE_CLOCK
    }

    private final Simulation cluster;
    private final Random random;
    private final OperationCounts<Operation> counts;
    private final RandomRestarts restarts;
    private final RandomDeviceOperations devices;
    private final UnprovenClaims unproven;
    private int names;

    RandomOperations(Simulation cluster, Random random, OperationCounts<Operation> counts) {
        this.cluster = cluster;
        this.random = random;
        this.counts = counts;
        this.restarts = new RandomRestarts(cluster, random);
        this.devices = new RandomDeviceOperations(cluster, random, this::anyPod);
        this.unproven = new UnprovenClaims(cluster);
        for (int value : List.of(10, 100)) {
            cluster.client().create(PRIORITY_CLASSES, JsonText.parse("""
                    {"apiVersion":"scheduling.k8s.io/v1","kind":"PriorityClass","metadata":{"name":"p%1$d"},"value":%1$d}
                    """.formatted(value)));
        }
    }

    /** How far the clock of Berth's machine is ahead of the API server's. */
    static Duration skew(Random random) {
        return Duration.ofSeconds(random.nextInt(1_201) - 600);
    }

    /** Pods whose claim may be lost without any fault of Berth. */
    UnprovenClaims unproven() {
        return unproven;
    }

    /** Objects that are gone or changed meanwhile are no fault: users meet them too. */
    void next() {
        try {
            runRandomOperation();
        } catch (ApiException refused) {
            assertThat(refused.code()).as(refused.getMessage()).isIn(404, 409);
        }
    }

    private void runRandomOperation() {
        switch (random.nextInt(36)) {
            case 0, 1, 2 -> createReservation();
            case 3 -> deleteReservation();
            case 4 -> editOwners();
            case 5 -> editOnce();
            case 6, 7, 8, 9, 10 -> createPod();
            case 11, 12, 13 -> deletePod();
            case 14 -> createPodOfOtherScheduler();
            case 15, 16 -> removeFinalizer();
            case 17 -> forgeRecord();
            case 18 -> removeRecord();
            case 19 -> annotateNode();
            case 20 -> replaceNode();
            case 21 -> cordonNode();
            case 22 -> reportReadiness();
            case 23, 24 -> restarts.next();
            case 25 -> {
                cluster.setMachineClock(skew(random));
                counts.count(Operation.SET_MACHINE_CLOCK);
            }
            case 26, 27 -> createPreemptingOwner();
            default -> devices.next();
        }
    }

    private void createReservation() {
        ObjectNode reservation = JsonText.parse("""
                {"apiVersion":"scheduling.koordinator.sh/v1alpha1","kind":"Reservation","metadata":{"name":"r-%d"},
                 "spec":{"allocateOnce":%b,"ttl":"%ds","owners":[{"labelSelector":{"matchLabels":{"app":"%s"}}}],
                  "template":{"spec":{"schedulerName":"%s","priority":%d,
                   "containers":[{"name":"c","resources":{"requests":{"cpu":"%s"}}}]}}}}
                """.formatted(
                        names++,
                        random.nextBoolean(),
                        30 + random.nextInt(300),
                        app(),
                        scheduler(),
                        random.nextInt(4) == 0 ? 50 : 0,
                        size()));
        if (random.nextInt(4) == 0) {
            reservation.withObject("/spec").put("allocatePolicy", "Restricted");
        }
        cluster.client().create(RESERVATIONS, reservation);
        counts.count(Operation.CREATE_RESERVATION);
    }

    private void deleteReservation() {
        for (ObjectNode one : oneOf(cluster.client().list(RESERVATIONS, ListScope.ALL))) {
            cluster.client().delete(RESERVATIONS.clusterObject(SimulationTest.name(one)), DeleteOptions.DEFAULT);
            counts.count(Operation.DELETE_RESERVATION);
        }
    }

    private void editOwners() {
        unproven.beforeChange();
        for (ObjectNode one : oneOf(cluster.client().list(RESERVATIONS, ListScope.ALL))) {
            cluster.client()
                    .patch(
                            RESERVATIONS.clusterObject(SimulationTest.name(one)),
                            Patch.merge(JsonText.parse("""
                            {"spec":{"owners":[{"labelSelector":{"matchLabels":{"app":"%s"}}}]}}
                            """.formatted(app()))));
            counts.count(Operation.EDIT_OWNERS);
        }
    }

    private void editOnce() {
        for (ObjectNode one : oneOf(cluster.client().list(RESERVATIONS, ListScope.ALL))) {
            cluster.client()
                    .patch(
                            RESERVATIONS.clusterObject(SimulationTest.name(one)),
                            Patch.merge(JsonText.parse(
                                    "{\"spec\":{\"allocateOnce\":%b}}".formatted(random.nextBoolean()))));
            counts.count(Operation.EDIT_ALLOCATE_ONCE);
        }
    }

    private void createPod() {
        cluster.client().create(RestMapping.PODS, anyPod());
        counts.count(Operation.CREATE_POD);
    }

    /**
     * An owner that needs the node of its reservation, more of it than the reservation has, and outranks the pods in its
     * way: it preempts as many as it can, and its nomination draws on the hold.
     */
    private void createPreemptingOwner() {
        for (ObjectNode reservation : oneOf(cluster.client().list(RESERVATIONS, ListScope.ALL))) {
            String node = reservation.at("/status/nodeName").asText();
            if (node.isEmpty()) {
                return;
            }
            cluster.client().create(RestMapping.PODS, podFor(node));
            cluster.step();
            Optional<Long> cpu = cpuWithPreemption(node, new HoldId(holdOf(reservation)));
            if (cpu.isEmpty()) {
                return;
            }
            ObjectNode owner = podFor(node);
            ((ObjectNode) owner.at("/spec/containers/0/resources/requests")).put("cpu", cpu.get() + "m");
            owner.withObject("/metadata/labels")
                    .set("app", reservation.at("/spec/owners/0/labelSelector/matchLabels/app"));
            owner.withObject("/spec").put("priorityClassName", "p100");
            cluster.client().create(RestMapping.PODS, owner);
            counts.count(Operation.CREATE_PREEMPTING_OWNER);
        }
    }

    /**
     * How much cpu an owner of the highest priority gets on the node, if it must preempt for it.
     *
     * @param hold the hold that it owns
     */
    private Optional<Long> cpuWithPreemption(String node, HoldId hold) {
        Snapshot snapshot = cluster.snapshot();
        Optional<NodeState> state = snapshot.node(node);
        Optional<HoldState> own = snapshot.holdState(hold);
        if (state.isEmpty() || own.isEmpty()) {
            return Optional.empty();
        }
        long evictable = state.get().pods().stream()
                .filter(pod ->
                        pod.priority() < 100 && snapshot.claimBy(pod.uid()).isEmpty())
                .mapToLong(pod -> pod.spec().requests().get(ResourceName.CPU))
                .sum();
        long available = state.get().free().get(ResourceName.CPU)
                + own.get().outstanding().get(ResourceName.CPU);
        return evictable == 0 || available < 0 ? Optional.empty() : Optional.of(available + evictable);
    }

    private ObjectNode podFor(String node) {
        ObjectNode pod = pod();
        pod.withObject("/spec/nodeSelector").put("kubernetes.io/hostname", node);
        return pod;
    }

    private ObjectNode anyPod() {
        ObjectNode pod = pod();
        int priority = List.of(0, 0, 10, 100).get(random.nextInt(4));
        if (priority > 0) {
            pod.withObject("/spec").put("priorityClassName", "p" + priority);
        }
        if (random.nextInt(6) == 0) {
            pod.withObject("/metadata/labels").put("scheduling.koordinator.sh/disable-preemptible", "true");
        }
        if (random.nextInt(3) == 0) {
            pod.withObject("/metadata/annotations")
                    .put("godel.bytedance.com/reservation", "true")
                    .put("godel.bytedance.com/reservation-index", "key-" + random.nextInt(3));
        }
        if (random.nextInt(4) == 0) {
            pod.withObject("/metadata").putArray("finalizers").add(FINALIZER);
        }
        if (random.nextInt(5) == 0) {
            pod.withObject("/spec").put("restartPolicy", "Never");
            pod.withObject("/metadata/annotations").put("simulate.berth.dev/exit-after", random.nextInt(60) + "s");
        }
        return pod;
    }

    private ObjectNode pod() {
        return JsonText.parse("""
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p-%d","namespace":"default","labels":{"app":"%s"}},
                 "spec":{"schedulerName":"%s","terminationGracePeriodSeconds":%d,
                  "containers":[{"name":"c","image":"nginx","resources":{"requests":{"cpu":"%s"}}}]}}
                """.formatted(names++, app(), scheduler(), random.nextInt(10), size()));
    }

    /** Another scheduler binds a pod and knows nothing of holds; its author may have written any record. */
    private void createPodOfOtherScheduler() {
        ObjectNode pod = pod();
        pod.withObject("/spec").put("schedulerName", OTHER_SCHEDULER).put("nodeName", node());
        if (random.nextBoolean()) {
            for (ObjectNode hold : oneOf(cluster.client().list(RESERVATIONS, ListScope.ALL))) {
                pod.withObject("/metadata/annotations").put("berth.dev/hold", holdOf(hold));
            }
        }
        cluster.client().create(RestMapping.PODS, pod);
        counts.count(Operation.CREATE_POD_OF_OTHER_SCHEDULER);
    }

    private void deletePod() {
        for (ObjectNode one : oneOf(SimulationTest.pods(cluster))) {
            cluster.client()
                    .delete(RestMapping.PODS.object("default", SimulationTest.name(one)), DeleteOptions.DEFAULT);
            counts.count(Operation.DELETE_POD);
        }
    }

    private void removeFinalizer() {
        SimulationTest.pods(cluster).stream()
                .filter(pod -> pod.path("metadata").has("finalizers"))
                .findFirst()
                .ifPresent(pod -> {
                    patch(pod, Patch.merge(JsonText.parse("{\"metadata\":{\"finalizers\":null}}")));
                    counts.count(Operation.REMOVE_FINALIZER);
                });
    }

    /** Every tenant may annotate its own pods, with another tenant's hold too. */
    private void forgeRecord() {
        unproven.beforeChange();
        for (ObjectNode hold : oneOf(cluster.client().list(RESERVATIONS, ListScope.ALL))) {
            for (ObjectNode pod : oneOf(SimulationTest.pods(cluster))) {
                patch(pod, Patch.merge(JsonText.parse("""
                        {"metadata":{"annotations":{"berth.dev/hold":"%s"}}}
                        """.formatted(holdOf(hold)))));
                counts.count(Operation.FORGE_RECORD);
            }
        }
    }

    private static String holdOf(ObjectNode reservation) {
        return "koordinator/" + reservation.path("metadata").path("uid").asText();
    }

    private void removeRecord() {
        unproven.beforeChange();
        for (ObjectNode pod : oneOf(SimulationTest.pods(cluster))) {
            patch(pod, Patch.merge(JsonText.parse("""
                    {"metadata":{"labels":{"app":"%s"},"annotations":{"berth.dev/hold":null,
                     "berth.dev/drawing-holds":null,"scheduling.koordinator.sh/reservation-allocated":null}}}
                    """.formatted(app()))));
            counts.count(Operation.REMOVE_RECORD);
        }
    }

    private void annotateNode() {
        String value = random.nextBoolean() ? "\"1\"" : "null";
        cluster.client()
                .patch(RestMapping.NODES.clusterObject(node()), Patch.merge(JsonText.parse("""
                                {"metadata":{"annotations":{"reserve.cpu/11111111-2222-3333-4444-555555555555":%s}}}
                                """.formatted(value))));
        counts.count(Operation.ANNOTATE_NODE);
    }

    /** While Berth runs or while no Berth does; the node that comes is another one, sometimes a smaller one. */
    private void replaceNode() {
        boolean down = random.nextBoolean();
        if (down) {
            cluster.killBerth();
        }
        try {
            cluster.client().delete(RestMapping.NODES.clusterObject(node()), DeleteOptions.DEFAULT);
            // A replaced node is recognized if its creation time differs from that of the promise.
            cluster.clock().advance(Duration.ofSeconds(2));
            cluster.registerNodes(random.nextBoolean() ? NODES : SMALLER_NODES);
            counts.count(Operation.REPLACE_NODE);
        } finally {
            if (down) {
                cluster.startBerth();
            }
        }
    }

    private void cordonNode() {
        patchNode("{\"spec\":{\"unschedulable\":%b}}".formatted(random.nextBoolean()));
        counts.count(Operation.CORDON_NODE);
    }

    private void reportReadiness() {
        String value = random.nextBoolean() ? "\"false\"" : "null";
        patchNode("{\"metadata\":{\"annotations\":{\"simulate.berth.dev/ready\":%s}}}".formatted(value));
        counts.count(Operation.REPORT_READINESS);
    }

    private void patchNode(String patch) {
        cluster.client().patch(RestMapping.NODES.clusterObject(node()), Patch.merge(JsonText.parse(patch)));
    }

    /** All members run, and every node can be used again. */
    void restoreCluster() {
        restarts.startAllMembers();
        uncordonNodes();
    }

    private void uncordonNodes() {
        for (ObjectNode node : cluster.client().list(RestMapping.NODES, ListScope.ALL)) {
            cluster.client()
                    .patch(
                            RestMapping.NODES.clusterObject(SimulationTest.name(node)),
                            Patch.merge(JsonText.parse("""
                    {"metadata":{"annotations":{"simulate.berth.dev/ready":null}},"spec":{"unschedulable":false}}
                    """)));
        }
    }

    private void patch(ObjectNode pod, Patch patch) {
        cluster.client().patch(RestMapping.PODS.object("default", SimulationTest.name(pod)), patch);
    }

    private String node() {
        return "node-" + random.nextInt(3);
    }

    private String app() {
        return List.of("web", "db").get(random.nextInt(2));
    }

    private String scheduler() {
        return random.nextInt(4) == 0 ? RandomRestarts.SECOND_SCHEDULER : RandomRestarts.FIRST_SCHEDULER;
    }

    private String size() {
        return SIZES.get(random.nextInt(SIZES.size()));
    }

    private List<ObjectNode> oneOf(List<ObjectNode> all) {
        return all.isEmpty() ? List.of() : List.of(all.get(random.nextInt(all.size())));
    }
}
