package dev.berth.bench.holds;

import java.util.Optional;

/**
 * The time limit of a load at one size.
 *
 * @param clock the clock that measures it
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

    /** The measured time, if the load was completed. */
    Optional<Double> measuredSeconds(LoadResult loadResult) {
        return loadResult.microsPerItem().isEmpty()
                ? Optional.empty()
                : Optional.of(clock == Clock.LOOP ? loadResult.loopCpuSeconds() : loadResult.wallSeconds());
    }
}
