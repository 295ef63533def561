package dev.berth.bench.holds;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reports for each target of each load whether it is met. */
final class TargetReport {
    private static final double MAX_GROWTH = 2;
    private static final double MAX_P99_MILLIS = 50;

    private final List<String> lines = new ArrayList<>();

    /** @param bySize the results, the smallest size first; sizes after a load that was cut off are missing */
    void add(int number, Load load, Map<Integer, LoadResult> bySize) {
        List<LoadResult> all = List.copyOf(bySize.values());
        LoadResult largest = all.get(all.size() - 1);
        Optional<Double> growth = all.size() < 2 ? Optional.empty() : largest.growth(all.get(all.size() - 2));
        addLine(number, "the last growth is at most %.0f".formatted(MAX_GROWTH), growth, MAX_GROWTH);
        for (PerformanceTarget performanceTarget : load.targets()) {
            Optional<Double> took = Optional.ofNullable(bySize.get(performanceTarget.loadSize()))
                    .flatMap(performanceTarget::measuredSeconds);
            addLine(number, performanceTarget.message(), took, performanceTarget.seconds());
        }
        boolean complete =
                all.stream().allMatch(loadResult -> loadResult.microsPerItem().isPresent());
        Optional<Double> wait = all.stream()
                .filter(figures -> complete && figures.size() <= load.defaultLimit())
                .map(LoadResult::p99Millis)
                .max(Comparator.naturalOrder());
        String upTo = load.defaultLimit() < largest.size() ? ", up to %,d".formatted(load.defaultLimit()) : "";
        String target = "questions wait at most %.0f ms at p99%s".formatted(MAX_P99_MILLIS, upTo);
        addLine(number, target, wait, MAX_P99_MILLIS);
    }

    private void addLine(int number, String aim, Optional<Double> value, double limit) {
        boolean met = value.isPresent() && value.get() <= limit;
        String measured = value.map("%.2f"::formatted).orElse("cut off");
        lines.add("%-7s %4s %-58s %s".formatted(met ? "met" : "MISSED", "(%d)".formatted(number), aim, measured));
    }

    List<String> lines() {
        return lines;
    }
}
