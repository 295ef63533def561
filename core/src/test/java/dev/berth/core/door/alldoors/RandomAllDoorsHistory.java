package dev.berth.core.door.alldoors;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.Workload;
import dev.berth.core.door.devices.DeviceClaim;
import dev.berth.core.door.globalreserve.ReserveRequest.PodAssignment;
import dev.berth.core.door.godel.GodelAnnotations;
import dev.berth.core.door.godel.GodelReservation;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.ComponentId;
import dev.berth.core.hold.Origin;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * What users, tenants, other schedulers and accidents do to a cluster with all doors open, drawn by a seed. Berth is killed
 * at any moment, also while its writes are under way.
 */
final class RandomAllDoorsHistory {
    static final String CLAIMS = DeviceClaim.ANNOTATION;
    private static final List<String> APPS = List.of("a", "b");
    private static final long CPUS = 8;
    private static final int MOST_FILLERS = 6;
    private static final List<ComponentId> WRITERS = List.of(
            Origin.DoorId.KOORDINATOR,
            Origin.DoorId.GODEL,
            Origin.PluginId.NOMINATED_NODES,
            Origin.PluginId.PREEMPTION,
            Origin.DoorId.GLOBALRESERVE);

    final AllDoorsCluster cluster;
    private final Random stepRandom;
    private final RandomReservationEdits reservations;
    /** Whether pods ask to be returned to; then the API server remembers deletions, since not all of them can be written. */
    private final boolean returning;

    /** Whether tenants write Reservations of the godel door by hand; drawn apart, so that other histories stay. */
    private final Optional<Random> tenants;

    /** Whether tenants write such Reservations that draw on other holds; in histories of their own. */
    private final Optional<DrawWritingTenant> drawing;

    /** Whether some pods ignore Koordinator's Reservations; drawn apart, so that other histories stay. */
    private final Optional<Random> ignoring;

    private int names;

    RandomAllDoorsHistory(long seed) {
        this.stepRandom = new Random(seed);
        this.cluster = new AllDoorsCluster(stepRandom);
        this.reservations = new RandomReservationEdits(cluster, stepRandom);
        this.returning = seed % 2 == 0;
        this.tenants = seed % 5 == 4 ? Optional.of(new Random(-seed)) : Optional.empty();
        this.drawing =
                seed % 5 == 3 ? Optional.of(new DrawWritingTenant(cluster, new Random(-seed))) : Optional.empty();
        this.ignoring = seed % 3 == 1 ? Optional.of(new Random(~seed)) : Optional.empty();
        for (String node : List.of("n1", "n2")) {
            cluster.server.put(node(node, CPUS).build());
            cluster.server.fakeDeviceApi.add("card-of-" + node, node);
        }
        for (String app : APPS) {
            cluster.server.workloads.add(new Workload(
                    Workload.Kind.REPLICA_SET,
                    "default",
                    app,
                    LabelSelector.of(Labels.of("app", app)),
                    "rs-" + app,
                    Optional.empty()));
        }
        cluster.start(true);
        cluster.runUntilIdle();
    }

    /** One thing happens, and then a part of what follows from it. */
    void next() {
        tenants.filter(random -> random.nextInt(4) == 0).ifPresent(this::writeReservationAsTenant);
        drawing.ifPresent(DrawWritingTenant::maybeAct);
        act();
        if (stepRandom.nextInt(4) == 0) {
            cluster.runUntilIdle();
            return;
        }
        for (int turns = stepRandom.nextInt(3); turns >= 0; turns--) {
            cluster.runTurn();
            for (int writes = stepRandom.nextInt(4); writes > 0; writes--) {
                cluster.deliverOneWrite();
            }
        }
    }

