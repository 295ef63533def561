package dev.berth.core.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.reference.RandomHistory;
import dev.berth.core.testing.RandomSeeds;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Random histories, compared with the reference ledger after each step. Replay a failing one with {@code -Dberth.seed}.
 */
class RandomLedgerHistoriesTest {
    private static final int FEW = 2_000;
    private static final int MANY = 100_000;

    @Test
    void randomHistoriesEqualTheReferenceLedger() {
        run(FEW);
    }

    @Test
    @Tag("long")
    void aHundredThousandRandomHistoriesEqualTheReferenceLedger() {
        run(MANY);
    }

    private static void run(int histories) {
        RandomSeeds.forEach(
                RandomSeeds.fresh(),
                histories,
                seed -> assertThat(RandomHistory.run(seed))
                        .map(RandomHistory.Failure::message)
                        .isEmpty());
    }
}
