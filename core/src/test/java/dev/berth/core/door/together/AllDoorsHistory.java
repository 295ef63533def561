package dev.berth.core.door.together;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Phase;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Workload;
import dev.berth.core.door.comeback.Placeholder;
import dev.berth.core.door.comeback.Words;
import dev.berth.core.door.device.DeviceClaim;
import dev.berth.core.door.reserve.ReserveRequest.Seat;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * What users, tenants, other schedulers and accidents do to a cluster with all doors open, drawn by a seed. Berth is killed
 * at any moment, also while its writes are under way.
 */
final class AllDoorsHistory {
    static final String CLAIMS = DeviceClaim.ANNOTATION;
    private static final List<String> APPS = List.of("a", "b");
    private static final long CPUS = 8;
    private static final int MOST_FILLERS = 6;
    private static final Set<Origin.Door> WRITERS =
            EnumSet.of(Origin.Door.RESERVATION, Origin.Door.RETURN, Origin.Door.PREEMPTION, Origin.Door.RESERVE);

    final Cluster cluster;
    private final Random dice;
    private final ReservationEdits reservations;
    /** Whether pods ask to be returned to; then the API server remembers deletions, since not all of them can be written. */
    private final boolean returning;

    /** Whether tenants write Reservations of the return door by hand; drawn apart, so that other histories stay. */
    private final Optional<Random> tenants;

    /** Whether tenants write such Reservations that draw on other holds; in histories of their own. */
    private final Optional<DrawingTenant> drawing;

    private int names;

