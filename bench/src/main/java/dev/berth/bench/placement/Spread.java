package dev.berth.bench.placement;

import java.util.List;

/** The median of many values and the quartiles. */
record Spread(double low, double median, double high) {
    static Spread of(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int size = sorted.size();
        return new Spread(sorted.get(size / 4), sorted.get(size / 2), sorted.get(size * 3 / 4));
    }

    @Override
    public String toString() {
        return "%.3f (%.3f to %.3f)".formatted(median, low, high);
    }
}
