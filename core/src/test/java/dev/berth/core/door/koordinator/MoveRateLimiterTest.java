package dev.berth.core.door.koordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.door.koordinator.ZoneHealth.MoveRate;
import dev.berth.core.door.koordinator.settings.MoveSettings;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MoveRateLimiterTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    @ParameterizedTest
    @ValueSource(ints = {1, 9, 10, 60})
    void atTheReducedRateOneTenthOfTheMovesIsAllowed(int maxPerMinute) {
        MoveRateLimiter limiter = new MoveRateLimiter(new MoveSettings(true, maxPerMinute));
        int moved = 0;
        for (Instant now = START; now.isBefore(START.plusSeconds(6_000)); now = now.plusSeconds(1)) {
            moved += limiter.acquire(MoveRate.REDUCED, now).isEmpty() ? 1 : 0;
        }
        assertThat(moved)
                .as("100 minutes, and what the full bucket allows at first")
                .isBetween(10 * maxPerMinute, 11 * maxPerMinute);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 9, 60})
    void theReturnedTimeAllowsTheNextMove(int maxPerMinute) {
        MoveRateLimiter limiter = new MoveRateLimiter(new MoveSettings(true, maxPerMinute));
        Instant now = START;
        for (int move = 0; move < 20; move++) {
            Instant at = limiter.acquire(MoveRate.REDUCED, now).orElse(now);
            if (at.isAfter(now)) {
                assertThat(limiter.acquire(MoveRate.REDUCED, at)).isEmpty();
            }
            now = at;
        }
    }
}
