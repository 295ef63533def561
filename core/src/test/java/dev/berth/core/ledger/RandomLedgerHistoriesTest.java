package dev.berth.core.ledger;

import static org.assertj.core.api.Assertions.fail;

import dev.berth.core.reference.RandomHistory;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
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
        long seed = Long.getLong("berth.seed", ThreadLocalRandom.current().nextLong());
        for (int i = 0; i < histories; i++) {
            Optional<RandomHistory.Failure> failure = RandomHistory.run(seed + i);
            if (failure.isPresent()) {
                fail("after %d histories: %s", i, failure.get().message());
            }
        }
        System.out.printf("%d random ledger histories equal the slow twin, seed %d%n", histories, seed);
    }
}
