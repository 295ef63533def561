package dev.berth.bench.placement;

import dev.berth.bench.BenchmarkReport;
import dev.berth.bench.placement.PlacementScenario.Ownership;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.hold.AllocatePolicy;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Owner;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.resource.ResourceName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What Reservations cost the decisions: pods of a hundred templates, with more and more live Reservations on 5,000
 * nodes. First next to a cluster without any, in alternating rounds. Then how the CPU time of a decision grows with
 * their number.
 */
public final class ReservationsBenchmark {
    private static final int NODES = 5_000;
    private static final int TEMPLATES = 100;
    private static final int PODS_PER_NODE = 1;
    private static final int BATCH = 200;
    private static final int SIDE_BY_SIDE = 10_000;
    private static final int WARM_UP_ROUNDS = 10;
    private static final int ROUNDS = 30;
    private static final double ROUND_SECONDS = 0.2;
    private static final double WARM_UP_SECONDS = 2;
    private static final double MEASURE_SECONDS = 3;
    private static final int[] SIZES = {100, 1_000, 10_000, 100_000};
    private static final int GROWTH_FROM = 1_000;
    private static final double MIN_SHARE = 0.97;
    private static final double MAX_GROWTH = 1.2;
    private static final long MAX_CPU_PER_NODE = 24;

    private static final PlacementScenario PODS = new PlacementScenario(NODES, TEMPLATES, Ownership.BARE);

    private ReservationsBenchmark() {}

    /** The owners of the Reservations. */
    private enum Selectors {
        /** One selector, which half of the pods match. */
        EQUAL_HALF_MATCHING,
        EQUAL_MATCHING,
        EQUAL_NOT_MATCHING,
        /** A selector for each Reservation. Those of a hundred Reservations match the pods of one template each. */
        DISTINCT_MATCHING,
        DISTINCT_NOT_MATCHING;

        Owner owner(int number) {
            return Owner.ofLabels(LabelSelector.of(
                    switch (this) {
                        case EQUAL_HALF_MATCHING -> Labels.of(SteadyStateCluster.HALF_LABEL, "1");
                        case EQUAL_MATCHING -> Labels.of(SteadyStateCluster.GROUP_LABEL, SteadyStateCluster.GROUP);
                        case EQUAL_NOT_MATCHING -> Labels.of(SteadyStateCluster.GROUP_LABEL, "other");
                        case DISTINCT_MATCHING -> Labels.of(SteadyStateCluster.APP_LABEL, "app-" + number);
                        case DISTINCT_NOT_MATCHING -> Labels.of(SteadyStateCluster.APP_LABEL, "other-" + number);
                    }));
        }

        String label() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        /** The selectors that the option names, or all. */
        static List<Selectors> named(String option) {
            return option.isEmpty()
                    ? List.of(values())
                    : Stream.of(option.split(","))
                            .map(word -> valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_')))
                            .toList();
        }
    }

    public static void main(String[] args) throws IOException {
        List<Selectors> measured = Selectors.named(args.length < 2 ? "" : args[1]);
        BenchmarkReport report = new BenchmarkReport(
                "decisions next to Reservations, %,d nodes, %d pod templates; by the time its core worked"
                        .formatted(NODES, TEMPLATES));
        List<String> targets = new ArrayList<>();
        report.println("");
        report.println("%,d Reservations next to none: decisions/s, and the ratio in each pair of rounds"
                .formatted(SIDE_BY_SIDE));
        report.println("%-22s %10s %12s %22s %22s".formatted("owners", "none", "with", "ratio", "none again"));
        for (Selectors selectors : measured) {
            report.println(new SideBySide(selectors).line(targets));
        }
        report.println("");
        report.println("CPU time of a decision by the number of Reservations, and the share of pods that use one");
        for (Selectors selectors : measured) {
            reportGrowth(selectors, report, targets);
        }
        report.println("");
        report.println("targets:");
        targets.forEach(report::println);
        report.saveTo(args);
    }

