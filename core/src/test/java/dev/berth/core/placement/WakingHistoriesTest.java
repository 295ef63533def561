package dev.berth.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.berth.core.testing.Shortening;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens, no refused pod sleeps on while some node would take it. */
class WakingHistoriesTest {
    private static final int STEPS = 80;

    @Test
    void noPodSleepsThatSomeNodeWouldTake() {
        play(200, Long.getLong("berth.waking.seed", 20_261_116L));
    }

    @ParameterizedTest
    @ValueSource(longs = {20_261_150L, 7_001_729L, 9_001_438L})
    void whatOnceWentWrongGoesWell(long seed) {
        assertThat(WakingHistory.play(seed, steps(), new WakingHistory.Tally())).isEmpty();
    }

    @Test
    @Tag("long")
    void noPodSleepsThatSomeNodeWouldTakeForLong() {
        play(5_000, Long.getLong("berth.waking.seed", new Random().nextLong()));
    }

    private static void play(int histories, long firstSeed) {
        WakingHistory.Tally tally = new WakingHistory.Tally();
        List<Integer> steps = steps();
        for (long seed = firstSeed; seed < firstSeed + histories; seed++) {
            if (WakingHistory.play(seed, steps, tally).isPresent()) {
                explain(seed, steps);
            }
        }
        System.out.printf("%d waking histories of %d steps from seed %d: %s%n", histories, STEPS, firstSeed, tally);
        assertThat(tally.rarest()).isPositive();
    }

    private static List<Integer> steps() {
        return IntStream.range(0, STEPS).boxed().toList();
    }

    private static void explain(long seed, List<Integer> steps) {
        List<Integer> shorter = Shortening.of(
                steps,
                rest -> WakingHistory.play(seed, rest, new WakingHistory.Tally())
                        .isPresent());
        String wrong =
                WakingHistory.play(seed, shorter, new WakingHistory.Tally()).orElse("nothing wrong when shortened");
        fail("seed %d, steps %s: %s", seed, shorter, wrong);
    }
}
