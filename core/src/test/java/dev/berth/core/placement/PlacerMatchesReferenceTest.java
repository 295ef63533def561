package dev.berth.core.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.berth.core.placement.filter.Veto;
import dev.berth.core.testing.FailureShrinker;
import dev.berth.core.testing.RandomSeeds;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The fast path and the reference implementation decide alike after any history. */
class PlacerMatchesReferenceTest {
    private static final int STEPS = 60;
    private static final List<Integer> ALL_STEPS =
            IntStream.range(0, STEPS).boxed().toList();

    @Test
    void placerDecidesAsReference() {
        play(150, 20_261_115L);
    }

    @Test
    @Tag("long")
    void placerDecidesAsReferenceInLongRuns() {
        play(20_000, RandomSeeds.fresh());
    }

    /** What goes wrong in the history of the seed, if anything. */
    static Optional<String> history(long seed) {
        return PlacementHistory.play(seed, ALL_STEPS, new PlacementHistory.Counts());
    }

    private static void play(int histories, long firstSeed) {
        PlacementHistory.Counts counts = new PlacementHistory.Counts();
        RandomSeeds.forEach(firstSeed, histories, seed -> {
            if (PlacementHistory.play(seed, ALL_STEPS, counts).isPresent()) {
                explain(seed, ALL_STEPS);
            }
        });
        System.out.printf("%d placement histories of %d steps from seed %d: %s%n", histories, STEPS, firstSeed, counts);
        RandomSeeds.checkOverAll(() -> assertEverythingHappened(counts));
    }

    private static void assertEverythingHappened(PlacementHistory.Counts counts) {
        assertThat(counts.rarest()).isPositive();
        assertThat(counts.codes())
                .contains(
                        Veto.Code.TOPOLOGY_SPREAD,
                        Veto.Code.TOPOLOGY_LABEL_MISSING,
                        Veto.Code.POD_AFFINITY,
                        Veto.Code.POD_ANTI_AFFINITY,
                        Veto.Code.EXISTING_ANTI_AFFINITY,
                        Veto.Code.DECLARED_FEATURES);
    }

    private static void explain(long seed, List<Integer> steps) {
        List<Integer> shorter = FailureShrinker.shrink(
                steps,
                rest -> PlacementHistory.play(seed, rest, new PlacementHistory.Counts())
                        .isPresent());
        String wrong = PlacementHistory.play(seed, shorter, new PlacementHistory.Counts())
                .orElse("nothing wrong when shortened");
        fail("seed %d, steps %s: %s", seed, shorter, wrong);
    }
}
