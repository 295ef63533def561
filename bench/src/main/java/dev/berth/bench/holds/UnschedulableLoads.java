package dev.berth.bench.holds;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Owner;
import java.util.function.IntFunction;

/** Loads of pods with holds that are too large for every node. */
final class UnschedulableLoads {
    private static final Labels WEB = Labels.of("app", "web");
    private static final int PODS_PER_NODE = 2;
    private static final long TOO_LARGE = 400;

    private UnschedulableLoads() {}

    /** On each node a hold for all of the pods. */
    static void sharedHolds(LoopHarness loopHarness, int size) throws InterruptedException {
        holds(loopHarness, size, number -> BenchmarkObjects.ownerByLabels(LabelSelector.of(WEB)));
    }

    /** On each node a hold for one of the pods. */
    static void namedHolds(LoopHarness loopHarness, int size) throws InterruptedException {
        holds(loopHarness, size, number -> BenchmarkObjects.ownerByName(name(number)));
    }

    private static void holds(LoopHarness loopHarness, int size, IntFunction<Owner> owners)
            throws InterruptedException {
        for (int i = 0; i < size; i++) {
            loopHarness.sendFact(new Fact.NodeUpserted(BenchmarkObjects.node(i, PODS_PER_NODE)));
            loopHarness.sendFact(new Fact.HoldUpserted(BenchmarkObjects.hold(i, i, owners.apply(i))));
        }
        loopHarness.markListed();
    }

    private static String name(int number) {
        return "large-" + number;
    }

    static int createAndAwaitUnschedulable(LoopHarness loopHarness, int size)
            throws LoopHarness.TimeLimitExceeded, InterruptedException {
        for (int i = 0; i < size; i++) {
            loopHarness.instantApiServer().create(BenchmarkObjects.pod(name(i), WEB, Labels.NONE, TOO_LARGE));
        }
        loopHarness.awaitCondition(() -> Loads.pendingPods(loopHarness) == size);
        loopHarness.awaitIdle();
        return size;
    }
}
