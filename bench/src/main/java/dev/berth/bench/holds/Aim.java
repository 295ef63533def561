package dev.berth.bench.holds;

import java.util.Optional;

/**
 * How long a load may take at one size.
 *
 * @param clock by which the time is taken
 */
record Aim(int size, double seconds, Clock clock) {
    enum Clock {
        LOOP("CPU time of the loop"),
        WALL("wall time");

        private final String words;

        Clock(String words) {
            this.words = words;
        }
    }

    String words() {
        return "%,d take at most %.1f s of %s".formatted(size, seconds, clock.words);
    }

    /** What it took, where the load came to its end. */
    Optional<Double> took(Figures figures) {
        return figures.each().isEmpty()
                ? Optional.empty()
                : Optional.of(clock == Clock.LOOP ? figures.seconds() : figures.wall());
    }
}
