package dev.berth.testkit.parity;

import java.util.List;
import java.util.Random;

/** Draws from few values, so that they meet, tie and get in each other's way. */
final class RandomChoices {
    private final Random random;

    RandomChoices(long seed) {
        this.random = new Random(seed);
    }

    boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    @SafeVarargs
    final <T> T any(T... values) {
        return values[random.nextInt(values.length)];
    }

    <T> T any(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** From least to most, both among them. */
    int between(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }
}
