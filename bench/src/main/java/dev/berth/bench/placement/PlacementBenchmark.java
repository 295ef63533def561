package dev.berth.bench.placement;

import dev.berth.bench.Report;
import dev.berth.bench.placement.Measurement.Budget;
import dev.berth.bench.placement.Scene.Ownership;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.twin.SlowPlacement;
import java.io.IOException;
import java.util.Locale;

/**
 * Decisions a second on one core with 1,000 live holds that do not match, in a steady state: as many pods leave as come.
 * The slow, obvious twin decides on the same scene in the same run. Last, what the ledger of a large cluster weighs.
 */
public final class PlacementBenchmark {
    private static final Budget FAST = new Budget(4, 4, 200);
    private static final Budget MANY_SHAPES = new Budget(2, 3, 200);
    private static final Budget SLOW = new Budget(0.5, 1, 5);

    private PlacementBenchmark() {}

    public static void main(String[] args) throws IOException {
        Report report =
                new Report("decisions a second on one core: a place found and assumed; by the time its core worked");
        report.say("%-11s %6s %7s %12s %12s %10s %8s"
                .formatted("pods", "nodes", "shapes", "decisions/s", "whole pod/s", "slow twin/s", "ratio"));
        for (Ownership ownership : Ownership.values()) {
            for (int shapes : new int[] {1, 100, 10_000}) {
                for (int nodes : new int[] {1_000, 5_000, 15_000}) {
                    report.say(line(new Scene(nodes, shapes, ownership)));
                }
            }
        }
        report.say(weight());
        report.keep(args);
    }

    private static String line(Scene scene) {
        Cluster cluster = new Cluster(scene);
        Placer placer = new Placer(cluster.ledger(), ScoreWeights.DEFAULT);
        Measurement fast = Measurement.of(scene, cluster, placer::place, scene.shapes() > 100 ? MANY_SHAPES : FAST);
        SlowPlacement twin = new SlowPlacement(cluster.ledger(), ScoreWeights.DEFAULT);
        Measurement slow = Measurement.of(scene, cluster, pod -> twin.place(pod, HoldUse.PREFERRED), SLOW);
        return "%-11s %,6d %,7d %,12.0f %,12.0f %,10.0f %,8.0f"
                .formatted(
                        scene.ownership().name().toLowerCase(Locale.ROOT),
                        scene.nodes(),
                        scene.shapes(),
                        fast.decisionsPerSecond(),
                        fast.cyclesPerSecond(),
                        slow.decisionsPerSecond(),
                        fast.decisionsPerSecond() / slow.decisionsPerSecond());
    }

    /** Nodes, pods, holds and the ledger itself, after everything else was collected. */
    private static String weight() {
        long before = used();
        Cluster cluster = new Cluster(new Scene(15_000, 100, Ownership.DEPLOYMENT));
        long after = used();
        return "heap for %,d pods on %,d nodes: %d MB"
                .formatted(15_000 * Scene.PODS_PER_NODE, cluster.ledger().nodeCount(), (after - before) >> 20);
    }

    private static long used() {
        System.gc();
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
