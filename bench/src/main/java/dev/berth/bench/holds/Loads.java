package dev.berth.bench.holds;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.door.globalreserve.GlobalReserveSettings;
import dev.berth.core.door.globalreserve.ReserveRequest;
import dev.berth.core.door.globalreserve.ReserveResponse;
import dev.berth.core.door.godel.GodelFact;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Owner;
import dev.berth.core.scheduling.Scheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** All loads, in the order of the report. */
final class Loads {
    private static final int HOLDS_PER_NODE = 10;
    private static final int PODS_PER_NODE = 100;
    private static final int CLAIMED = 100;
    private static final int DELETED = 100;
    private static final List<PerformanceTarget> OWNER_BIND_TARGETS =
            List.of(new PerformanceTarget(10_000, 10, PerformanceTarget.Clock.LOOP));
    private static final Labels WEB = Labels.of("app", "web");
    private static final Labels OTHER = Labels.of("app", "other");

    private Loads() {}

    private interface Preparation {
        void run(LoopHarness loopHarness, int size) throws LoopHarness.TimeLimitExceeded, InterruptedException;
    }

    private interface MeasuredPart {
        int run(LoopHarness loopHarness, int size) throws LoopHarness.TimeLimitExceeded, InterruptedException;
    }

    private record Composed(
            String name,
            String itemName,
            int defaultLimit,
            List<PerformanceTarget> targets,
            Preparation preparation,
            MeasuredPart measured)
            implements Load {
        Composed(String name, String each, Preparation before, MeasuredPart played) {
            this(name, each, List.of(), before, played);
        }

        Composed(
                String name,
                String each,
                List<PerformanceTarget> performanceTargets,
                Preparation before,
                MeasuredPart played) {
            this(name, each, Integer.MAX_VALUE, performanceTargets, before, played);
        }

        @Override
        public void prepare(LoopHarness loopHarness, int size)
                throws LoopHarness.TimeLimitExceeded, InterruptedException {
            preparation.run(loopHarness, size);
        }

        @Override
        public int run(LoopHarness loopHarness, int size) throws LoopHarness.TimeLimitExceeded, InterruptedException {
            return measured.run(loopHarness, size);
        }
    }

    static List<Load> all() {
        return List.of(
                new Composed(
                        "owners of once-reservations that share a selector, ten on a node",
                        "pod bound",
                        OWNER_BIND_TARGETS,
                        (loopHarness, size) -> reservations(loopHarness, size, HOLDS_PER_NODE),
                        (stage, size) -> createAndAwaitBound(stage, size, WEB, Labels.NONE)),
                new Composed(
                        "owners of once-reservations that share a selector, one on a node",
                        "pod bound",
                        OWNER_BIND_TARGETS,
                        (stage, size) -> reservations(stage, size, 1),
                        (stage, size) -> createAndAwaitBound(stage, size, WEB, Labels.NONE)),
                new Composed(
                        "pods with one return key, ten return holds on a node",
                        "pod bound",
                        OWNER_BIND_TARGETS,
                        Loads::prepareGodelReservations,
                        (stage, size) ->
                                createAndAwaitBound(stage, size, WEB, BenchmarkObjects.returnKeyAnnotation("shop"))),
                new Composed(
                        "holds on one node, then an ordinary pod",
                        "hold created",
                        (stage, size) -> {
                            nodes(stage, 1, size + PODS_PER_NODE);
                            stage.markListed();
                        },
                        Loads::createHoldsOnOneNode),
                new Composed(
                        "holds on one node: a hundred are claimed, and then all are released",
                        "hold released",
                        (stage, size) -> {
                            nodes(stage, 1, size + PODS_PER_NODE);
                            holds(stage, size, 1, number -> BenchmarkObjects.ownerByName("owner-" + number));
                            stage.markListed();
                        },
                        Loads::claimAndRelease),
                new Composed(
                        "a pod is deleted while half as many pods as nodes wait and each node has a hold",
                        "pod deleted",
                        Loads::prepareFullCluster,
                        Loads::deletePods),
                new Composed(
                        "pods that match no hold, next to owner rules without a key (Exists, NotIn, {})",
                        "pod bound",
                        Loads::prepareOwnersWithoutKey,
                        (stage, size) -> createAndAwaitBound(stage, 200, OTHER, Labels.NONE)),
                new Composed(
                        "a group through the globalreserve door",
                        "pod of the group",
                        GlobalReserveSettings.DEFAULT.maxPods(),
                        List.of(new PerformanceTarget(1_000, 0.2, PerformanceTarget.Clock.WALL)),
                        (stage, size) -> {
                            nodes(stage, size / HOLDS_PER_NODE, PODS_PER_NODE);
                            stage.markListed();
                        },
                        Loads::reserveGroup),
                new Composed(
                        "the extender's filter of all nodes for a pod with many holds of its own",
                        "node",
                        (stage, size) -> {
                            nodes(stage, size / HOLDS_PER_NODE, PODS_PER_NODE);
                            holds(
                                    stage,
                                    size,
                                    size / HOLDS_PER_NODE,
                                    number -> BenchmarkObjects.ownerByLabels(LabelSelector.of(WEB)));
                            stage.markListed();
                        },
                        Loads::askExtenderFilter),
                new Composed(
                        "pending writes of return holds are requested, without a change",
                        "question",
                        (stage, size) -> {
                            prepareGodelReservations(stage, size);
                            stage.awaitQuiet();
                            // Everything since the last query is processed at once.
                            stage.query(Scheduler::podsPendingDurability);
                        },
                        Loads::askPendingDurability),
                new Composed(
                        "nodes are added while return holds wait for nodes that are never added",
                        "node",
                        Loads::prepareReservationsWithoutNode,
                        (stage, size) -> {
                            nodes(stage, size / HOLDS_PER_NODE, PODS_PER_NODE);
                            stage.awaitIdle();
                            return size / HOLDS_PER_NODE;
                        }),
                new Composed(
                        "pods that request a reservation are deleted on one node, then removed",
                        "deleted pod",
                        DependentHoldLoads::prepareReturningPods,
                        DependentHoldLoads::deleteAll),
                new Composed(
                        "return holds that draw on one shared Reservation are made and released",
                        "place",
                        DependentHoldLoads::prepareSharedReservation,
                        DependentHoldLoads::drawAndRelease),
                new Composed(
                        "owners that fit no node, with a hold for all of them on each node",
                        "unschedulable pod",
                        UnschedulableLoads::sharedHolds,
                        UnschedulableLoads::createAndAwaitUnschedulable),
                new Composed(
                        "owners that fit no node, with a hold for one of them on each node",
                        "unschedulable pod",
                        UnschedulableLoads::namedHolds,
                        UnschedulableLoads::createAndAwaitUnschedulable));
    }

