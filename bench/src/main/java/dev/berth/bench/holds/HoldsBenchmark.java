package dev.berth.bench.holds;

import dev.berth.bench.BenchmarkReport;
import dev.berth.bench.ProgressLine;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * How the cost of holds grows with their number. Each load runs at three sizes against Berth's loop on its own thread,
 * with an API server that answers at once, while a probe sends small queries to the loop. The time is the CPU time of
 * the loop's thread, so that other processes have little influence; the queries are measured by the wall clock.
 */
public final class HoldsBenchmark {
    private static final List<Integer> SIZES = List.of(100, 1_000, 10_000);
    private static final int RUNS = 3;
    private static final int WARM_UPS = 2;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private HoldsBenchmark() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Set<String> only = args.length < 2 ? Set.of() : Set.copyOf(List.of(args[1].split(",")));
        ProgressLine progressLine = new ProgressLine();
        BenchmarkReport report = new BenchmarkReport(
                "growth of the cost of holds; a load is cut off after %d s".formatted(LIMIT.toSeconds()));
        report.println("growth: of the time of each, from one size to the next; 1 is linear, 10 is quadratic");
        Map<Integer, Load> loads = new TreeMap<>();
        List<Load> all = Loads.all();
        for (int number = 1; number <= all.size(); number++) {
            if (only.isEmpty() || only.contains("" + number)) {
                loads.put(number, all.get(number - 1));
            }
        }
        for (Load load : loads.values()) {
            progressLine.begin("warming up: " + load.name());
            for (int i = 0; i < WARM_UPS; i++) {
                measure(load, SIZES.get(0));
            }
        }
        TargetReport targetReport = new TargetReport();
        for (Map.Entry<Integer, Load> load : loads.entrySet()) {
            targetReport.add(
                    load.getKey(),
                    load.getValue(),
                    measureAllSizes(load.getKey(), load.getValue(), progressLine, report));
        }
        progressLine.end();
        report.println("");
        targetReport.lines().forEach(report::println);
        report.saveTo(args);
    }

    private static Map<Integer, LoadResult> measureAllSizes(
            int number, Load load, ProgressLine progressLine, BenchmarkReport report) throws InterruptedException {
        report.println("");
        report.println("(%d) %s; each: %s".formatted(number, load.name(), load.itemName()));
        report.println(LoadResult.HEADER);
        Map<Integer, LoadResult> bySize = new TreeMap<>();
        Optional<LoadResult> smaller = Optional.empty();
        for (int size : SIZES) {
            progressLine.begin("%s: %,d".formatted(load.name(), size));
            LoadResult loadResult = median(load, size);
            progressLine.end();
            report.println(loadResult.line(smaller));
            smaller = Optional.of(loadResult);
            bySize.put(size, loadResult);
            if (loadResult.microsPerItem().isEmpty()) {
                break;
            }
        }
        return bySize;
    }

    /** The run with the median time, if the size is small and a run is short. */
    private static LoadResult median(Load load, int size) throws InterruptedException {
        List<LoadResult> runs = new ArrayList<>();
        int count = size == SIZES.get(SIZES.size() - 1) ? 1 : RUNS;
        for (int i = 0; i < count; i++) {
            runs.add(measure(load, size));
        }
        runs.sort(Comparator.comparing((LoadResult run) -> run.microsPerItem().isEmpty())
                .thenComparing(LoadResult::loopCpuSeconds));
        return runs.get(count / 2);
    }

    private static LoadResult measure(Load load, int size) throws InterruptedException {
        System.gc();
        LoopHarness loopHarness = new LoopHarness(LIMIT);
        long start = System.nanoTime();
        try {
            load.prepare(loopHarness, size);
            loopHarness.awaitQuiet();
            loopHarness.restartTimer();
            return measurePrepared(load, loopHarness, size);
        } catch (LoopHarness.TimeLimitExceeded cutOff) {
            double took = (System.nanoTime() - start) / 1e9;
            return new LoadResult(size, took, took, Optional.empty(), 0, 0, 0);
        } finally {
            loopHarness.stop();
        }
    }

    private static LoadResult measurePrepared(Load load, LoopHarness loopHarness, int size)
            throws InterruptedException {
        LatencyProbe latencyProbe = new LatencyProbe(loopHarness);
        long start = System.nanoTime();
        double seconds;
        double wall;
        Optional<Double> each;
        try {
            long before = loopHarness.loopCpuNanos();
            int parts = load.run(loopHarness, size);
            wall = (System.nanoTime() - start) / 1e9;
            // Work that the load left for later turns is part of its cost.
            seconds = (loopHarness.awaitQuiet() - before) / 1e9;
            each = Optional.of(1e6 * seconds / parts);
        } catch (LoopHarness.TimeLimitExceeded cutOff) {
            seconds = (System.nanoTime() - start) / 1e9;
            wall = seconds;
            each = Optional.empty();
        } finally {
            latencyProbe.stop();
        }
        return new LoadResult(
                size,
                seconds,
                wall,
                each,
                latencyProbe.percentile(0.5),
                latencyProbe.percentile(0.99),
                latencyProbe.percentile(1));
    }
}
