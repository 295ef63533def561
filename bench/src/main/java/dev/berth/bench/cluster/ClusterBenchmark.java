package dev.berth.bench.cluster;

import dev.berth.bench.BenchmarkReport;
import dev.berth.bench.ProgressLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Binds the same pods on a real API server without a scheduler, with kube-scheduler and with Berth. Each run has a
 * fresh control plane, and all pods are pending when the scheduler's process starts. So the rate does not depend on the
 * creation of pods, and includes a cold start. The latency of single pods is measured afterwards, with pods at a low
 * constant rate.
 */
public final class ClusterBenchmark {
    private ClusterBenchmark() {}

    /** The first argument is the file of the report, the others are options. */
    public static void main(String[] args) throws IOException, InterruptedException {
        ClusterOptions options;
        try {
            options = ClusterOptions.parse(Arrays.asList(args).subList(1, args.length));
        } catch (IllegalArgumentException wrong) {
            System.err.println("bench/run cluster: " + wrong.getMessage());
            System.exit(2);
            return;
        }
        Path home = Path.of(System.getProperty("berth.home", ""));
        Map<Scenario, List<ScenarioResult>> results = new EnumMap<>(Scenario.class);
        String version = measure(options, new SchedulerLauncher(home.toAbsolutePath()), results);
        BenchmarkReport report =
                new BenchmarkReport("%,d pods on %,d nodes of a real API server, which wait when the scheduler starts"
                        .formatted(options.pods(), options.nodes()));
        report.println("%s, Kubernetes %s".formatted(machine(), version));
        report.println("");
        new ResultTable(results, options).print(report);
        report.saveTo(args);
    }

    /** Adds to the results, and returns the version of Kubernetes. */
    private static String measure(
            ClusterOptions options, SchedulerLauncher schedulerLauncher, Map<Scenario, List<ScenarioResult>> results)
            throws InterruptedException {
        ProgressLine progressLine = new ProgressLine();
        String version = "unknown";
        for (Scenario scenario : options.scenarioOrder()) {
            ScenarioRun run = new ScenarioRun(scenario, options, schedulerLauncher, progressLine);
            results.computeIfAbsent(scenario, first -> new ArrayList<>()).add(run.measure());
            version = run.version();
        }
        progressLine.end();
        return version;
    }

    private static String machine() throws IOException {
        return "%s, %s of memory"
                .formatted(first(Path.of("/proc/cpuinfo"), "model name"), first(Path.of("/proc/meminfo"), "MemTotal"));
    }

    private static String first(Path file, String name) throws IOException {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.filter(line -> line.startsWith(name))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown " + name);
        }
    }
}
