package dev.berth.core.door.godel;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodPhase;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.RandomHistories;
import dev.berth.core.testing.SchedulerScene;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Pods, StatefulSets and a shared hold are created and deleted at random. The API server answers late, denies writes,
 * answers with conflicts or NOT_FOUND, or delays the watch, and the door is killed, in any order. No hold is lost,
 * claimed twice, or held again after it expired, and no hold takes capacity that pods use.
 */
class GodelCrashRecoveryTest {
    private static final List<String> NODES = List.of("n1", "n2", "n3");
    private static final int STEPS = 60;
    private static final String OTHER_SCHEDULER = "another";
    private static final Optional<Instant> LONG_AGO = Optional.of(Instant.EPOCH);
    /** In seconds, after the faults of this number of steps; shorter than a TTL. */
    private static final int MAX_BACK_OFF_SECONDS = 35;

    private final GodelScene scene = new GodelScene();
    /** By hold, its successor. */
    private final Map<String, String> taken = new HashMap<>();
    /** The deletions that a restarted Berth would replay. */
    private final List<Pod> unacknowledgedDeletions = new ArrayList<>();

    /** What the door cannot know, and the consequences. */
    private final UnrecordedHistory unrecordedHistory = new UnrecordedHistory(scene);

    private final ExpectedReservations expectedReservations = new ExpectedReservations(scene, unrecordedHistory);
    private SharedHold sharedHold = new SharedHold(scene, false);

    /** The API server has compacted everything after the last durable version. */
    private boolean historyLost;

    /** Writes of the checkpoint are denied at times. */
    private boolean checkpointDenied;

    /** Pods use a shared hold. */
    private boolean usesSharedHold;

    /** StatefulSets control pods, and are deleted at times. */
    private boolean usesStatefulSets;

    private final RandomStatefulSets randomStatefulSets = new RandomStatefulSets(scene);
    private final ExpiredReservationFaults expiredReservationFaults =
            new ExpiredReservationFaults(scene, this::checkStep);

    /** Reservations are extended after they expired, or created after that. */
    private boolean injectsExpiredReservations;

    /** Writes of Reservations are denied at times. */
    private boolean refusesWrites;

    /** The shared hold is edited, deleted and created again at times. */
    private boolean editsSharedHold;

    /** Finalizers keep some pods that finished. */
    private boolean usesFinalizers;

    /** A different scheduler binds pods without regard to holds. */
    private boolean usesOtherScheduler;

    /** Tenants create Reservations of any size, some like those of Berth. */
    private boolean writesTenantReservations;

    private final TenantReservations tenantReservations = new TenantReservations(scene);

    /** Pods are marked as victims; some of them are evicted. */
    private boolean preemptsPods;

    /** Pods that finished before their deletion or were preempted: they get no Reservation. */
    private final Set<String> notReservedOnDeletion = new HashSet<>();

    private int count;

