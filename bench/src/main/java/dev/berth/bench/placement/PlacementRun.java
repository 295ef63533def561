package dev.berth.bench.placement;

import dev.berth.core.cluster.Pod;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.Placement.Placed;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Batches of placements in a steady state. The figures are those of the last call of {@link #forSeconds}. */
final class PlacementRun {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final SteadyStateCluster cluster;
    private final Function<Pod, Placement> placer;
    private final int batch;
    private long decisions;
    private long heldDecisions;
    private long deciding;
    private long working;
    private final List<Double> batches = new ArrayList<>();

    /** @param batch how many pods are added before as many are deleted */
    PlacementRun(SteadyStateCluster cluster, Function<Pod, Placement> placer, int batch) {
        this.cluster = cluster;
        this.placer = placer;
        this.batch = batch;
    }

    /** Runs until the thread has used so much CPU time. */
    void forSeconds(double seconds) {
        decisions = 0;
        heldDecisions = 0;
        deciding = 0;
        working = 0;
        batches.clear();
        while (working < seconds * 1e9) {
            runBatch();
        }
        batches.sort(null);
    }

    private void runBatch() {
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
        heldDecisions += placed.hold().isPresent() ? 1 : 0;
        cluster.assume(pod, placed);
    }

    long decisions() {
        return decisions;
    }

    /** The share of the pods that use a hold. */
    double holdShare() {
        return (double) heldDecisions / decisions;
    }

    /** The time of one decision: placed, and assumed in the ledger. */
    double decisionNanos() {
        return (double) deciding / decisions;
    }

    /** The same in the best tenth of the batches, in which other processes left the caches alone. */
    double undisturbedNanos() {
        return batches.get(batches.size() / 10);
    }

    /** The whole cost of one pod: added, placed, assumed, and another pod deleted. */
    double cycleNanos() {
        return (double) working / decisions;
    }
}
