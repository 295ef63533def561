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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * One random history of a cluster with holds, as {@link Deeds} draws them. While it lasts, holds never over-commit a node.
 * Once churn stops and every deadline has passed, no hold is left without an object, and no pod waits that some node would
 * take with the holds that the pod may use.
 */
final class HoldsHistory {
    private static final int DEEDS = 40;
    private static final Faults ROUGH = new Faults(5, 5, 5, 5, 0, 10, 5);
    /** Longer than any ttl that is drawn and any back-off. */
    private static final Duration UNTIL_EVERYTHING_ENDED = Duration.ofMinutes(20);

    private HoldsHistory() {}

    /** Fails with the seed in its message. */
    static void live(long seed) {
        Random dice = new Random(seed);
        try (Simulation cluster = new Simulation(seed, Deeds.NODES, ROUGH, Deeds.skew(dice))) {
            Deeds deeds = new Deeds(cluster, dice);
            DeviceUsers devices = new DeviceUsers(cluster);
            Deadlines deadlines = new Deadlines(cluster, seed);
            for (int i = 0; i < DEEDS; i++) {
                deeds.next();
                nothingIsPromisedTwice(cluster, deeds, devices, seed);
                deadlines.noneIsEarly();
                for (int steps = dice.nextInt(8); steps > 0; steps--) {
                    cluster.step();
                    nothingIsPromisedTwice(cluster, deeds, devices, seed);
                    deadlines.noneIsEarly();
                }
                if (dice.nextInt(3) == 0) {
                    cluster.advance(Duration.ofMillis(dice.nextInt(40_000)));
                }
            }
            cluster.register(Deeds.NODES);
            cluster.calm();
            deeds.mend();
            cluster.advance(UNTIL_EVERYTHING_ENDED);
            FaultsTest.nothingIsLostOrDoubled(cluster, seed);
            noHoldOutlivesItsEnd(cluster.snapshot(), seed);
            noPodWaitsThatANodeWouldTake(cluster.snapshot(), devices, seed);
            devices.noneHasTheDeviceOfAnother(seed);
            devices.objectsNameTheirPods(seed);
            noPodThatIsGoneIsCheckpointed(cluster, seed);
            deadlines.theLastIsKept();
        }
    }

    private static void nothingIsPromisedTwice(Simulation cluster, Deeds deeds, DeviceUsers devices, long seed) {
        noRoomIsPromisedTwice(cluster.snapshot(), deeds.unproven(), seed);
        devices.noneHasTheDeviceOfAnother(seed);
    }

    private static void noRoomIsPromisedTwice(Snapshot snapshot, UnprovenClaims unproven, long seed) {
        assertThat(Invariants.promises(snapshot, node -> excused(snapshot, unproven, node)))
                .as("seed %d", seed)
                .isEmpty();
    }

    /**
     * An annotation of a node may ask for more than the node has; its author is told. Some pods were not placed by Berth:
     * those of another scheduler, and those that outlived a larger node of that name. Some claims were never proven.
     */
    private static Resources excused(Snapshot snapshot, UnprovenClaims unproven, NodeState node) {
        Resources sum = Resources.NONE;
        for (Pod pod : node.pods()) {
            if (unproven.has(pod)
                    || pod.schedulerName().equals(Deeds.INTRUDING_SCHEDULER)
                    || pod.created().isBefore(node.node().created())) {
                sum = sum.plus(pod.shape().requests()).plus(Resources.of(ResourceName.PODS, 1));
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
    private static void noHoldOutlivesItsEnd(Snapshot snapshot, long seed) {
        Set<String> waiting = Set.copyOf(snapshot.facts().pods().stream()
                .filter(pod -> pod.nodeName().isEmpty())
                .map(pod -> "preemption/" + pod.uid())
                .toList());
        assertThat(snapshot.facts().holds())
                .as("seed %d: holds that nothing ends", seed)
                .map(hold -> hold.id().value())
                .allMatch(id -> id.startsWith("node-annotation/") || waiting.contains(id));
    }

    private static void noPodThatIsGoneIsCheckpointed(Simulation cluster, long seed) {
        assertThat(Restarts.checkpointed(cluster))
                .as("seed %d: pods in the checkpoint", seed)
                .isSubsetOf(SimulationTest.pods(cluster).stream().map(Kind::uid).toList());
    }

    private static void noPodWaitsThatANodeWouldTake(Snapshot snapshot, DeviceUsers devices, long seed) {
        List<NodeState> nodes = new ArrayList<>();
        snapshot.forEachNode(nodes::add);
        List<String> forgotten = new ArrayList<>();
        for (Pod pod : snapshot.facts().pods()) {
            if (pod.waits()
                    && nodes.stream()
                            .anyMatch(node -> takes(snapshot, node, pod)
                                    && devices.has(node.node().name(), pod))) {
                forgotten.add(pod.name());
            }
        }
        assertThat(forgotten)
                .as("seed %d: pods that wait although a node would take them", seed)
                .isEmpty();
    }

    private static boolean takes(Snapshot snapshot, NodeState node, Pod pod) {
        if (node.node().unschedulable()) {
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
                .anyMatch(state -> fits(pod, snapshot.roomWith(state.hold(), pod)));
    }

    private static boolean fits(Pod pod, Resources room) {
        Resources requests = pod.shape().requests();
        return room.get(ResourceName.CPU) >= requests.get(ResourceName.CPU) && room.get(ResourceName.PODS) >= 1;
    }
}
