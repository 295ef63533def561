package dev.berth.bench.cluster;

import dev.berth.bench.BenchmarkReport;
import dev.berth.bench.ProgressLine;
import dev.berth.bench.cluster.BindWatcher.PodTimes;
import dev.berth.testkit.controlplane.ManagedProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Makes pending Reservations Available on a real API server, with Berth and with a client that only patches their
 * status. The two alternate, each with a fresh control plane. The rate is measured from the first to the last status
 * that a watcher sees.
 */
public final class AvailableReservationsBenchmark {
    private static final int NODES = 1_000;
    private static final int RESERVATIONS = 5_000;
    private static final int ROUNDS = 3;
    private static final double TARGET = 0.6;
    private static final Duration STOP_WITHIN = Duration.ofSeconds(20);

    private final ProgressLine progressLine = new ProgressLine();
    private final SchedulerLauncher schedulerLauncher;
    private final List<Double> patched = new ArrayList<>();
    private final List<Double> placed = new ArrayList<>();

    private AvailableReservationsBenchmark(Path home) {
        this.schedulerLauncher = new SchedulerLauncher(home);
    }

    /** The argument is the file of the report. */
    public static void main(String[] args) throws IOException {
        Path home = Path.of(System.getProperty("berth.home", "")).toAbsolutePath();
        AvailableReservationsBenchmark benchmark = new AvailableReservationsBenchmark(home);
        for (int round = 0; round < ROUNDS; round++) {
            benchmark.measurePatches();
            benchmark.measureBerth();
        }
        benchmark.progressLine.end();
        BenchmarkReport report = new BenchmarkReport(
                "Reservations made Available per second, %,d of them on %,d nodes of a real API server"
                        .formatted(RESERVATIONS, NODES));
        double ratio = median(benchmark.placed) / median(benchmark.patched);
        report.println("status patches alone  %s".formatted(rates(benchmark.patched)));
        report.println("Berth                 %s".formatted(rates(benchmark.placed)));
        report.println("%-6s Berth at least %.2f of the patches alone: %.2f"
                .formatted(ratio >= TARGET ? "met" : "MISSED", TARGET, ratio));
        report.saveTo(args);
    }

    private void measurePatches() {
        progressLine.begin("status patches alone");
        try (BenchmarkCluster cluster = newCluster()) {
            BindWatcher watcher = cluster.watchReservations();
            cluster.patchReservations(RESERVATIONS);
            patched.add(rate(cluster, watcher));
        }
    }

    private void measureBerth() {
        progressLine.begin("Berth");
        try (BenchmarkCluster cluster = newCluster()) {
            BindWatcher watcher = cluster.watchReservations();
            ManagedProcess berth = schedulerLauncher.start(Scenario.Binder.BERTH, cluster.controlPlane());
            placed.add(rate(cluster, watcher));
            berth.stop(STOP_WITHIN);
        }
    }

    private BenchmarkCluster newCluster() {
        BenchmarkCluster cluster = new BenchmarkCluster(progressLine);
        cluster.createNodes(NODES);
        cluster.createReservations(RESERVATIONS, ApiObjectJson::reservation);
        cluster.awaitQuiet();
        return cluster;
    }

    /** Reservations per second, from the first to the last. */
    private static double rate(BenchmarkCluster cluster, BindWatcher watcher) {
        cluster.await("Reservations available", () -> watcher.boundPods() == RESERVATIONS);
        long[] times =
                watcher.pods("").stream().mapToLong(PodTimes::boundAt).sorted().toArray();
        return (RESERVATIONS - 1) / ((times[times.length - 1] - times[0]) / 1e9);
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().toList().get(values.size() / 2);
    }

    private static String rates(List<Double> values) {
        return "%,8.0f   in each run: %s"
                .formatted(
                        median(values), values.stream().map("%,.0f"::formatted).collect(Collectors.joining("  ")));
    }
}
