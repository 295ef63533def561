package dev.berth.testkit.simulation;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random histories of a cluster with holds, as {@link RandomOperations} draws them. One is replayed with {@code -Dberth.seed}. */
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
        long first = Long.getLong("berth.seed", 1);
        int count = System.getProperty("berth.seed") == null ? histories : 1;
        for (long seed = first; seed < first + count; seed++) {
            HoldsHistory.live(seed);
        }
    }
}
