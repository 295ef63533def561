package dev.berth.core.door.alldoors;

import dev.berth.core.testing.RandomSeeds;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Facts that tenants and other programs can write, sensible ones and nonsense, reach all doors in any order: nothing throws,
 * the ledger keeps its invariants after each turn, and a process that starts afterwards reads all of it.
 */
class FactFuzzTest {
    private static final int STEPS = 60;
    private static final int HISTORIES = 300;
    private static final Duration BUDGET = Duration.ofSeconds(8);

    /** The number of histories is fixed; on a slow machine the time is. */
    @Test
    void factsThatTenantsCanWriteNeverBreakTheLoop() {
        Instant end = Instant.now().plus(BUDGET);
        AtomicInteger played = new AtomicInteger();
        RandomSeeds.forEach(1, HISTORIES, seed -> {
            if (played.get() == 0 || Instant.now().isBefore(end)) {
                play(seed);
                played.incrementAndGet();
            }
        });
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
                    "%s%n%s".formatted(broken, String.join(System.lineSeparator(), history.log())), broken);
        }
    }
}
