package dev.berth.bench.cluster;

import dev.berth.bench.BenchmarkReport;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The results side by side: a table, the single runs, and the targets. */
final class ResultTable {
    private static final String HEADER = """
            %48s | pods/s of (a) x (b) | from start of (a) | first   last   last  events |    p50    p99 |\
             CPU ms a pod      | peak
            %48s |                     |     pods/s        | bind s bind s event s        |     ms     ms |\
              own   API  etcd  |  MB
            """;

    private final Map<Scenario, List<ScenarioResult>> runs;
    private final Map<Scenario, ScenarioResult> medians = new EnumMap<>(Scenario.class);
    private final ClusterOptions options;

    ResultTable(Map<Scenario, List<ScenarioResult>> runs, ClusterOptions options) {
        this.runs = runs;
        this.options = options;
        runs.forEach((scenario, results) -> medians.put(scenario, ScenarioResult.median(results)));
    }

    void print(BenchmarkReport report) {
        report.println(HEADER.formatted("", "").stripTrailing());
        medians.forEach((scenario, result) -> report.println(line(scenario, result)));
        report.println("");
        report.println("pods/s in each run:");
        runs.forEach((scenario, results) -> report.println("  (%-2s) %s"
                .formatted(
                        scenario.id(),
                        results.stream()
                                .map(result -> number("%,.0f", result.perSecond()))
                                .collect(Collectors.joining("  ")))));
        report.println("");
        printTargets(report);
    }

    private String line(Scenario scenario, ScenarioResult it) {
        return "(%-2s) %-43s | %6s %6s %5s | %10s %6s | %6s %6s %7s %6s | %6s %6s | %5s %5s %5s  | %4s"
                .formatted(
                        scenario.id(),
                        scenario.title(),
                        number("%,.0f", it.perSecond()),
                        number("%.2f", it.perSecond() / of(Scenario.CEILING, ScenarioResult::perSecond)),
                        number("%.1f", it.perSecond() / of(scenario.baseline(), ScenarioResult::perSecond)),
                        number("%,.0f", it.perSecondFromStart()),
                        number("%.2f", it.perSecondFromStart() / of(Scenario.CEILING, ScenarioResult::perSecond)),
                        number("%.2f", it.firstBind()),
                        number("%.2f", it.lastBind()),
                        number("%.2f", it.lastEvent()),
                        number("%,.0f", it.events()),
                        number("%.1f", it.p50()),
                        number("%.1f", it.p99()),
                        number("%.2f", scenario == Scenario.CEILING ? Double.NaN : it.ownCpu()),
                        number("%.2f", it.apiCpu()),
                        number("%.2f", it.etcdCpu()),
                        number("%.0f", it.peakMegabytes()));
    }

    private void printTargets(BenchmarkReport report) {
        report.println("aims:");
        for (Scenario berth : List.of(Scenario.BERTH, Scenario.BERTH_DEPLOYMENTS)) {
            Scenario rival = berth.baseline();
            String of = "(%s)".formatted(berth.id());
            printTarget(
                    report,
                    of + " 4 times as fast as kube-scheduler",
                    ratio(berth, rival, ScenarioResult::perSecond),
                    4,
                    true);
            printTarget(
                    report,
                    of + " 0.8 of the ceiling",
                    ratio(berth, Scenario.CEILING, ScenarioResult::perSecond),
                    0.8,
                    true);
            printTarget(report, of + " own CPU at most 0.5 ms a pod", of(berth, ScenarioResult::ownCpu), 0.5, false);
            printTarget(
                    report,
                    of + " API server's CPU at most what kube-scheduler causes",
                    ratio(berth, rival, ScenarioResult::apiCpu),
                    1,
                    false);
        }
        printTarget(
                report,
                "(d) at least 0.95 of (c)",
                ratio(Scenario.BERTH_AMONG_HOLDS, Scenario.BERTH, ScenarioResult::perSecond),
                0.95,
                true);
        printTarget(
                report,
                "(f) at least 0.95 of (c)",
                ratio(Scenario.BERTH_WITH_RESERVATIONS, Scenario.BERTH, ScenarioResult::perSecond),
                0.95,
                true);
        if (options.nodes() >= 5_000) {
            double most = medians.keySet().stream()
                    .filter(scenario -> scenario.binder() == Scenario.Binder.BERTH)
                    .mapToDouble(scenario -> of(scenario, ScenarioResult::peakMegabytes))
                    .max()
                    .orElse(Double.NaN);
            printTarget(report, "Berth's memory at most 400 MB", most, 400, false);
        }
    }

    private interface Value {
        double of(ScenarioResult result);
    }

    private static void printTarget(
            BenchmarkReport report, String description, double value, double bound, boolean atLeast) {
        if (!Double.isNaN(value)) {
            boolean met = atLeast ? value >= bound : value <= bound;
            report.println("  %-6s %-58s %8.2f".formatted(met ? "met" : "MISSED", description, value));
        }
    }

    private double ratio(Scenario one, Scenario other, Value value) {
        return of(one, value) / of(other, value);
    }

    /** NaN if it was not measured. */
    private double of(Scenario scenario, Value value) {
        return Optional.ofNullable(medians.get(scenario)).map(value::of).orElse(Double.NaN);
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
