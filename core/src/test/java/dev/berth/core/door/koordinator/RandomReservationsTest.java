package dev.berth.core.door.koordinator;

import static dev.berth.core.door.koordinator.ReservationBuilder.aReservation;
import static dev.berth.core.testing.Amounts.amounts;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Taint;
import dev.berth.core.cluster.Toleration;
import dev.berth.core.door.RecordAnnotations;
import dev.berth.core.door.koordinator.preallocation.PreAllocation;
import dev.berth.core.door.koordinator.settings.PreAllocationSettings;
import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.NodeBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.RandomHistories;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

/**
 * Whatever people do, in whatever order, and however often Berth is killed or the API server does not answer, denies,
 * contradicts or does not show: no node is promised twice, and once everything is quiet each reservation says of itself
 * what the pods say, with a restart or without.
 */
class RandomReservationsTest {
    private static final String FOREIGN = "another-scheduler";
    private static final String CANDIDATE = "pod.koordinator.sh/is-pre-allocatable";
    private static final int STEPS = 120;
    /** Longer than any back-off. */
    private static final Duration LONGER_THAN_ANY_TIMEOUT = Duration.ofMinutes(6);
    /** Long enough for a refused pod or reservation to be tried again after something helped it. */
    private static final Duration A_BACK_OFF = Duration.ofSeconds(15);

    private static final List<Toleration> TOLERATES_CORDONS =
            List.of(new Toleration(Taint.UNSCHEDULABLE.key(), Toleration.Operator.EXISTS, "", Optional.empty()));

    private final KoordinatorScene cluster = new KoordinatorScene();
    private final RandomResizes resizes = new RandomResizes(cluster);
    private final RandomSpecEdits edits = new RandomSpecEdits(cluster, resizes);
    private final ShownUse use = new ShownUse(cluster);
    private final Map<String, ReservationStatus> placedByAnother = new HashMap<>();
    private final Set<String> tainted = new HashSet<>();
    private final Set<String> cordoned = new HashSet<>();
    private final Set<String> notReady = new HashSet<>();
    /** Independent of the other decisions. */
    private SplittableRandom preAllocations = new SplittableRandom();

    private int names;

    @RandomHistories(count = 10)
    void reservationStatusesAreCorrectAfterRandomSteps(long seed) {
        run(seed);
    }

    @Tag("long")
    @RandomHistories(count = 834, fresh = true)
    void reservationStatusesAreCorrectAfterAHundredThousandSteps(long seed) {
        run(seed);
    }

