package dev.berth.bench.holds;

import dev.berth.bench.Progress;
import dev.berth.bench.Report;
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
 * How the cost of holds grows with their number. Each load is played at three sizes against Berth's loop on its own
 * thread, with all writes answered at once, while somebody asks the loop small questions. The time is what the loop's
 * thread worked, so that neighbours on the machine count little; the questions wait by the wall clock.
 */
public final class HoldsBenchmark {
    private static final List<Integer> SIZES = List.of(100, 1_000, 10_000);
    private static final int RUNS = 3;
    private static final int WARM_UPS = 2;
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private HoldsBenchmark() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        Set<String> only = args.length < 2 ? Set.of() : Set.copyOf(List.of(args[1].split(",")));
        Progress progress = new Progress();
        Report report =
                new Report("growth of the cost of holds; a load is cut off after %d s".formatted(LIMIT.toSeconds()));
        report.say("growth: of the time of each, from one size to the next; 1 is linear, 10 is quadratic");
        Map<Integer, Load> loads = new TreeMap<>();
        List<Load> all = Loads.all();
        for (int number = 1; number <= all.size(); number++) {
            if (only.isEmpty() || only.contains("" + number)) {
                loads.put(number, all.get(number - 1));
            }
        }
        for (Load load : loads.values()) {
            progress.begin("warming up: " + load.name());
            for (int i = 0; i < WARM_UPS; i++) {
                measure(load, SIZES.get(0));
            }
        }
        Aims aims = new Aims();
        for (Map.Entry<Integer, Load> load : loads.entrySet()) {
            aims.add(load.getKey(), load.getValue(), play(load.getKey(), load.getValue(), progress, report));
        }
        progress.end();
        report.say("");
        aims.lines().forEach(report::say);
        report.keep(args);
    }

    private static Map<Integer, Figures> play(int number, Load load, Progress progress, Report report)
            throws InterruptedException {
        report.say("");
        report.say("(%d) %s; each: %s".formatted(number, load.name(), load.each()));
        report.say(Figures.HEADER);
        Map<Integer, Figures> bySize = new TreeMap<>();
        Optional<Figures> smaller = Optional.empty();
        for (int size : SIZES) {
            progress.begin("%s: %,d".formatted(load.name(), size));
            Figures figures = median(load, size);
            progress.end();
            report.say(figures.line(smaller));
            smaller = Optional.of(figures);
            bySize.put(size, figures);
            if (figures.each().isEmpty()) {
                break;
            }
        }
        return bySize;
    }

    /** Of several runs the one with the median time, where the size is small and a run short. */
    private static Figures median(Load load, int size) throws InterruptedException {
        List<Figures> runs = new ArrayList<>();
        int count = size == SIZES.get(SIZES.size() - 1) ? 1 : RUNS;
        for (int i = 0; i < count; i++) {
            runs.add(measure(load, size));
        }
        runs.sort(Comparator.comparing((Figures run) -> run.each().isEmpty()).thenComparing(Figures::seconds));
        return runs.get(count / 2);
    }

    private static Figures measure(Load load, int size) throws InterruptedException {
        System.gc();
        Stage stage = new Stage(LIMIT);
        long start = System.nanoTime();
        try {
            load.prepare(stage, size);
            stage.quiet();
            stage.begin();
            return measurePrepared(load, stage, size);
        } catch (Stage.TooSlow cutOff) {
            double took = (System.nanoTime() - start) / 1e9;
            return new Figures(size, took, took, Optional.empty(), 0, 0, 0);
        } finally {
            stage.end();
        }
    }

    private static Figures measurePrepared(Load load, Stage stage, int size) throws InterruptedException {
        Questions questions = new Questions(stage);
        long start = System.nanoTime();
        double seconds;
        double wall;
        Optional<Double> each;
        try {
            long before = stage.worked();
            int parts = load.play(stage, size);
            wall = (System.nanoTime() - start) / 1e9;
            // What the load left for later turns is its cost as well.
            seconds = (stage.quiet() - before) / 1e9;
            each = Optional.of(1e6 * seconds / parts);
        } catch (Stage.TooSlow cutOff) {
            seconds = (System.nanoTime() - start) / 1e9;
            wall = seconds;
            each = Optional.empty();
        } finally {
            questions.end();
        }
        return new Figures(
                size,
                seconds,
                wall,
                each,
                questions.percentile(0.5),
                questions.percentile(0.99),
                questions.percentile(1));
    }
}
