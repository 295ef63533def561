package dev.berth.core.door.alldoors;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Facts that tenants and other programs can write, sensible ones and nonsense, reach all doors in any order: nothing throws,
 * the ledger keeps its invariants after each turn, and a process that starts afterwards reads all of it.
 *
 * <p>A failure names its seed. {@code -Dberth.hostile.seed=17 -Dberth.hostile.histories=1} plays that history alone.
 */
class FactFuzzTest {
    private static final int STEPS = 60;
    private static final int HISTORIES = 300;
    private static final Duration BUDGET = Duration.ofSeconds(8);

    /** The number of histories is fixed; on a slow machine the time is. */
    @Test
    void factsThatTenantsCanWriteNeverBreakTheLoop() {
        long first = Long.getLong("berth.hostile.seed", 1);
        Instant end = Instant.now().plus(BUDGET);
        LongStream.range(first, first + Integer.getInteger("berth.hostile.histories", HISTORIES))
                .takeWhile(seed -> seed == first || Instant.now().isBefore(end))
                .forEach(FactFuzzTest::play);
    }

    /** One history; other programs count how many of them fail. */
    static void play(long seed) {
        FactFuzzer history = new FactFuzzer(seed);
        try {
            for (int step = 0; step < STEPS; step++) {
                history.next();
            }
            history.restart();
        } catch (RuntimeException | AssertionError broken) {
            throw new AssertionError(
                    "-Dberth.hostile.seed=%d -Dberth.hostile.histories=1: %s%n%s"
                            .formatted(seed, broken, String.join(System.lineSeparator(), history.log())),
                    broken);
        }
    }
}
