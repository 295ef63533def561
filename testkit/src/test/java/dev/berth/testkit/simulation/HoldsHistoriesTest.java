package dev.berth.testkit.simulation;

import dev.berth.core.testing.OperationCounts;
import dev.berth.core.testing.RandomSeeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random histories of a cluster with holds, as {@link RandomOperations} draws them. */
class HoldsHistoriesTest {
    private static final int FEW = 20;
    private static final int MANY = 1_000;

    @Test
    void noRandomHistoryLosesOrDuplicatesAHold() {
        run(FEW);
    }

    @Test
    @Tag("long")
    void noneOfAThousandRandomHistoriesLosesOrDuplicatesAHold() {
        run(MANY);
    }

    private static void run(int histories) {
        OperationCounts<RandomOperations.Operation> counts = new OperationCounts<>(RandomOperations.Operation.class);
        RandomSeeds.forEach(1, histories, seed -> HoldsHistory.live(seed, counts));
        counts.assertEachHappened();
    }
}
