package dev.berth.bench.holds;

import java.util.Optional;

/**
 * How long a load may take at one size.
 *
 * @param clock by which the time is taken
 */
record PerformanceTarget(int loadSize, double seconds, Clock clock) {
    enum Clock {
        LOOP("CPU time of the loop"),
        WALL("wall time");

        private final String label;

        Clock(String words) {
            this.label = words;
        }
    }

    String message() {
        return "%,d take at most %.1f s of %s".formatted(loadSize, seconds, clock.label);
    }

    /** What it took, where the load came to its end. */
    Optional<Double> measuredSeconds(LoadResult loadResult) {
        return loadResult.microsPerItem().isEmpty()
                ? Optional.empty()
                : Optional.of(clock == Clock.LOOP ? loadResult.loopCpuSeconds() : loadResult.wallSeconds());
    }
}