    private void act() {
        if (!cluster.slowDoors.isEmpty() && stepRandom.nextInt(8) == 0) {
            restart();
            return;
        }
        switch (stepRandom.nextInt(38)) {
            case 0, 1, 2, 3, 4, 5 -> create(pod().build());
            case 6, 7, 8 -> reservations.create("r%d".formatted(names++));
            case 9 -> reservations.delete();
            case 10, 11, 12 -> reservations.edit();
            case 13, 14, 15 -> one(notTerminating()).ifPresent(this::deletePod);
            case 16 -> one(users()).ifPresent(this::removePod);
            case 17, 18, 19 -> one(terminating()).ifPresent(this::removePod);
            case 20 -> one(running()).ifPresent(this::finish);
            case 21 -> one(cluster.server.nodes.values()).ifPresent(this::annotate);
            case 22 -> reserve();
            case 23 ->
                one(reserved())
                        .ifPresent(pod -> bindByOtherScheduler(pod, cluster.promised.getOrDefault(pod.uid(), "")));
            case 24 -> toggleDeniedDoor();
            case 25, 26, 27 -> cluster.advance(Duration.ofSeconds(1 + stepRandom.nextInt(20)));
            case 28 -> bindWithoutAsking();
            case 29 ->
                one(cluster.server.nodes.values())
                        .ifPresent(stepRandom.nextBoolean() ? this::shrinkOrReplace : this::cordonOrUncordon);
            case 30 -> one(reserved()).ifPresent(cluster::unreserve);
            case 31 -> toggleSlowDoor();
            case 32, 33, 34, 35 -> endHoldsWhileWritesAreSlow();
            default -> restart();
        }
    }

    private PodBuilder plainPod() {
        return podOf(one(APPS).orElseThrow())
                .asking(1 + stepRandom.nextInt(4) + " cpu")
                .ofPriority(10 * stepRandom.nextInt(3));
    }

    private PodBuilder podOf(String app) {
        return aPod("p%03d".formatted(names++)).labelled("app", app).ownedBy("ReplicaSet/" + app, "rs-" + app);
    }

    private PodBuilder pod() {
        PodBuilder pod = plainPod();
        if (returning && stepRandom.nextBoolean()) {
            pod.annotated(GodelAnnotations.RESERVATION, "true")
                    .annotated(GodelAnnotations.INDEX, one(APPS).orElseThrow())
                    .annotated(GodelAnnotations.TTL, "%d".formatted(5 + stepRandom.nextInt(60)));
        }
        if (stepRandom.nextInt(6) == 0) {
            String claim = "c%d".formatted(names);
            cluster.server.put(new FakeDeviceApi.NewClaim(claim));
            pod.annotated(CLAIMS, claim);
        }
        if (ignoring.filter(random -> random.nextInt(3) == 0).isPresent()) {
            pod.ignoringReservations();
        }
        return pod;
    }

    /**
     * A hold is over while the writes of its door are under way for long, and pods that own nothing come. If it gives its
     * room away before its object says so, they have the room when Berth is killed.
     */
    private void endHoldsWhileWritesAreSlow() {
        if (stepRandom.nextBoolean()) {
            reservations.createAllocateOnce("r%d".formatted(names++));
            slowDown(Origin.DoorId.KOORDINATOR);
            APPS.forEach(app -> create(podOf(app).asking("1 cpu").ofPriority(10).build()));
        } else {
            reserve();
            slowDown(Origin.DoorId.GLOBALRESERVE);
            reserved().forEach(stepRandom.nextBoolean() ? cluster::unreserve : this::deletePod);
        }
        cluster.runUntilIdle();
        createFillers();
    }

    /** What was asked for before is written; what comes from now on is under way for long. */
    private void slowDown(Origin.DoorId doorId) {
        cluster.slowDoors.clear();
        cluster.runUntilIdle();
        cluster.slowDoors.add(doorId);
        log("slow: %s".formatted(cluster.slowDoors));
    }

    /** Small pods that own nothing take what is free, and some wait for what comes free. */
    private void createFillers() {
        long free = 0;
        for (String node : cluster.server.nodes.keySet()) {
            free += cluster.node(node)
                    .map(state -> state.free().get(ResourceName.CPU))
                    .orElse(0L);
        }
        for (long pods = Math.min(MOST_FILLERS, free / 1_000 + 1); pods > 0; pods--) {
            create(filler().asking("1 cpu").build());
        }
    }

    /** Some name a controller that is not theirs: any tenant can write its UID. */
    private PodBuilder filler() {
        int number = names++;
        return number % 3 > 0
                ? aPod("f%03d".formatted(number))
                : aPod("%s/f%03d".formatted(AllDoorsCluster.OTHER_TENANT, number))
                        .ownedBy("ReplicaSet/any", "rs-a");
    }

