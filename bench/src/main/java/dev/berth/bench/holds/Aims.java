package dev.berth.bench.holds;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Says of each aim of each load whether it is met. */
final class Aims {
    private static final double MOST_GROWTH = 2;
    private static final double LONGEST_WAIT_MILLIS = 50;

    private final List<String> lines = new ArrayList<>();

    /** @param bySize what was measured, the smallest size first; sizes after one that was cut off are missing */
    void add(int number, Load load, Map<Integer, Figures> bySize) {
        List<Figures> all = List.copyOf(bySize.values());
        Figures largest = all.get(all.size() - 1);
        Optional<Double> growth = all.size() < 2 ? Optional.empty() : largest.growth(all.get(all.size() - 2));
        say(number, "the last growth is at most %.0f".formatted(MOST_GROWTH), growth, MOST_GROWTH);
        for (Aim aim : load.aims()) {
            Optional<Double> took = Optional.ofNullable(bySize.get(aim.size())).flatMap(aim::took);
            say(number, aim.words(), took, aim.seconds());
        }
        boolean complete = all.stream().allMatch(figures -> figures.each().isPresent());
        Optional<Double> wait = all.stream()
                .filter(figures -> complete && figures.size() <= load.mostByDefault())
                .map(Figures::most99)
                .max(Comparator.naturalOrder());
        String upTo = load.mostByDefault() < largest.size() ? ", up to %,d".formatted(load.mostByDefault()) : "";
        String words = "questions wait at most %.0f ms at p99%s".formatted(LONGEST_WAIT_MILLIS, upTo);
        say(number, words, wait, LONGEST_WAIT_MILLIS);
    }

    private void say(int number, String aim, Optional<Double> value, double most) {
        boolean met = value.isPresent() && value.get() <= most;
        String measured = value.map("%.2f"::formatted).orElse("cut off");
        lines.add("%-7s %4s %-58s %s".formatted(met ? "met" : "MISSED", "(%d)".formatted(number), aim, measured));
    }

    List<String> lines() {
        return lines;
    }
}
