package dev.berth.bench.placement;

import dev.berth.core.cluster.Pod;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.Placement.Placed;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
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
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

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
        Run run = new Run(cluster, placer, budget.batch());
        run.forSeconds(budget.warmUpSeconds());
        return run.forSeconds(budget.measureSeconds()).measured(placementScenario);
    }

    /** One batch of decisions, counted from its start. */
    private static final class Run {
        private final SteadyStateCluster cluster;
        private final Function<Pod, Placement> placer;
        private final int batch;
        private long decisions;
        private long deciding;
        private long working;
        private final List<Double> batches = new ArrayList<>();

        Run(SteadyStateCluster cluster, Function<Pod, Placement> placer, int batch) {
            this.cluster = cluster;
            this.placer = placer;
            this.batch = batch;
        }

        Run forSeconds(double seconds) {
            decisions = 0;
            deciding = 0;
            working = 0;
            batches.clear();
            while (working < seconds * 1e9) {
                batch();
            }
            return this;
        }

        private void batch() {
            long start = THREADS.getCurrentThreadCpuTime();
            List<Pod> pods = new ArrayList<>(batch);
            for (int i = 0; i < batch; i++) {
                pods.add(cluster.nextPod());
                cluster.ledger().put(pods.get(i));
            }
            long before = THREADS.getCurrentThreadCpuTime();
            for (Pod pod : pods) {
                decide(pod);
            }
            long after = THREADS.getCurrentThreadCpuTime();
            for (int i = 0; i < batch; i++) {
                cluster.deleteRandomPod();
            }
            decisions += batch;
            deciding += after - before;
            batches.add((double) (after - before) / batch);
            working += THREADS.getCurrentThreadCpuTime() - start;
        }

        private void decide(Pod pod) {
            Placement placement = placer.apply(pod);
            if (!(placement instanceof Placed placed)) {
                throw new IllegalStateException("pod (%s) must find a place, not %s".formatted(pod, placement));
            }
            cluster.assume(pod, placed);
        }

        Measurement measured(PlacementScenario placementScenario) {
            batches.sort(null);
            return new Measurement(
                    placementScenario,
                    decisions,
                    (double) deciding / decisions,
                    batches.get(batches.size() / 10),
                    (double) working / decisions);
        }
    }
}