    private void create(Pod pod) {
        log("create %s %s priority %d %s%s"
                .formatted(
                        pod,
                        pod.spec().requests(),
                        pod.priority(),
                        pod.annotations(),
                        pod.spec().reservations().ignored() ? " ignoring Reservations" : ""));
        cluster.server.put(pod);
    }

    /** Of any size, on any node, some with all that Berth would write. An earlier one may be edited. */
    private void writeReservationAsTenant(Random random) {
        String name = "tenant-%d".formatted(random.nextInt(4));
        String node = "n%d".formatted(1 + random.nextInt(2));
        Resources size = Resources.of(ResourceName.CPU, 1_000L * (1 + random.nextInt(12)))
                .plus(Resources.of(ResourceName.PODS, 1));
        GodelReservation place = cluster
                .server
                .findGodelReservation(name)
                .orElseGet(() -> GodelReservation.builder(
                                "default", name, "%s-%d".formatted(name, names++), cluster.clock.instant())
                        .key("tenants")
                        .nodeName(node)
                        .originalPodUid(random.nextBoolean() ? "pod-of-" + name : "")
                        .ttlSeconds(Optional.of(60L))
                        .build())
                .toBuilder()
                .size(size)
                .build();
        log("a tenant writes %s".formatted(place));
        cluster.server.putByHand(place);
    }

    private void log(String words) {
        cluster.log.add(words);
    }

    private void deletePod(Pod pod) {
        log("delete %s".formatted(pod));
        if (pod.nodeName().isEmpty() || pod.phase().isTerminal()) {
            cluster.unrecordedDeletions.add(pod);
        }
        cluster.server.delete(pod);
    }

    private void removePod(Pod pod) {
        log("gone %s".formatted(pod));
        cluster.unrecordedDeletions.add(pod);
        cluster.server.remove(pod.uid());
    }

    private void finish(Pod pod) {
        log("finish %s".formatted(pod));
        cluster.server.put(pod.toBuilder().phase(PodPhase.SUCCEEDED).build());
    }

    /** Its author sees how much is free; what is kept there is for the pods of one controller. */
    private void annotate(Node node) {
        cluster.deliverWatchEvents();
        log("annotate %s".formatted(node));
        boolean fits = cluster.node(node.name()).orElseThrow().free().get(ResourceName.CPU) >= 2_000;
        if (cluster.server.isAnnotated(node)) {
            cluster.server.annotate(node, Map.of());
        } else if (fits) {
            Resources kept = Resources.of(ResourceName.CPU, 1_000L * (1 + stepRandom.nextInt(2)));
            cluster.server.annotate(node, Map.of("rs-" + one(APPS).orElseThrow(), kept));
        }
    }

    private void reserve() {
        List<PodAssignment> podAssignments = new ArrayList<>();
        one(reserved())
                .filter(pod -> stepRandom.nextBoolean())
                .ifPresent(pod -> podAssignments.add(new PodAssignment(
                        pod, one(cluster.server.nodes.keySet()).orElseThrow())));
        for (int i = stepRandom.nextInt(2); i >= 0; i--) {
            Pod pod = aPod("batch%03d".formatted(names++))
                    .asking(1 + stepRandom.nextInt(3) + " cpu")
                    .with(it -> it.schedulerName(AllDoorsCluster.BATCH))
                    .build();
            cluster.server.put(pod);
            podAssignments.add(
                    new PodAssignment(pod, one(cluster.server.nodes.keySet()).orElseThrow()));
        }
        cluster.reserve(podAssignments);
    }

    /** Pods of the batch scheduler whose place is promised and not over. */
    private List<Pod> reserved() {
        return cluster.server.pods.values().stream()
                .filter(pod -> pod.awaitsBinding() && cluster.promised.containsKey(pod.uid()))
                .filter(pod -> cluster.server.holds.values().stream()
                        .filter(hold -> hold.spec().deadline().isAfter(cluster.clock.instant()))
                        .flatMap(hold -> hold.spec().places().stream())
                        .filter(place -> cluster.server.nodes.values().stream()
                                .anyMatch(node -> node.uid().equals(place.node().uid())))
                        .anyMatch(place -> place.pod().uid().equals(pod.uid())
                                && place.node().name().equals(cluster.promised.get(pod.uid()))))
                .toList();
    }

