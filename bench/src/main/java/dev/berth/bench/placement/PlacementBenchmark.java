package dev.berth.bench.placement;

import dev.berth.bench.BenchmarkReport;
import dev.berth.bench.placement.Measurement.Budget;
import dev.berth.bench.placement.PlacementScenario.Ownership;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.reference.ReferencePlacer;
import java.io.IOException;
import java.util.Locale;

/**
 * Placements a second on one core with 1,000 live holds that do not match, in a steady state: as many pods are deleted
 * as added. The reference implementation runs the same scenario in the same run. Last, the memory of the ledger of
 * a large cluster.
 */
public final class PlacementBenchmark {
    private static final Budget FAST = new Budget(4, 4, 200);
    private static final Budget MANY_SHAPES = new Budget(2, 3, 200);
    private static final Budget SLOW = new Budget(0.5, 1, 5);

    private PlacementBenchmark() {}

    public static void main(String[] args) throws IOException {
        BenchmarkReport report = new BenchmarkReport(
                "decisions a second on one core: a place found and assumed; by the time its core worked");
        report.println("%-11s %6s %7s %12s %12s %10s %8s"
                .formatted("pods", "nodes", "shapes", "decisions/s", "whole pod/s", "reference/s", "ratio"));
        for (Ownership ownership : Ownership.values()) {
            for (int shapes : new int[] {1, 100, 10_000}) {
                for (int nodes : new int[] {1_000, 5_000, 15_000}) {
                    report.println(line(new PlacementScenario(nodes, shapes, ownership)));
                }
            }
        }
        report.println(heapLine());
        report.saveTo(args);
    }

    private static String line(PlacementScenario placementScenario) {
        SteadyStateCluster cluster = new SteadyStateCluster(placementScenario);
        Placer placer = new Placer(cluster.ledger(), ScoreWeights.DEFAULT);
        Measurement fast = Measurement.measure(
                placementScenario, cluster, placer::place, placementScenario.shapes() > 100 ? MANY_SHAPES : FAST);
        ReferencePlacer reference = new ReferencePlacer(cluster.ledger(), ScoreWeights.DEFAULT);
        Measurement slow =
                Measurement.measure(placementScenario, cluster, pod -> reference.place(pod, HoldUse.PREFERRED), SLOW);
        return "%-11s %,6d %,7d %,12.0f %,12.0f %,10.0f %,8.0f"
                .formatted(
                        placementScenario.ownership().name().toLowerCase(Locale.ROOT),
                        placementScenario.nodes(),
                        placementScenario.shapes(),
                        fast.decisionsPerSecond(),
                        fast.cyclesPerSecond(),
                        slow.decisionsPerSecond(),
                        fast.decisionsPerSecond() / slow.decisionsPerSecond());
    }

    /** Nodes, pods, holds and the ledger itself, after a garbage collection. */
    private static String heapLine() {
        long before = usedHeapBytes();
        SteadyStateCluster cluster = new SteadyStateCluster(new PlacementScenario(15_000, 100, Ownership.DEPLOYMENT));
        long after = usedHeapBytes();
        return "heap for %,d pods on %,d nodes: %d MB"
                .formatted(
                        15_000 * PlacementScenario.PODS_PER_NODE,
                        cluster.ledger().nodeCount(),
                        (after - before) >> 20);
    }

    private static long usedHeapBytes() {
        System.gc();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
