package dev.berth.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.berth.core.testing.FailureShrinker;
import dev.berth.core.testing.RandomSeeds;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No pod stays unschedulable while some node is feasible for it, after any history. */
class RequeueHistoriesTest {
    private static final int STEPS = 80;

    @Test
    void noPodStaysUnschedulableThatSomeNodeWouldTake() {
        play(200, 20_261_116L);
    }

    @ParameterizedTest
    @ValueSource(longs = {20_261_150L, 7_001_729L, 9_001_438L})
    void seedsThatOnceFailedPass(long seed) {
        assertThat(RequeueHistory.play(seed, steps(), new RequeueHistory.Counts()))
                .isEmpty();
    }

    @Test
    @Tag("long")
    void noPodStaysUnschedulableThatSomeNodeWouldTakeInLongRuns() {
        play(5_000, RandomSeeds.fresh());
    }

    private static void play(int histories, long firstSeed) {
        RequeueHistory.Counts counts = new RequeueHistory.Counts();
        List<Integer> steps = steps();
        RandomSeeds.forEach(firstSeed, histories, seed -> {
            if (RequeueHistory.play(seed, steps, counts).isPresent()) {
                explain(seed, steps);
            }
        });
        System.out.printf("%d waking histories of %d steps from seed %d: %s%n", histories, STEPS, firstSeed, counts);
        RandomSeeds.checkOverAll(() -> assertThat(counts.rarest()).isPositive());
    }

    private static List<Integer> steps() {
        return IntStream.range(0, STEPS).boxed().toList();
    }

    private static void explain(long seed, List<Integer> steps) {
        List<Integer> shorter = FailureShrinker.shrink(
                steps,
                rest -> RequeueHistory.play(seed, rest, new RequeueHistory.Counts())
                        .isPresent());
        String wrong =
                RequeueHistory.play(seed, shorter, new RequeueHistory.Counts()).orElse("nothing wrong when shortened");
        fail("seed %d, steps %s: %s", seed, shorter, wrong);
    }
}
