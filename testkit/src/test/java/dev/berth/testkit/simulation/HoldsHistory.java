package dev.berth.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.OperationCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * One random history of a cluster with holds, as {@link RandomOperations} draws them. While it lasts, holds never over-commit a node.
 * Once churn stops and every deadline has passed, no hold is left without an object, and no pod waits that some node would
 * take with the holds that the pod may use.
 */
final class HoldsHistory {
    private static final int OPERATIONS = 40;
    private static final FaultRates FAULT_RATES = new FaultRates(5, 5, 5, 5, 0, 10, 5);
    /** Longer than any ttl that is drawn and any back-off. */
    private static final Duration LONGER_THAN_ANY_TTL = Duration.ofMinutes(20);

    private HoldsHistory() {}

    /** One history, as the search for planted defects plays it. */
    static void live(long seed) {
        live(seed, new OperationCounts<>(RandomOperations.Operation.class));
    }

    /** @param counts where the operations that had an effect are counted */
    static void live(long seed, OperationCounts<RandomOperations.Operation> counts) {
        Random dice = new Random(seed);
        try (Simulation cluster =
                new Simulation(seed, RandomOperations.NODES, FAULT_RATES, RandomOperations.skew(dice))) {
            RandomOperations randomOperations = new RandomOperations(cluster, dice, counts);
            DeviceUsageChecks devices = new DeviceUsageChecks(cluster);
            ReservationExpiryChecks reservationExpiryChecks = new ReservationExpiryChecks(cluster, seed);
            for (int i = 0; i < OPERATIONS; i++) {
                randomOperations.next();
                assertNothingIsPromisedTwice(cluster, randomOperations, devices, seed);
                reservationExpiryChecks.assertNoneExpiredEarly();
                for (int steps = dice.nextInt(8); steps > 0; steps--) {
                    cluster.step();
                    assertNothingIsPromisedTwice(cluster, randomOperations, devices, seed);
                    reservationExpiryChecks.assertNoneExpiredEarly();
                }
                if (dice.nextInt(3) == 0) {
                    cluster.advance(Duration.ofMillis(dice.nextInt(40_000)));
                }
            }
            cluster.registerNodes(RandomOperations.NODES);
            cluster.stopFaults();
            randomOperations.restoreCluster();
            cluster.advance(LONGER_THAN_ANY_TTL);
            FaultInjectionTest.assertNothingLostOrBoundTwice(cluster, seed);
            assertNoHoldOutlivesItsDeadline(cluster.snapshot(), seed);
            assertNoSchedulablePodWaits(cluster.snapshot(), devices, seed);
            devices.assertNoDeviceIsShared(seed);
            devices.assertObjectsNameTheirPods(seed);
            assertNoDeletedPodIsCheckpointed(cluster, seed);
            reservationExpiryChecks.assertNewReservationExpiresOnTime();
        }
    }

    private static void assertNothingIsPromisedTwice(
            Simulation cluster, RandomOperations randomOperations, DeviceUsageChecks devices, long seed) {
        assertNoRoomIsPromisedTwice(cluster.snapshot(), randomOperations.unproven(), seed);
        devices.assertNoDeviceIsShared(seed);
    }

    private static void assertNoRoomIsPromisedTwice(Snapshot snapshot, UnprovenClaims unproven, long seed) {
        assertThat(Invariants.checkPromises(snapshot, node -> excusedOvercommitment(snapshot, unproven, node)))
                .as("seed %d", seed)
                .isEmpty();
    }

    /**
     * An annotation of a node may reserve more than the node has, which is reported. Some pods were not placed by
     * Berth: those of another scheduler, and those that outlived a larger node of that name. Some claims were never
     * proven.
     */
    private static Resources excusedOvercommitment(Snapshot snapshot, UnprovenClaims unproven, NodeState node) {
        Resources sum = Resources.NONE;
        for (Pod pod : node.pods()) {
            if (unproven.contains(pod)
                    || pod.schedulerName().equals(RandomOperations.OTHER_SCHEDULER)
                    || pod.created().isBefore(node.node().created())) {
                sum = sum.plus(pod.spec().requests()).plus(Resources.of(ResourceName.PODS, 1));
            }
        }
        for (HoldId id : node.holds()) {
            if (id.value().startsWith("node-annotation/")) {
                sum = sum.plus(snapshot.holdState(id).orElseThrow().outstanding());
            }
        }
        return sum;
    }

    /** Every ttl has passed: what is left is kept by an annotation or by a pod that still waits. */
    private static void assertNoHoldOutlivesItsDeadline(Snapshot snapshot, long seed) {
        Set<String> waiting = Set.copyOf(snapshot.facts().pods().stream()
                .filter(pod -> pod.nodeName().isEmpty())
                .map(pod -> "preemption/" + pod.uid())
                .toList());
        assertThat(snapshot.facts().holds())
                .as("seed %d: holds that nothing ends", seed)
                .map(hold -> hold.id().value())
                .allMatch(id -> id.startsWith("node-annotation/") || waiting.contains(id));
    }

    private static void assertNoDeletedPodIsCheckpointed(Simulation cluster, long seed) {
        assertThat(RandomRestarts.checkpointed(cluster))
                .as("seed %d: pods in the checkpoint", seed)
                .isSubsetOf(SimulationTest.pods(cluster).stream()
                        .map(WatchedKind::uid)
                        .toList());
    }

    private static void assertNoSchedulablePodWaits(Snapshot snapshot, DeviceUsageChecks devices, long seed) {
        List<NodeState> nodes = new ArrayList<>();
        snapshot.forEachNode(nodes::add);
        List<String> forgotten = new ArrayList<>();
        for (Pod pod : snapshot.facts().pods()) {
            if (pod.awaitsBinding()
                    && nodes.stream()
                            .anyMatch(node -> canTake(snapshot, node, pod)
                                    && devices.canServe(node.node().name(), pod))) {
                forgotten.add(pod.name());
            }
        }
        assertThat(forgotten)
                .as("seed %d: pods that wait although a node would take them", seed)
                .isEmpty();
    }

    private static boolean canTake(Snapshot snapshot, NodeState node, Pod pod) {
        if (node.node().unschedulable()
                || !node.node().labels().containsAll(pod.spec().nodeAffinity().selector())) {
            return false;
        }
        if (fits(pod, node.free())) {
            return true;
        }
        return snapshot.holdsFor(pod).stream()
                .filter(hold -> hold.node().equals(node.node().uid()))
                .map(Hold::id)
                .flatMap(id -> snapshot.holdState(id).stream())
                .filter(HoldState::claimable)
                .anyMatch(state -> fits(pod, snapshot.availableWith(state.hold(), pod)));
    }

    private static boolean fits(Pod pod, Resources room) {
        Resources requests = pod.spec().requests();
        return room.get(ResourceName.CPU) >= requests.get(ResourceName.CPU) && room.get(ResourceName.PODS) >= 1;
    }
}