    @RandomHistories(count = 240)
    void noReservationIsLostOrClaimedTwiceAcrossRandomRestarts(long seed) {
        Random random = new Random(seed);
        checkpointDenied = seed % 4 == 0;
        usesSharedHold = seed % 3 == 0;
        refusesWrites = seed % 2 == 1 || seed % 12 == 0;
        usesStatefulSets = seed % 5 < 2;
        NODES.forEach(node -> scene.upsert(aNode(node).with("6 cpu")));
        editsSharedHold = usesSharedHold && seed % 2 == 0;
        usesFinalizers = seed % 3 != 1;
        usesOtherScheduler = seed % 7 == 3;
        preemptsPods = seed % 5 == 3;
        writesTenantReservations = seed % 10 == 4;
        if (seed % 4 == 1) {
            // These pods ran before all holds, so no hold takes their capacity.
            NODES.stream()
                    .filter(node -> !usesSharedHold || !node.equals(SharedHold.NODE))
                    .forEach(node -> scene.upsert(
                            podOfOtherScheduler("daemon-" + node, node, "3 cpu").with(pod -> pod.startTime(LONG_AGO))));
        }
        injectsExpiredReservations = seed % 4 == 1;
        if (seed % 11 == 4) {
            scene.limitToOneObjectPerTurn();
        }
        sharedHold = new SharedHold(scene, seed % 6 == 3);
        if (usesSharedHold) {
            sharedHold.create();
        }
        scene.sync();
        for (int i = 0; i < STEPS; i++) {
            step(random);
            checkStep();
        }
        scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING).delayAnswers(false);
        for (int i = 0; i < MAX_BACK_OFF_SECONDS; i++) {
            scene.advance(Duration.ofSeconds(1));
            checkStep();
        }
        assertEveryPodIsHeldOrClaimed();
        scene.checkpoint().deny(false);
        scene.advance(GodelScene.DEFAULT_TTL)
                .advance(GodelScene.DEFAULT_TTL)
                .advance(GodelScene.DEFAULT_TTL)
                .advance(GodelScene.DEFAULT_TTL);
        assertThat(scene.reservationNames()).as("all ended").isEmpty();
        assertThat(scene.pendingDurability()).isEmpty();
        assertThat(scene.checkpoint().pods())
                .as("the checkpoint has only pods that exist")
                .isSubsetOf(scene.pods().stream().map(Pod::uid).toList());
    }

    private void step(Random random) {
        if (usesStatefulSets && random.nextInt(8) == 0) {
            randomStatefulSets.change(random);
            return;
        }
        List<Pod> bound =
                scene.pods().stream().filter(pod -> pod.nodeName().isPresent()).toList();
        if (editsSharedHold && random.nextInt(8) == 0 && sharedHold.restoreForOwners()) {
            reallocateCapacity(random);
            return;
        }
        if (editsSharedHold && random.nextInt(5) == 0) {
            sharedHold.change(random);
            if (random.nextBoolean()) {
                // New pods may get the capacity of a hold that ended and whose Reservation still exists.
                createPod(random);
                createPod(random);
                checkStep();
                restart(random);
            }
            return;
        }
        if (injectsExpiredReservations && random.nextInt(8) == 0) {
            if (random.nextBoolean()) {
                expiredReservationFaults.extendTtlAfterExpiry(random);
            } else {
                boolean killed = random.nextBoolean();
                expiredReservationFaults.createAfterExpiry(
                        bound, random, pod -> deleteSomehow(pod, random), () -> restartIf(killed, random));
            }
            return;
        }
        if (writesTenantReservations && random.nextInt(4) == 0) {
            tenantReservations.change(random, NODES);
            return;
        }
        if (usesOtherScheduler && random.nextInt(12) == 0) {
            scene.upsert(podOfOtherScheduler(random));
            return;
        }
        switch (random.nextInt(refusesWrites ? 12 : 10)) {
            case 0, 1, 2, 3 -> createPod(random);
            case 4, 5 ->
                bound.stream()
                        .skip(bound.isEmpty() ? 0 : random.nextInt(bound.size()))
                        .findFirst()
                        .ifPresent(pod -> deleteSomehow(pod, random));
            case 6 -> scene.delayAnswers(true);
            case 7 -> scene.delayAnswers(false);
            case 8 -> scene.advance(Duration.ofMillis(250L * random.nextInt(24)));
            case 10 -> scene.setServerMode(randomMode(random));
            case 11 -> scene.setServerMode(SchedulerScene.ServerMode.ACCEPTING);
            default -> restart(random);
        }
    }

    /**
     * The hold of a deleted pod draws on the shared hold, which reclaims its capacity and ends. New pods get the
     * capacity, and Berth is killed before or after it writes the end.
     */
    private void reallocateCapacity(Random random) {
        PodBuilder owner = pod("owner" + count, random).asking("3 cpu").annotated(GodelAnnotations.RESERVATION, "true");
        sharedHold.makeOwner(owner);
        scene.upsert(owner).advance(Duration.ofMillis(250L * random.nextInt(8)));
        if (refusesWrites) {
            scene.setServerMode(randomMode(random));
        }
        checkStep();
        Pod there = scene.pod(owner.build().name());
        if (there.nodeName().isPresent()) {
            deletePod(there, there);
        }
        checkStep();
        sharedHold.excludeOwnersAndDelete();
        for (int i = 0; i < 2; i++) {
            scene.upsert(pod("other" + count, random).asking("3 cpu"));
            createPod(random);
        }
        checkStep();
        restart(random);
    }

    private void deletePod(Pod pod, Pod last) {
        if (requestsReservation(pod)) {
            expectedReservations.add(pod);
        }
        unacknowledgedDeletions.add(last);
        scene.deletePod(pod.name());
    }

    private void restartIf(boolean killed, Random random) {
        if (killed) {
            restart(random);
        }
    }

    private static SchedulerScene.ServerMode randomMode(Random random) {
        SchedulerScene.ServerMode[] modes = SchedulerScene.ServerMode.values();
        return modes[random.nextInt(modes.length)];
    }

    /** The pods have few names and keys, so that equal names and several holds of one key are frequent. */
    private void createPod(Random random) {
        String name = "p" + random.nextInt(6);
        if (scene.pods().stream().anyMatch(pod -> pod.name().equals(name))) {
            return;
        }
        PodBuilder pod = pod(name, random);
        if (random.nextInt(3) == 0) {
            pod.annotated(GodelAnnotations.TTL, "5");
        }
        if (preemptsPods && random.nextInt(3) == 0) {
            // A preemption failed long ago, and the DisruptionTarget condition is still set.
            Instant mark = scene.clock.instant().minusSeconds(60);
            pod.with(it -> it.preempted(true).preemptedAt(Optional.of(mark)));
        }
        if (usesSharedHold && random.nextInt(3) > 0) {
            sharedHold.makeOwner(pod, random);
        }
        if (usesStatefulSets) {
            randomStatefulSets.assignOwner(pod, random);
        }
        scene.upsert(random.nextInt(4) == 0 ? pod : pod.annotated(GodelAnnotations.RESERVATION, "true"));
    }

    private PodBuilder pod(String name, Random random) {
        return aPod(name)
                .uid("%08d-uid".formatted(count++))
                .asking(1 + random.nextInt(3) + " cpu")
                .annotated(GodelAnnotations.INDEX, "k" + random.nextInt(2));
    }

    private PodBuilder podOfOtherScheduler(Random random) {
        String node = NODES.get(random.nextInt(NODES.size()));
        return podOfOtherScheduler("i" + count, node, 1 + random.nextInt(3) + " cpu");
    }

    private PodBuilder podOfOtherScheduler(String name, String node, String size) {
        return aPod(name)
                .uid("%08d-uid".formatted(count++))
                .asking(size)
                .on(node)
                .with(pod -> pod.schedulerName(OTHER_SCHEDULER));
    }

    private void deleteSomehow(Pod pod, Random random) {
        if (preemptsPods && !pod.phase().isTerminal() && !pod.terminating() && random.nextInt(5) == 0) {
            Optional<Instant> now = Optional.of(scene.clock.instant());
            notReservedOnDeletion.add(pod.uid().value());
            scene.upsert(copyOf(pod)
                    .terminating()
                    .with(it -> it.preempted(true).preemptedAt(now).deletionRequestedAt(now)));
            return;
        }
        if (usesStatefulSets && !pod.phase().isTerminal() && !pod.terminating() && random.nextInt(5) == 0) {
            notReservedOnDeletion.add(pod.uid().value());
            scene.finishPod(pod.name());
            return;
        }
        if (!pod.phase().isTerminal() && random.nextBoolean()) {
            scene.upsert(copyOf(pod).terminating());
            if (random.nextBoolean()) {
                finish(pod, random);
                if (usesFinalizers && random.nextBoolean()) {
                    // A finalizer keeps the object. It is removed later, maybe after the TTL.
                    if (random.nextBoolean()) {
                        checkStep();
                        scene.advance(Duration.ofSeconds(6));
                        checkStep();
                        restart(random);
                    }
                    return;
                }
            }
        }
        deletePod(pod, scene.pod(pod.name()));
    }

    private boolean requestsReservation(Pod pod) {
        return pod.annotations().has(GodelAnnotations.RESERVATION, "true")
                && !notReservedOnDeletion.contains(pod.uid().value());
    }

    /** Before the grace period ends, or when it ends. */
    private void finish(Pod pod, Random random) {
        if (!pod.phase().isTerminal()) {
            if (requestsReservation(pod)) {
                expectedReservations.add(pod);
            }
            Instant deletion = scene.clock.instant().plusSeconds(random.nextBoolean() ? 0 : 30);
            scene.upsert(copyOf(pod)
                    .terminating()
                    .in(PodPhase.FAILED)
                    .with(it -> it.deletionTimestamp(Optional.of(deletion))));
        }
    }

    private static PodBuilder copyOf(Pod pod) {
        return aPod(pod.name())
                .uid(pod.uid().value())
                .asking(pod.spec().requests())
                .with(builder -> builder.labels(pod.labels())
                        .annotations(pod.annotations())
                        .returnKey(pod.returnKey())
                        .controller(pod.controller())
                        .spec(pod.spec())
                        .schedulerName(pod.schedulerName())
                        .preempted(pod.preempted())
                        .preemptedAt(pod.preemptedAt())
                        .deletionRequestedAt(pod.deletionRequestedAt())
                        .nodeName(pod.nodeName()));
    }

    /**
     * Berth is killed, and pods are deleted before the next leader starts. The API server replays all of it, a part or
     * nothing.
     */
    private void restart(Random random) {
        sharedHold.listUsers();
        scene.loseAnswers(random.nextInt(3));
        for (Pod pod : scene.pods()) {
            if (pod.nodeName().isPresent() && random.nextInt(4) == 0) {
                if (requestsReservation(pod)) {
                    expectedReservations.add(pod);
                }
                unacknowledgedDeletions.add(pod);
                scene.deletePodUnseen(pod.name());
            }
        }
        if (usesStatefulSets) {
            randomStatefulSets.changeUnseen(random);
        }
        int told = historyLost
                ? 0
                : random.nextInt(3) > 0
                        ? unacknowledgedDeletions.size()
                        : random.nextInt(unacknowledgedDeletions.size() + 1);
        boolean complete = !historyLost && told == unacknowledgedDeletions.size() && random.nextBoolean();
        if (!complete) {
            historyLost = true;
            unrecordedHistory.onRestart(
                    unacknowledgedDeletions, unacknowledgedDeletions.subList(0, told), expectedReservations, taken);
        }
        Pod[] replayed = unacknowledgedDeletions.subList(0, told).toArray(Pod[]::new);
        Set<PodUid> kept = writesTenantReservations ? tenantReservations.podsWithReservationsOfBerth() : Set.of();
        if (writesTenantReservations && random.nextBoolean()) {
            tenantReservations.writeUnseen(random, NODES);
        }
        List<GodelReservation> byHand = tenantReservations.all();
        if (complete) {
            scene.restart(replayed);
        } else {
            scene.restartWithoutHistory(replayed);
        }
        tenantReservations.assertNoneDeletedBeforeExpiry(byHand);
        tenantReservations.assertPlacesHeld(kept, left -> mayPlacesEnd(unrecordedHistory.nodeOf(left.value())));
        scene.checkpoint().deny(checkpointDenied && random.nextBoolean());
    }

    private void checkStep() {
        if (scene.pendingDurability().isEmpty()) {
            unacknowledgedDeletions.clear();
            historyLost = false;
        }
        unrecordedHistory.observePods();
        if (!checkpointDenied && !scene.delaysAnswers()) {
            unrecordedHistory.observeBatches();
        }
        for (String node : NODES) {
            assertThat(scene.cpuFree(node) + cpuOfOtherScheduler(node))
                    .as("free cpu of %s", node)
                    .isNotNegative();
        }
        expectedReservations.check(this::mayPlacesEnd, node -> cpuOfOtherScheduler(node) > 0);
        randomStatefulSets.assertDeletedHoldNothing();
        taken.forEach((left, taker) -> assertThat(scene.hasHoldOf(new PodUid(left)))
                .as("the hold of %s is held although %s claimed it", left, taker)
                .isFalse());
        for (Pod pod : scene.pods()) {
            Successors.findRecordedHold(pod).ifPresent(place -> {
                String left = place.originalPod().value();
                String other = taken.put(left, pod.uid().value());
                assertThat(other == null || other.equals(pod.uid().value()))
                        .as("the hold of %s is claimed by %s and by %s", left, other, pod.uid())
                        .isTrue();
            });
        }
    }

    private long cpuOfOtherScheduler(String node) {
        return scene.pods().stream()
                .filter(pod -> !pod.startTime().equals(LONG_AGO))
                .filter(pod -> pod.schedulerName().equals(OTHER_SCHEDULER)
                        && pod.nodeName().filter(node::equals).isPresent())
                .mapToLong(pod -> pod.spec().requests().get(ResourceName.CPU))
                .sum();
    }

    /**
     * A hold loses its capacity to a hold that may be held again, to the hold that it draws on, or to a foreign pod.
     */
    private boolean mayPlacesEnd(String node) {
        boolean shared = node.equals(SharedHold.NODE) && (sharedHold.wasEdited() || usesOtherScheduler);
        return shared || unrecordedHistory.mayBeHeldAgain(node);
    }

    private void assertEveryPodIsHeldOrClaimed() {
        Set<String> kept = new HashSet<>();
        scene.reservationNames().stream()
                .filter(name -> !TenantReservations.isTenantReservation(name))
                .map(name -> scene.findReservation(name).orElseThrow())
                .filter(reservation -> !reservation.isMatched())
                .forEach(reservation -> kept.add(reservation.originalPodUid()));
        assertThat(expectedReservations.expectedPods())
                .allMatch(uid ->
                        kept.contains(uid) || taken.containsKey(uid) || randomStatefulSets.isOwnedByDeleted(uid));
    }
}
