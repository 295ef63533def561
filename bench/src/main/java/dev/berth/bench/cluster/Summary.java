package dev.berth.bench.cluster;

import dev.berth.bench.Report;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Puts the runs beside each other: a table, the single runs, and what became of the aims. */
final class Summary {
    private static final String HEADER = """
            %48s | pods/s of (a) x (b) | from start of (a) | first   last   last  events |    p50    p99 |\
             CPU ms a pod      | peak
            %48s |                     |     pods/s        | bind s bind s event s        |     ms     ms |\
              own   API  etcd  |  MB
            """;

    private final Map<Scenario, List<Result>> runs;
    private final Map<Scenario, Result> medians = new EnumMap<>(Scenario.class);
    private final ClusterOptions options;

    Summary(Map<Scenario, List<Result>> runs, ClusterOptions options) {
        this.runs = runs;
        this.options = options;
        runs.forEach((scenario, results) -> medians.put(scenario, Result.median(results)));
    }

    void tell(Report report) {
        report.say(HEADER.formatted("", "").stripTrailing());
        medians.forEach((scenario, result) -> report.say(line(scenario, result)));
        report.say("");
        report.say("pods/s in each run:");
        runs.forEach((scenario, results) -> report.say("  (%-2s) %s"
                .formatted(
                        scenario.letter(),
                        results.stream()
                                .map(result -> number("%,.0f", result.perSecond()))
                                .collect(Collectors.joining("  ")))));
        report.say("");
        aims(report);
    }

    private String line(Scenario scenario, Result it) {
        return "(%-2s) %-43s | %6s %6s %5s | %10s %6s | %6s %6s %7s %6s | %6s %6s | %5s %5s %5s  | %4s"
                .formatted(
                        scenario.letter(),
                        scenario.title(),
                        number("%,.0f", it.perSecond()),
                        number("%.2f", it.perSecond() / of(Scenario.CEILING, Result::perSecond)),
                        number("%.1f", it.perSecond() / of(scenario.rival(), Result::perSecond)),
                        number("%,.0f", it.perSecondFromStart()),
                        number("%.2f", it.perSecondFromStart() / of(Scenario.CEILING, Result::perSecond)),
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

    private void aims(Report report) {
        report.say("aims:");
        for (Scenario berth : List.of(Scenario.BERTH, Scenario.BERTH_DEPLOYMENTS)) {
            Scenario rival = berth.rival();
            String of = "(%s)".formatted(berth.letter());
            aim(report, of + " 4 times as fast as kube-scheduler", ratio(berth, rival, Result::perSecond), 4, true);
            aim(report, of + " 0.8 of the ceiling", ratio(berth, Scenario.CEILING, Result::perSecond), 0.8, true);
            aim(report, of + " own CPU at most 0.5 ms a pod", of(berth, Result::ownCpu), 0.5, false);
            aim(
                    report,
                    of + " API server's CPU at most what kube-scheduler causes",
                    ratio(berth, rival, Result::apiCpu),
                    1,
                    false);
        }
        aim(
                report,
                "(d) at least 0.95 of (c)",
                ratio(Scenario.BERTH_AMONG_HOLDS, Scenario.BERTH, Result::perSecond),
                0.95,
                true);
        if (options.nodes() >= 5_000) {
            double most = medians.keySet().stream()
                    .filter(scenario -> scenario.binder() == Scenario.Binder.BERTH)
                    .mapToDouble(scenario -> of(scenario, Result::peakMegabytes))
                    .max()
                    .orElse(Double.NaN);
            aim(report, "Berth's memory at most 400 MB", most, 400, false);
        }
    }

    private interface Value {
        double of(Result result);
    }

    private static void aim(Report report, String words, double value, double bound, boolean atLeast) {
        if (!Double.isNaN(value)) {
            boolean met = atLeast ? value >= bound : value <= bound;
            report.say("  %-6s %-58s %8.2f".formatted(met ? "met" : "MISSED", words, value));
        }
    }

    private double ratio(Scenario one, Scenario other, Value value) {
        return of(one, value) / of(other, value);
    }

    /** Not a number where it was not measured. */
    private double of(Scenario scenario, Value value) {
        return Optional.ofNullable(medians.get(scenario)).map(value::of).orElse(Double.NaN);
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
