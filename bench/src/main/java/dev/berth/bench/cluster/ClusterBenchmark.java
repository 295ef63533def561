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
 * Has the same pods bound on a real API server by nobody who decides, by kube-scheduler and by Berth. Each time the
 * control plane is fresh and all pods wait already when the scheduler's process starts, so that its speed is its own and
 * not that of whoever creates pods, and starting cold is part of it. How long a pod waits that comes alone is measured
 * afterwards, with pods that come at an even pace which nobody finds hard.
 */
public final class ClusterBenchmark {
    private ClusterBenchmark() {}

    /** Measures. The first argument is where the report is kept, the others are the options. */
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

    /** Adds to the results, and gives the version of Kubernetes. */
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
