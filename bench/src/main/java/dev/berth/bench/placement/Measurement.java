package dev.berth.bench.placement;

import dev.berth.core.cluster.Pod;
import dev.berth.core.placement.Placement;
import java.util.function.Function;

/**
 * Placements in a steady state on one thread, by CPU time, so that other processes do not count.
 *
 * @param decisionNanos the time of one decision: placed, and assumed in the ledger
 * @param undisturbedNanos the same in the best tenth of the batches, in which other processes left the caches alone
 * @param cycleNanos the whole cost of one pod: added, placed, assumed, and another pod deleted
 */
record Measurement(
        PlacementScenario placementScenario,
        long decisions,
        double decisionNanos,
        double undisturbedNanos,
        double cycleNanos) {
    /** How long to run, and how many pods are added before as many are deleted. */
    record Budget(double warmUpSeconds, double measureSeconds, int batch) {}

    double decisionsPerSecond() {
        return 1e9 / decisionNanos;
    }

    double cyclesPerSecond() {
        return 1e9 / cycleNanos;
    }

    /** Runs until both times have passed: first to warm up, then to measure. */
    static Measurement measure(
            PlacementScenario placementScenario,
            SteadyStateCluster cluster,
            Function<Pod, Placement> placer,
            Budget budget) {
        PlacementRun run = new PlacementRun(cluster, placer, budget.batch());
        run.forSeconds(budget.warmUpSeconds());
        run.forSeconds(budget.measureSeconds());
        return new Measurement(
                placementScenario, run.decisions(), run.decisionNanos(), run.undisturbedNanos(), run.cycleNanos());
    }
}