    private void run(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        SplittableRandom taints = random.split();
        preAllocations = new SplittableRandom(seed);
        cluster.withSettings(ReservationSettings.DEFAULT.withPreAllocation(
                new PreAllocationSettings(true, CANDIDATE, "pod.koordinator.sh/pre-allocatable-priority", false)));
        cluster.upsert(node()).upsert(node());
        for (int step = 0; step < STEPS; step++) {
            act(random, seed, step);
            if (preAllocations.nextInt(8) == 0) {
                runOwnerWithoutReservation();
            }
            if (taints.nextInt(12) == 0) {
                one(cluster.nodeNames(), taints).forEach(node -> toggle(tainted, node));
            }
            if (taints.nextInt(10) == 0) {
                one(cluster.nodeNames(), taints).forEach(node -> toggle(cordoned, node));
            }
            if (taints.nextInt(15) == 0) {
                one(cluster.nodeNames(), taints).forEach(node -> toggle(notReady, node));
            }
            checkNothingIsPromisedTwice(seed, step);
            checkNoNodeIsOverpromised(seed, step);
            checkEveryPromiseIsHeld(seed, step);
            assertThat(cluster.bindsToOtherPlaces())
                    .as("seed %d, step %d", seed, step)
                    .isEmpty();
            checkOtherSchedulersStatusesAreUnchanged(seed, step);
            edits.check("seed %d, step %d".formatted(seed, step));
            if (step % 10 == 9) {
                cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING);
                if (random.nextBoolean()) {
                    restart();
                }
                cluster.advance(LONGER_THAN_ANY_TIMEOUT)
                        .advance(LONGER_THAN_ANY_TIMEOUT)
                        .advance(A_BACK_OFF)
                        .advance(A_BACK_OFF)
                        .repeatWhileBackingOff(() -> cluster.advance(A_BACK_OFF));
                checkStatuses(seed, step);
                checkNothingIsLeftToWrite(seed, step);
            }
        }
    }

    private void act(SplittableRandom random, long seed, int step) {
        switch (random.nextInt(29)) {
            case 0, 1, 2 -> cluster.createReservation(reservation(random));
            case 3, 4 -> cluster.upsert(pod(random).labelled("app", "web"));
            case 5 -> cluster.upsert(pod(random));
            case 6 -> one(cluster.pods(), random).forEach(pod -> cluster.deletePod(pod.name()));
            case 7 -> one(cluster.reservations(), random).forEach(it -> cluster.deleteReservation(it.name()));
            case 8 -> cluster.advance(Duration.ofSeconds(random.nextInt(200)));
            case 9 -> restart();
            case 10 -> changeServerMode(random);
            case 11 -> cluster.createReservation(reservation(random).scheduledBy(FOREIGN));
            case 12 -> {
                // Otherwise the pods that wait leave no room for another scheduler.
                waitingPods().forEach(pod -> cluster.deletePod(pod.name()));
                cluster.nodeNames().forEach(node -> placeByOtherScheduler(node, random));
                // Enough pods to fill what a lost hold would leave free.
                crowd(random);
                crowd(random);
            }
            case 13 -> serveOtherSchedulerNames(random);
            case 14, 15 -> edits.makeMalformed(random);
            case 16 -> edits.correctMalformed(random);
            case 17, 18 -> edits.changeAllocateOnce(random);
            case 19 -> edits.changeDeadline(random);
            case 20, 21 -> crowdWhileDenied(random);
            case 22 -> {
                List<String> names = edits.changeDeadlineOfOtherScheduler(random, FOREIGN, () -> crowd(random));
                checkNothingIsPromisedTwice(seed, step);
                // A process that starts later reads the new end, and nothing tells it that the room was given away.
                names.forEach(cluster::deleteReservation);
            }
            case 23, 24, 25 -> edits.changeTemplate(random);
            case 26, 27 -> resizes.patch(random);
            default -> {
                one(cluster.nodeNames(), random).forEach(this::deleteNode);
                cluster.upsert(node());
            }
        }
    }

    /** Another scheduler binds an owner where there is room. It is a candidate for reservations that take over pods. */
    private void runOwnerWithoutReservation() {
        Resources size = amounts(cpus(preAllocations));
        for (String node : one(cluster.nodeNames(), preAllocations)) {
            NodeState state = cluster.ledger().node(node).orElseThrow();
            if (state.overcommitments().isEmpty() && hasRoom(state, size)) {
                cluster.upsertPodOfOtherScheduler(aPod(name("p"))
                        .asking(size)
                        .labelled("app", "web")
                        .labelled(CANDIDATE, "true")
                        .on(node));
            }
        }
    }

    /** While no status is written, an owner comes that needs little, and other pods fill the nodes. */
    private void crowdWhileDenied(SplittableRandom random) {
        cluster.setServerMode(SchedulerScene.ServerMode.DENYING)
                .acceptBindsOnly()
                .upsert(aPod(name("p")).asking("1 cpu").labelled("app", "web"));
        crowd(random);
    }

    private void crowd(SplittableRandom random) {
        for (int i = 0; i < 4; i++) {
            cluster.upsert(pod(random));
        }
    }

    private void changeServerMode(SplittableRandom random) {
        one(List.of(SchedulerScene.ServerMode.values()), random).forEach(cluster::setServerMode);
        if (random.nextBoolean()) {
            cluster.acceptBindsOnly();
        }
    }

    private void restart() {
        edits.beforeRestart(LONGER_THAN_ANY_TIMEOUT);
        resizes.beforeRestart();
        cluster.restart();
        edits.afterRestart();
    }

    /** Another scheduler finds a place for its reservation where it sees room, as Berth does. */
    private void placeByOtherScheduler(String node, SplittableRandom random) {
        Resources size = amounts(cpus(random));
        NodeState state = cluster.ledger().node(node).orElseThrow();
        if (!cluster.serves(FOREIGN) && state.overcommitments().isEmpty() && hasRoom(state, size)) {
            ReservationStatus placed = ReservationStatus.ABSENT.toAvailable(node, size, cluster.clock.instant());
            ReservationBuilder made = reservation(random).scheduledBy(FOREIGN).withStatus(placed);
            placedByAnother.put("r%03d".formatted(names), placed);
            cluster.createReservation(made);
        }
    }

    private List<Pod> waitingPods() {
        return cluster.pods().stream().filter(pod -> pod.nodeName().isEmpty()).toList();
    }

    private static boolean hasRoom(NodeState state, Resources size) {
        return state.free().get(ResourceName.CPU) >= size.get(ResourceName.CPU)
                && state.free().get(ResourceName.PODS) >= 1;
    }

    /** A Berth that serves the other name comes or goes, and with it every process starts again. */
    private void serveOtherSchedulerNames(SplittableRandom random) {
        cluster.setServerMode(SchedulerScene.ServerMode.ACCEPTING);
        edits.beforeRestart(LONGER_THAN_ANY_TIMEOUT);
        resizes.beforeRestart();
        if (random.nextBoolean()) {
            placedByAnother.clear();
            cluster.restartServing(KoordinatorScene.SCHEDULER, FOREIGN);
        } else {
            cluster.restartServing(KoordinatorScene.SCHEDULER);
        }
        edits.afterRestart();
    }

    /**
     * By what the API server shows, whatever the ledger makes of it: what a status promises is kept until the status says
     * that the reservation is over. The reservations of another scheduler end by their time.
     */
    private void checkNoNodeIsOverpromised(long seed, int step) {
        for (String node : cluster.nodeNames()) {
            Resources promised = ShownUse.requests(cluster.pods().stream()
                    .filter(pod -> pod.nodeName().filter(node::equals).isPresent())
                    .toList());
            for (Reservation reservation : cluster.reservations()) {
                ReservationStatus status = reservation.status();
                boolean promises = cluster.serves(reservation.schedulerName()) || !edits.isOver(reservation);
                if (status.isAvailable() && status.nodeName().equals(node) && promises) {
                    promised = promised.plus(use.left(reservation, use.usersAndTakenOver(reservation)));
                }
            }
            assertThat(promised.get(ResourceName.CPU))
                    .as("seed %d, step %d, node %s", seed, step, node)
                    .isLessThanOrEqualTo(8_000);
        }
    }

    private void checkOtherSchedulersStatusesAreUnchanged(long seed, int step) {
        for (Reservation reservation : cluster.reservations()) {
            ReservationStatus placed = placedByAnother.getOrDefault(reservation.name(), reservation.status());
            assertThat(reservation.status())
                    .as("seed %d, step %d, %s", seed, step, reservation)
                    .isEqualTo(placed);
        }
    }

    /** Nothing in this test tolerates the taint, and some owners tolerate the cordon. */
    private void toggle(Set<String> nodes, String node) {
        if (!nodes.add(node)) {
            nodes.remove(node);
        }
        NodeBuilder changed = sized(node);
        if (tainted.contains(node)) {
            changed.tainted("maintenance", "", Taint.TaintEffect.NO_SCHEDULE);
        }
        if (cordoned.contains(node)) {
            changed.unschedulable();
        }
        if (notReady.contains(node)) {
            changed.notReadySince(cluster.clock.instant());
        }
        cluster.upsert(changed);
    }

    /** By what the API server shows: where the status names a node that exists, the ledger holds what it promises. */
    private void checkEveryPromiseIsHeld(long seed, int step) {
        for (Reservation reservation : cluster.reservations()) {
            ReservationStatus status = reservation.status();
            if (status.isAvailable()
                    && cluster.serves(reservation.schedulerName())
                    && cluster.nodeNames().contains(status.nodeName())) {
                assertThat(Stream.of(reservation.holdId(), Reservation.moveHoldId(reservation.uid()))
                                .flatMap(id -> cluster.ledger().holdState(id).stream())
                                .filter(hold -> hold.nodeName().equals(Optional.of(status.nodeName())))
                                .map(hold -> hold.hold().size().get(ResourceName.CPU)))
                        .as("seed %d, step %d, %s on %s", seed, step, reservation, status.nodeName())
                        .singleElement()
                        // While a resize is written, the larger one of both sizes is held.
                        .satisfies(cpu -> assertThat(cpu)
                                .isGreaterThanOrEqualTo(status.allocatable().get(ResourceName.CPU)));
            }
        }
    }

    /** Once everything is quiet, an unused reservation is on a node that goes only if it fits no other node. */
    private void checkMoved(String where, Reservation reservation) {
        String node = reservation.status().nodeName();
        boolean mustLeave = !cluster.nodeNames().contains(node) || cordoned.contains(node) || notReady.contains(node);
        if (mustLeave
                && reservation.spec().isPresent()
                && use.usersAndTakenOver(reservation).isEmpty()
                && reservation.spec().get().template().nodeName().isEmpty()) {
            assertThat(cluster.nodeNames().stream()
                            .filter(other -> !other.equals(node))
                            .filter(other ->
                                    !tainted.contains(other) && !cordoned.contains(other) && !notReady.contains(other))
                            .filter(other -> reservation
                                    .spec()
                                    .get()
                                    .template()
                                    .spec()
                                    .nodeAffinity()
                                    .matches(cluster.node(other)))
                            .filter(other -> hasRoom(
                                    cluster.ledger().node(other).orElseThrow(),
                                    reservation.status().allocatable())))
                    .as(where)
                    .isEmpty();
        }
    }

    /** With the node go its pods. */
    private void deleteNode(String node) {
        cluster.deleteNode(node);
        cluster.pods().stream()
                .filter(pod -> pod.nodeName().filter(node::equals).isPresent())
                .forEach(pod -> cluster.deletePod(pod.name()));
    }

    private ReservationBuilder reservation(SplittableRandom random) {
        ReservationBuilder made =
                aReservation(name("r")).requesting(cpus(random)).unschedulable(random.nextInt(8) == 0);
        if (random.nextBoolean()) {
            made.shared();
        }
        switch (random.nextInt(6)) {
            case 0 -> made.restricted();
            case 1 ->
                made.requesting((1 + random.nextInt(2)) + " pods", cpus(random)).restrictedTo("memory");
            case 2 -> made.requesting("4Gi memory", cpus(random)).restrictedTo("cpu");
            default -> {}
        }
        if (random.nextInt(6) == 0) {
            made.keepingFromOwners("1 cpu");
        }
        if (preAllocations.nextInt(3) == 0) {
            made.restricted()
                    .preAllocating(
                            preAllocations.nextBoolean() ? PreAllocation.Mode.DEFAULT : PreAllocation.Mode.CLUSTER,
                            preAllocations.nextBoolean());
            if (preAllocations.nextInt(3) == 0) {
                made.requiringPreAllocation();
            }
        }
        if (random.nextInt(3) == 0) {
            made.until(cluster.clock.instant().plusSeconds(1 + random.nextInt(900)));
        }
        return made;
    }

    private PodBuilder pod(SplittableRandom random) {
        PodBuilder made = aPod(name("p")).asking(cpus(random));
        return random.nextInt(3) == 0 ? made.withSpec(spec -> spec.tolerations(TOLERATES_CORDONS)) : made;
    }

    private NodeBuilder node() {
        return sized(name("n"));
    }

    private static NodeBuilder sized(String name) {
        return aNode(name).with("8 cpu", "16Gi memory", "6 pods");
    }

    private String name(String kind) {
        names++;
        return "%s%03d".formatted(kind, names);
    }

    private static String cpus(SplittableRandom random) {
        return (1 + random.nextInt(5)) + " cpu";
    }

    private static <T> List<T> one(List<T> all, SplittableRandom random) {
        return all.isEmpty() ? List.of() : List.of(all.get(random.nextInt(all.size())));
    }

    private void checkNothingIsPromisedTwice(long seed, int step) {
        for (String name : cluster.nodeNames()) {
            NodeState state = cluster.ledger().node(name).orElseThrow();
            assertThat(state.overcommitments())
                    .as("seed %d, step %d, node %s", seed, step, name)
                    .isEmpty();
        }
    }

    private void checkStatuses(long seed, int step) {
        for (Reservation reservation : cluster.reservations()) {
            String where = "seed %d, step %d, %s".formatted(seed, step, reservation);
            if (!cluster.serves(reservation.schedulerName())) {
                checkNotServedReport(where, reservation);
                continue;
            }
            ReservationStatus status = reservation.status();
            List<Pod> users = use.users(reservation);
            boolean over = edits.isOver(reservation);
            switch (status.phase()) {
                case PENDING -> {
                    assertThat(over).as(where).isFalse();
                    assertThat(users).as(where).isEmpty();
                    assertThat(cluster.conditions(reservation.name())).as(where).contains("Scheduled=false");
                    assertThat(cluster.ledger().hold(reservation.holdId()))
                            .as(where)
                            .isEmpty();
                }
                case AVAILABLE -> {
                    assertThat(over).as(where).isFalse();
                    checkMoved(where, reservation);
                    if (!cluster.nodeNames().contains(status.nodeName())) {
                        assertThat(cluster.conditions(reservation.name()))
                                .as(where)
                                .contains("Ready=false/NodeDeleted");
                        continue;
                    }
                    assertThat(users.isEmpty()
                                    || edits.effectiveSpec(reservation)
                                            .filter(ReservationSpec::allocateOnce)
                                            .isEmpty())
                            .as(where)
                            .isTrue();
                    assertThat(cluster.conditions(reservation.name()).contains("Ready=false/InvalidReservation"))
                            .as(where)
                            .isEqualTo(reservation.spec().isEmpty());
                    edits.checkProblems(where, reservation);
                    resizes.check(where, reservation, users);
                    assertThat(cluster.conditions(reservation.name()).contains("NodeUsable=false/"))
                            .as(where)
                            .isEqualTo(Stream.of(tainted, cordoned, notReady)
                                    .anyMatch(nodes -> nodes.contains(status.nodeName())));
                    List<Pod> listed = use.usersAndTakenOver(reservation);
                    assertThat(status.currentOwners())
                            .as(where)
                            .isEqualTo(listed.stream().map(CurrentOwner::of).toList());
                    assertThat(status.allocated())
                            .as(where)
                            .isEqualTo(ShownUse.requests(listed).inDimensionsOf(status.allocatable()));
                    assertThat(PreAllocatedCondition.podsIn(status))
                            .as(where)
                            .allSatisfy(uid -> assertThat(cluster.annotation(
                                            uid.value(), RecordAnnotations.KOORDINATOR_RESERVATION_ALLOCATED))
                                    .contains(reservation.uid()));
                }
                case SUCCEEDED -> {
                    if (!edits.wasOnceAndShared(reservation)) {
                        assertThat(edits.effectiveSpec(reservation).stream())
                                .as(where)
                                .allMatch(ReservationSpec::allocateOnce);
                        assertThat(users).as(where).hasSizeLessThanOrEqualTo(1);
                    }
                }
                case FAILED ->
                    assertThat(over
                                    || edits.effectiveSpec(reservation).isEmpty()
                                    || !cluster.nodeNames().contains(status.nodeName()))
                            .as(where)
                            .isTrue();
            }
        }
    }

    /** In its status, or in an event where the status lists pods that Berth did not bind. */
    private void checkNotServedReport(String where, Reservation reservation) {
        ReservationStatus status = reservation.status();
        if (!status.isAvailable() || !status.hasBerthMarker()) {
            return;
        }
        boolean own = status.isNotReadySchedulerNotServed();
        assertThat(own || cluster.eventTargetsOf("SchedulerNotServed").contains(reservation.toString()))
                .as(where)
                .isTrue();
        assertThat(own && edits.isOver(reservation))
                .as("%s: it looks kept after its end", where)
                .isFalse();
    }

    /** But for the blockers that a refusal names: they depend on which reservation was decided on first. */
    private void checkNothingIsLeftToWrite(long seed, int step) {
        int writes = cluster.writes;
        List<String> before = said();
        cluster.restart();
        edits.afterRestart();
        assertThat(said())
                .as("seed %d, step %d: a restart finds everything said", seed, step)
                .isEqualTo(before);
        if (edits.isEmpty() && cluster.reservations().stream().noneMatch(this::waitsForAPlace)) {
            assertThat(cluster.writes).as("seed %d, step %d", seed, step).isEqualTo(writes);
        }
    }

    /** Whether a malformed Reservation is unschedulable knows only a process that read its valid specification. */
    private List<String> conditions(Reservation reservation) {
        return Stream.of(cluster.conditions(reservation.name()).split(" "))
                .filter(it -> reservation.spec().isPresent() || !it.startsWith("Schedulable="))
                .sorted()
                .toList();
    }

    private boolean waitsForAPlace(Reservation reservation) {
        String conditions = cluster.conditions(reservation.name());
        return reservation.pending() || conditions.contains("NodeUsable=") || conditions.contains("NodeDeleted");
    }

    private List<String> said() {
        return cluster.reservations().stream()
                .map(it -> "%s: %s on %s, %s used by %s, %s"
                        .formatted(
                                it,
                                it.status().phase(),
                                it.status().nodeName(),
                                it.status().allocated(),
                                it.status().currentOwners(),
                                conditions(it)))
                .toList();
    }
}