    private static void reportGrowth(Selectors selectors, BenchmarkReport report, List<String> targets) {
        double atStart = Double.NaN;
        double atEnd = Double.NaN;
        for (int size : SIZES) {
            PlacementRun run = run(reservations(size, selectors));
            run.forSeconds(WARM_UP_SECONDS);
            run.forSeconds(MEASURE_SECONDS);
            atStart = size == GROWTH_FROM ? run.undisturbedNanos() : atStart;
            atEnd = run.undisturbedNanos();
            report.println("%-22s %,8d %10.2f us %8.0f %%"
                    .formatted(selectors.label(), size, run.undisturbedNanos() / 1e3, 100 * run.holdShare()));
        }
        int largest = SIZES[SIZES.length - 1];
        double growth = atEnd / atStart;
        targets.add(targetLine(
                growth <= MAX_GROWTH,
                "%s: from %,d to %,d at most %.1f times".formatted(selectors.label(), GROWTH_FROM, largest, MAX_GROWTH),
                growth));
    }

    private static String targetLine(boolean met, String target, double value) {
        return "  %-6s %-70s %6.3f".formatted(met ? "met" : "MISSED", target, value);
    }

    private static PlacementRun run(List<Hold> holds) {
        SteadyStateCluster cluster = new SteadyStateCluster(PODS, PODS_PER_NODE, holds);
        return new PlacementRun(cluster, new Placer(cluster.ledger(), ScoreWeights.DEFAULT)::place, BATCH);
    }

    /** Shared Reservations with capacity for twice as many pods as run, if the nodes have it. */
    private static List<Hold> reservations(int count, Selectors selectors) {
        List<Hold> holds = new ArrayList<>(count);
        long pods = Math.max(1, 2L * NODES * PODS_PER_NODE / count);
        int size = (int) Math.min(pods, MAX_CPU_PER_NODE);
        for (int i = 0; i < count; i++) {
            holds.add(SteadyStateCluster.hold(i, (int) ((long) i * NODES / count), selectors.owner(i), size)
                    .policy(new AllocatePolicy.Restricted(Set.of(ResourceName.CPU, ResourceName.MEMORY)))
                    .build());
        }
        return holds;
    }

    /** The same pods with and without Reservations. A third variant, again without, shows the noise. */
    private static final class SideBySide {
        private final Selectors selectors;
        private final List<Double> ratios = new ArrayList<>();
        private final List<Double> control = new ArrayList<>();

        SideBySide(Selectors selectors) {
            this.selectors = selectors;
        }

        String line(List<String> targets) {
            PlacementRun none = run(List.of());
            PlacementRun with = run(reservations(SIDE_BY_SIDE, selectors));
            PlacementRun again = run(List.of());
            List<PlacementRun> runs = new ArrayList<>(List.of(none, with, again));
            List<Double> without = new ArrayList<>();
            List<Double> among = new ArrayList<>();
            for (int round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
                // Each variant is the first as often as the others.
                runs.forEach(run -> run.forSeconds(ROUND_SECONDS));
                Collections.rotate(runs, 1);
                if (round >= WARM_UP_ROUNDS) {
                    without.add(1e9 / none.decisionNanos());
                    among.add(1e9 / with.decisionNanos());
                    ratios.add(none.decisionNanos() / with.decisionNanos());
                    control.add(none.decisionNanos() / again.decisionNanos());
                }
            }
            double median = Spread.of(ratios).median();
            targets.add(targetLine(
                    median >= MIN_SHARE,
                    "%s: at least %.2f of the decisions without Reservations".formatted(selectors.label(), MIN_SHARE),
                    median));
            return "%-22s %,10.0f %,12.0f %22s %22s"
                    .formatted(
                            selectors.label(),
                            Spread.of(without).median(),
                            Spread.of(among).median(),
                            Spread.of(ratios),
                            Spread.of(control));
        }
    }
}