    private static void nodes(LoopHarness loopHarness, int count, int pods) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            loopHarness.sendFact(new Fact.NodeUpserted(BenchmarkObjects.node(i, pods)));
        }
    }

    private interface OwnerFactory {
        Owner create(int number);
    }

    private static void holds(LoopHarness loopHarness, int count, int nodes, OwnerFactory owners)
            throws InterruptedException {
        for (int i = 0; i < count; i++) {
            loopHarness.sendFact(new Fact.HoldUpserted(BenchmarkObjects.hold(i, i % nodes, owners.create(i))));
        }
    }

    private static void reservations(LoopHarness loopHarness, int size, int aNode) throws InterruptedException {
        nodes(loopHarness, size / aNode, PODS_PER_NODE);
        for (int i = 0; i < size; i++) {
            loopHarness
                    .instantApiServer()
                    .create(BenchmarkObjects.reservation(
                            i, i % (size / aNode), BenchmarkObjects.ownerByLabels(LabelSelector.of(WEB))));
        }
        loopHarness.markListed();
    }

    private static void prepareGodelReservations(LoopHarness loopHarness, int size) throws InterruptedException {
        nodes(loopHarness, size / HOLDS_PER_NODE, PODS_PER_NODE);
        for (int i = 0; i < size; i++) {
            loopHarness.sendFact(new GodelFact.ReservationUpserted(
                    BenchmarkObjects.godelReservation(i, i % (size / HOLDS_PER_NODE), "shop")));
        }
        loopHarness.markListed();
    }

    private static int createAndAwaitBound(LoopHarness loopHarness, int count, Labels labels, Labels annotations)
            throws LoopHarness.TimeLimitExceeded, InterruptedException {
        for (int i = 0; i < count; i++) {
            loopHarness.instantApiServer().create(BenchmarkObjects.pod("pod-" + i, labels, annotations));
        }
        loopHarness.awaitCondition(() -> loopHarness.instantApiServer().boundPods() == count);
        loopHarness.awaitIdle();
        return count;
    }

    private static int createHoldsOnOneNode(LoopHarness loopHarness, int size)
            throws LoopHarness.TimeLimitExceeded, InterruptedException {
        holds(loopHarness, size, 1, BenchmarkObjects::absentOwner);
        createAndAwaitBound(loopHarness, 1, OTHER, Labels.NONE);
        return size;
    }

    private static int claimAndRelease(LoopHarness loopHarness, int size)
            throws LoopHarness.TimeLimitExceeded, InterruptedException {
        for (int i = 0; i < CLAIMED; i++) {
            loopHarness.instantApiServer().create(BenchmarkObjects.pod("owner-" + i, OTHER, Labels.NONE));
        }
        loopHarness.awaitCondition(() -> loopHarness.instantApiServer().boundPods() == CLAIMED);
        for (int i = 0; i < size; i++) {
            HoldId hold =
                    BenchmarkObjects.hold(i, 0, BenchmarkObjects.absentOwner(i)).id();
            loopHarness.sendFact(new Fact.HoldDeleted(hold));
        }
        loopHarness.awaitIdle();
        return size;
    }

    /**
     * On each node a hold and pods that leave no resources; the pending pods need more than one of these pods releases.
     */
    private static void prepareFullCluster(LoopHarness loopHarness, int size)
            throws LoopHarness.TimeLimitExceeded, InterruptedException {
        nodes(loopHarness, size, 4);
        holds(loopHarness, size, size, BenchmarkObjects::absentOwner);
        for (int node = 0; node < size; node++) {
            for (int i = 0; i < 3; i++) {
                Pod pod = BenchmarkObjects.pod("there-%d-%d".formatted(node, i), OTHER, Labels.NONE);
                loopHarness.sendFact(new Fact.PodUpserted(pod.boundTo(BenchmarkObjects.nodeName(node))));
            }
        }
        for (int i = 0; i < size / 2; i++) {
            loopHarness.instantApiServer().create(BenchmarkObjects.pod("waits-" + i, WEB, Labels.NONE, 200));
        }
        loopHarness.markListed();
        loopHarness.awaitIdle();
        loopHarness.awaitCondition(() -> pendingPods(loopHarness) == size / 2);
    }

    /** The number of unschedulable pods; none while some are still to be scheduled. */
    static int pendingPods(LoopHarness loopHarness) {
        try {
            return loopHarness.query(scheduler -> scheduler.queue().hasActive()
                    ? 0
                    : scheduler.queue().podCounts().values().stream()
                            .mapToInt(Integer::intValue)
                            .sum());
        } catch (LoopHarness.TimeLimitExceeded | InterruptedException cutOff) {
            return 0;
        }
    }

    private static int deletePods(LoopHarness loopHarness, int size)
            throws LoopHarness.TimeLimitExceeded, InterruptedException {
        for (int i = 0; i < DELETED; i++) {
            PodUid uid = BenchmarkObjects.pod("there-%d-0".formatted(i * (size / DELETED)), OTHER, Labels.NONE)
                    .uid();
            loopHarness.sendFact(new Fact.PodDeleted(uid));
        }
        loopHarness.awaitIdle();
        return DELETED;
    }

    private static void prepareOwnersWithoutKey(LoopHarness loopHarness, int size) throws InterruptedException {
        List<Owner> rules = List.of(
                BenchmarkObjects.ownerByLabels(new LabelSelector(
                        Labels.NONE, List.of(new Requirement("team", Requirement.Operator.EXISTS, List.of())))),
                BenchmarkObjects.ownerByLabels(new LabelSelector(
                        Labels.NONE, List.of(new Requirement("app", Requirement.Operator.NOT_IN, List.of("other"))))),
                new Owner(
                        Optional.of(new Owner.PodMatch(Optional.empty(), Optional.of("elsewhere"), Optional.empty())),
                        Optional.empty(),
                        Optional.of(LabelSelector.EVERYTHING)));
        nodes(loopHarness, size / HOLDS_PER_NODE, PODS_PER_NODE);
        holds(loopHarness, size, size / HOLDS_PER_NODE, number -> rules.get(number % rules.size()));
        loopHarness.markListed();
    }

    private static int reserveGroup(LoopHarness loopHarness, int size)
            throws LoopHarness.TimeLimitExceeded, InterruptedException {
        List<ReserveRequest.PodAssignment> podAssignments = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            Pod pod = BenchmarkObjects.pod("member-" + i, OTHER, Labels.NONE);
            podAssignments.add(
                    new ReserveRequest.PodAssignment(pod, BenchmarkObjects.nodeName(i % (size / HOLDS_PER_NODE))));
        }
        ReserveResponse response = loopHarness.reserve(new ReserveRequest("other-scheduler", podAssignments));
        if (!response.equals(ReserveResponse.SUCCESS)) {
            // It fits, so only the time can have run out.
            throw new LoopHarness.TimeLimitExceeded();
        }
        return size;
    }

    private static int askExtenderFilter(LoopHarness loopHarness, int size)
            throws LoopHarness.TimeLimitExceeded, InterruptedException {
        int nodes = size / HOLDS_PER_NODE;
        Pod pod = BenchmarkObjects.pod("asks", WEB, Labels.NONE);
        List<String> names =
                IntStream.range(0, nodes).mapToObj(BenchmarkObjects::nodeName).toList();
        int calls = Math.max(10, 1_000 / nodes);
        for (int i = 0; i < calls; i++) {
            loopHarness.filter(pod, names);
        }
        return calls * nodes;
    }

    private static int askPendingDurability(LoopHarness loopHarness, int size)
            throws LoopHarness.TimeLimitExceeded, InterruptedException {
        int calls = 200;
        for (int i = 0; i < calls; i++) {
            loopHarness.query(Scheduler::podsPendingDurability);
        }
        return calls;
    }

    private static void prepareReservationsWithoutNode(LoopHarness loopHarness, int size) throws InterruptedException {
        loopHarness.markListed();
        for (int i = 0; i < size; i++) {
            loopHarness.sendFact(new GodelFact.ReservationUpserted(
                    BenchmarkObjects.withoutNodeUid(BenchmarkObjects.godelReservation(i, 1_000_000 + i, "shop"))));
        }
    }
}