    AllDoorsHistory(long seed) {
        this.dice = new Random(seed);
        this.cluster = new Cluster(dice);
        this.reservations = new ReservationEdits(cluster, dice);
        this.returning = seed % 2 == 0;
        this.tenants = seed % 5 == 4 ? Optional.of(new Random(-seed)) : Optional.empty();
        this.drawing = seed % 5 == 3 ? Optional.of(new DrawingTenant(cluster, new Random(-seed))) : Optional.empty();
        for (String node : List.of("n1", "n2")) {
            cluster.server.put(node(node, CPUS).build());
            cluster.server.devices.add("card-of-" + node, node);
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
        cluster.settle();
    }

    /** One thing happens, and then a part of what follows from it. */
    void next() {
        tenants.filter(random -> random.nextInt(4) == 0).ifPresent(this::writeByHand);
        drawing.ifPresent(DrawingTenant::maybeAct);
        act();
        if (dice.nextInt(4) == 0) {
            cluster.settle();
            return;
        }
        for (int turns = dice.nextInt(3); turns >= 0; turns--) {
            cluster.turn();
            for (int writes = dice.nextInt(4); writes > 0; writes--) {
                cluster.deliver();
            }
        }
    }

    private void act() {
        if (!cluster.slow.isEmpty() && dice.nextInt(8) == 0) {
            restart();
            return;
        }
        switch (dice.nextInt(38)) {
            case 0, 1, 2, 3, 4, 5 -> create(pod().build());
            case 6, 7, 8 -> reservations.create("r%d".formatted(names++));
            case 9 -> reservations.delete();
            case 10, 11, 12 -> reservations.edit();
            case 13, 14, 15 -> one(staying()).ifPresent(this::delete);
            case 16 -> one(users()).ifPresent(this::gone);
            case 17, 18, 19 -> one(leaving()).ifPresent(this::gone);
            case 20 -> one(running()).ifPresent(this::finish);
            case 21 -> one(cluster.server.nodes.values()).ifPresent(this::annotate);
            case 22 -> reserve();
            case 23 -> one(reserved()).ifPresent(pod -> bindByForce(pod, cluster.promised.getOrDefault(pod.uid(), "")));
            case 24 -> deny();
            case 25, 26, 27 -> cluster.pass(Duration.ofSeconds(1 + dice.nextInt(20)));
            case 28 -> intrude();
            case 29 -> one(cluster.server.nodes.values()).ifPresent(this::shrinkOrReplace);
            case 30 -> one(reserved()).ifPresent(cluster::unreserve);
            case 31 -> slow();
            case 32, 33, 34, 35 -> rush();
            default -> restart();
        }
    }

    private PodBuilder plainPod() {
        return podOf(one(APPS).orElseThrow())
                .asking(1 + dice.nextInt(4) + " cpu")
                .ofPriority(10 * dice.nextInt(3));
    }

    private PodBuilder podOf(String app) {
        return aPod("p%03d".formatted(names++)).labelled("app", app).ownedBy("ReplicaSet/" + app, "rs-" + app);
    }

    private PodBuilder pod() {
        PodBuilder pod = plainPod();
        if (returning && dice.nextBoolean()) {
            pod.annotated(Words.RESERVATION, "true")
                    .annotated(ReturnKey.INDEX, one(APPS).orElseThrow())
                    .annotated(Words.TTL, "%d".formatted(5 + dice.nextInt(60)));
        }
        if (dice.nextInt(6) == 0) {
            String claim = "c%d".formatted(names);
            cluster.server.put(new Devices.Claimed(claim));
            pod.annotated(CLAIMS, claim);
        }
        return pod;
    }

    /**
     * A hold is over while the writes of its door are under way for long, and pods that own nothing come. If it gives its
     * room away before its object says so, they have the room when Berth is killed.
     */
    private void rush() {
        if (dice.nextBoolean()) {
            reservations.createForOnce("r%d".formatted(names++));
            slow(Origin.Door.RESERVATION);
            APPS.forEach(app -> create(podOf(app).asking("1 cpu").ofPriority(10).build()));
        } else {
            reserve();
            slow(Origin.Door.RESERVE);
            reserved().forEach(dice.nextBoolean() ? cluster::unreserve : this::delete);
        }
        cluster.settle();
        fill();
    }

    /** What was asked for before is written; what comes from now on is under way for long. */
    private void slow(Origin.Door door) {
        cluster.slow.clear();
        cluster.settle();
        cluster.slow.add(door);
        say("slow: %s".formatted(cluster.slow));
    }

    /** Small pods that own nothing take what is free, and some wait for what comes free. */
    private void fill() {
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
                : aPod("%s/f%03d".formatted(Cluster.OTHER_TENANT, number)).ownedBy("ReplicaSet/any", "rs-a");
    }

    private void create(Pod pod) {
        say("create %s %s priority %d %s".formatted(pod, pod.shape().requests(), pod.priority(), pod.annotations()));
        cluster.server.put(pod);
    }

    /** Of any size, on any node, some with all that Berth would write. An earlier one may be edited. */
    private void writeByHand(Random random) {
        String name = "tenant-%d".formatted(random.nextInt(4));
        String node = "n%d".formatted(1 + random.nextInt(2));
        Resources size = Resources.of(ResourceName.CPU, 1_000L * (1 + random.nextInt(12)))
                .plus(Resources.of(ResourceName.PODS, 1));
        Placeholder place = cluster
                .server
                .place(name)
                .orElseGet(() -> Placeholder.builder(
                                "default", name, "%s-%d".formatted(name, names++), cluster.clock.instant())
                        .key("tenants")
                        .node(node)
                        .podUid(random.nextBoolean() ? "pod-of-" + name : "")
                        .ttl(Optional.of(60L))
                        .build())
                .toBuilder()
                .size(size)
                .build();
        say("a tenant writes %s".formatted(place));
        cluster.server.putByHand(place);
    }

    private void say(String words) {
        cluster.log.add(words);
    }

    private void delete(Pod pod) {
        say("delete %s".formatted(pod));
        if (pod.nodeName().isEmpty() || pod.phase().terminal()) {
            cluster.untold.add(pod);
        }
        cluster.server.delete(pod);
    }

    private void gone(Pod pod) {
        say("gone %s".formatted(pod));
        cluster.untold.add(pod);
        cluster.server.remove(pod.uid());
    }

    private void finish(Pod pod) {
        say("finish %s".formatted(pod));
        cluster.server.put(pod.toBuilder().phase(Phase.SUCCEEDED).build());
    }

    /** Its author sees how much is free; what is kept there is for the pods of one controller. */
    private void annotate(Node node) {
        cluster.hear();
        say("annotate %s".formatted(node));
        boolean fits = cluster.node(node.name()).orElseThrow().free().get(ResourceName.CPU) >= 2_000;
        if (cluster.server.isAnnotated(node)) {
            cluster.server.annotate(node, Map.of());
        } else if (fits) {
            Resources kept = Resources.of(ResourceName.CPU, 1_000L * (1 + dice.nextInt(2)));
            cluster.server.annotate(node, Map.of("rs-" + one(APPS).orElseThrow(), kept));
        }
    }

    private void reserve() {
        List<Seat> seats = new ArrayList<>();
        one(reserved())
                .filter(pod -> dice.nextBoolean())
                .ifPresent(pod -> seats.add(
                        new Seat(pod, one(cluster.server.nodes.keySet()).orElseThrow())));
        for (int i = dice.nextInt(2); i >= 0; i--) {
            Pod pod = aPod("batch%03d".formatted(names++))
                    .asking(1 + dice.nextInt(3) + " cpu")
                    .with(it -> it.schedulerName(Cluster.BATCH))
                    .build();
            cluster.server.put(pod);
            seats.add(new Seat(pod, one(cluster.server.nodes.keySet()).orElseThrow()));
        }
        cluster.reserve(seats);
    }

    /** Pods of the batch scheduler whose place is promised and not over. */
    private List<Pod> reserved() {
        return cluster.server.pods.values().stream()
                .filter(pod -> pod.waits() && cluster.promised.containsKey(pod.uid()))
                .filter(pod -> cluster.server.holds.values().stream()
                        .filter(hold -> hold.spec().deadline().isAfter(cluster.clock.instant()))
                        .flatMap(hold -> hold.spec().places().stream())
                        .filter(place -> cluster.server.nodes.values().stream()
                                .anyMatch(node -> node.uid().equals(place.node().uid())))
                        .anyMatch(place -> place.pod().uid().equals(pod.uid())
                                && place.node().name().equals(cluster.promised.get(pod.uid()))))
                .toList();
    }

    private void bindByForce(Pod pod, String node) {
        say("another scheduler binds %s %s to %s".formatted(pod, pod.shape().requests(), node));
        cluster.server.put(pod.on(node));
    }

    private void intrude() {
        String node = one(cluster.server.nodes.keySet()).orElseThrow();
        bindByForce(plainPod().with(it -> it.schedulerName(Cluster.INTRUDER)).build(), node);
    }

    private void deny() {
        if (!cluster.server.denied.isEmpty()) {
            cluster.server.denied.clear();
        } else {
            one(WRITERS).ifPresent(cluster.server.denied::add);
        }
        say("denied: %s".formatted(cluster.server.denied));
    }

    /** The API server is slow with the writes of a door, or answers all of them again. */
    private void slow() {
        if (!cluster.slow.isEmpty()) {
            cluster.slow.clear();
        } else {
            one(WRITERS).ifPresent(cluster.slow::add);
        }
        say("slow: %s".formatted(cluster.slow));
    }

    private void shrinkOrReplace(Node node) {
        say("shrink or replace %s".formatted(node));
        long cpus = node.allocatable().get(ResourceName.CPU) / 1_000;
        if (dice.nextBoolean()) {
            if (cpus > 4) {
                cluster.shrunk.merge(node.uid(), Resources.of(ResourceName.CPU, 1_000), Resources::plus);
                cluster.server.put(node(node.name(), cpus - 1)
                        .uid(node.uid().value())
                        .created(node.created())
                        .build());
            }
            return;
        }
        cluster.untold.addAll(cluster.server.remove(node));
        cluster.pass(Duration.ofSeconds(2));
        cluster.server.put(node(node.name(), CPUS)
                .uid("%s-%d".formatted(node.name(), names++))
                .created(cluster.clock.instant())
                .build());
    }

    private static NodeBuilder node(String name, long cpus) {
        return aNode(name).with(cpus + " cpu", "12 pods");
    }

    private void restart() {
        say("kill");
        cluster.kill();
        cluster.slow.clear();
        for (int i = dice.nextInt(3); i > 0; i--) {
            one(leaving()).ifPresent(this::gone);
            one(staying()).filter(pod -> dice.nextBoolean()).ifPresent(this::gone);
        }
        if (dice.nextBoolean()) {
            users().stream().filter(pod -> dice.nextBoolean()).forEach(this::gone);
        }
        cluster.start(returning || dice.nextBoolean());
    }

    /** Nothing happens any more but what follows from what happened. */
    void calm() {
        cluster.server.denied.clear();
        cluster.slow.clear();
        for (int round = 0; round < 10; round++) {
            leaving().forEach(this::gone);
            cluster.pass(Duration.ofSeconds(round < 5 ? 20 : 300));
            cluster.settle();
        }
    }

    private List<Pod> staying() {
        return cluster.server.pods.values().stream()
                .filter(pod -> !pod.terminating())
                .toList();
    }

    /** Pods that Berth bound by a hold. */
    private List<Pod> users() {
        return cluster.server.pods.values().stream()
                .filter(pod -> Claim.recordedOn(pod).isPresent())
                .toList();
    }

    private List<Pod> leaving() {
        return cluster.server.pods.values().stream().filter(Pod::terminating).toList();
    }

    private List<Pod> running() {
        return cluster.server.pods.values().stream()
                .filter(pod -> pod.nodeName().isPresent() && !pod.phase().terminal())
                .toList();
    }

    private <T> Optional<T> one(Collection<T> all) {
        return all.stream().skip(all.isEmpty() ? 0 : dice.nextInt(all.size())).findFirst();
    }
}