    private void bindByOtherScheduler(Pod pod, String node) {
        log("another scheduler binds %s %s to %s".formatted(pod, pod.spec().requests(), node));
        cluster.server.put(pod.boundTo(node));
    }

    private void bindWithoutAsking() {
        String node = one(cluster.server.nodes.keySet()).orElseThrow();
        bindByOtherScheduler(
                plainPod()
                        .with(it -> it.schedulerName(AllDoorsCluster.OVERCOMMITTING_SCHEDULER))
                        .build(),
                node);
    }

    private void toggleDeniedDoor() {
        if (!cluster.server.denied.isEmpty()) {
            cluster.server.denied.clear();
        } else {
            one(WRITERS).ifPresent(cluster.server.denied::add);
        }
        log("denied: %s".formatted(cluster.server.denied));
    }

    /** The API server is slow with the writes of a door, or answers all of them again. */
    private void toggleSlowDoor() {
        if (!cluster.slowDoors.isEmpty()) {
            cluster.slowDoors.clear();
        } else {
            one(WRITERS).ifPresent(cluster.slowDoors::add);
        }
        log("slow: %s".formatted(cluster.slowDoors));
    }

    private void shrinkOrReplace(Node node) {
        log("shrink or replace %s".formatted(node));
        long cpus = node.allocatable().get(ResourceName.CPU) / 1_000;
        if (stepRandom.nextBoolean()) {
            if (cpus > 4) {
                cluster.shrunk.merge(node.uid(), Resources.of(ResourceName.CPU, 1_000), Resources::plus);
                cluster.server.put(node(node.name(), cpus - 1)
                        .uid(node.uid().value())
                        .created(node.created())
                        .build());
            }
            return;
        }
        cluster.unrecordedDeletions.addAll(cluster.server.remove(node));
        cluster.advance(Duration.ofSeconds(2));
        cluster.server.put(node(node.name(), CPUS)
                .uid("%s-%d".formatted(node.name(), names++))
                .created(cluster.clock.instant())
                .build());
    }

    private void cordonOrUncordon(Node node) {
        log("cordon or uncordon %s".formatted(node));
        NodeBuilder changed = node(node.name(), node.allocatable().get(ResourceName.CPU) / 1_000)
                .uid(node.uid().value())
                .created(node.created());
        cluster.server.put((node.unschedulable() ? changed : changed.unschedulable()).build());
    }

    private static NodeBuilder node(String name, long cpus) {
        return aNode(name).with(cpus + " cpu", "12 pods");
    }

    private void restart() {
        log("kill");
        cluster.kill();
        cluster.slowDoors.clear();
        for (int i = stepRandom.nextInt(3); i > 0; i--) {
            one(terminating()).ifPresent(this::removePod);
            one(notTerminating()).filter(pod -> stepRandom.nextBoolean()).ifPresent(this::removePod);
        }
        if (stepRandom.nextBoolean()) {
            users().stream().filter(pod -> stepRandom.nextBoolean()).forEach(this::removePod);
        }
        cluster.start(returning || stepRandom.nextBoolean());
    }

    /** Nothing happens any more but what follows from what happened. */
    void runToCompletion() {
        cluster.server.denied.clear();
        cluster.slowDoors.clear();
        for (int round = 0; round < 10; round++) {
            terminating().forEach(this::removePod);
            cluster.advance(Duration.ofSeconds(round < 5 ? 20 : 300));
            cluster.runUntilIdle();
        }
    }

    private List<Pod> notTerminating() {
        return cluster.server.pods.values().stream()
                .filter(pod -> !pod.terminating())
                .toList();
    }

    /** Pods that Berth bound by a hold. */
    private List<Pod> users() {
        return cluster.server.pods.values().stream()
                .filter(pod -> Claim.holdRecordedOn(pod).isPresent())
                .toList();
    }

    private List<Pod> terminating() {
        return cluster.server.pods.values().stream().filter(Pod::terminating).toList();
    }

    private List<Pod> running() {
        return cluster.server.pods.values().stream()
                .filter(pod -> pod.nodeName().isPresent() && !pod.phase().isTerminal())
                .toList();
    }

    private <T> Optional<T> one(Collection<T> all) {
        return all.stream()
                .skip(all.isEmpty() ? 0 : stepRandom.nextInt(all.size()))
                .findFirst();
    }
}
