package dev.berth.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.berth.core.testing.FailureShrinker;
import dev.berth.core.testing.RandomSeeds;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The rankings of holds decide as the reference implementation after any history. */
class SharedHoldsHistoriesTest {
    private static final List<Integer> STEPS = IntStream.range(0, 120).boxed().toList();

    @Test
    void podsOfManyClassesUseTheSameHoldsAsInTheReference() {
        play(120, 20_261_118L);
    }

    @Test
    @Tag("long")
    void podsOfManyClassesUseTheSameHoldsAsInTheReferenceInLongRuns() {
        play(5_000, RandomSeeds.fresh());
    }

    private static void play(int histories, long firstSeed) {
        SharedHoldsHistory.Counts counts = new SharedHoldsHistory.Counts();
        RandomSeeds.forEach(firstSeed, histories, seed -> {
            if (SharedHoldsHistory.play(seed, STEPS, counts).isPresent()) {
                explain(seed);
            }
        });
        System.out.printf("%d histories of shared holds from seed %d: %s%n", histories, firstSeed, counts);
        RandomSeeds.checkOverAll(() -> assertThat(counts.rarest()).isPositive());
    }

    private static void explain(long seed) {
        List<Integer> shorter = FailureShrinker.shrink(
                STEPS,
                rest -> SharedHoldsHistory.play(seed, rest, new SharedHoldsHistory.Counts())
                        .isPresent());
        String wrong = SharedHoldsHistory.play(seed, shorter, new SharedHoldsHistory.Counts())
                .orElse("nothing wrong when shortened");
        fail("seed %d, steps %s: %s", seed, shorter, wrong);
    }
}
