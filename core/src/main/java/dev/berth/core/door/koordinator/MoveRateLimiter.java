package dev.berth.core.door.koordinator;

import dev.berth.core.door.koordinator.settings.MoveSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Limits how many reservations leave nodes that are not ready or have a taint {@code NoExecute}, as a token bucket. The
 * bucket starts full, and holds the moves of one minute, but at least one move.
 */
final class MoveRateLimiter {
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final int REDUCED_COST = 10;

    private final long capacityMillis = Duration.ofMinutes(1).toMillis();
    private final long costMillis;
    private Instant emptyAt = Instant.MIN;

    MoveRateLimiter(MoveSettings settings) {
        this.costMillis = Math.max(1, capacityMillis / settings.maxPerMinute());
    }

    /** Allows a move now and returns empty, or returns when to ask again. */
    Optional<Instant> acquire(ZoneHealth.MoveRate rate, Instant now) {
        if (rate == ZoneHealth.MoveRate.STOPPED) {
            return Optional.of(now.plus(PAUSE));
        }
        long cost = rate == ZoneHealth.MoveRate.REDUCED ? REDUCED_COST * costMillis : costMillis;
        // A bucket that is smaller than the cost would never allow the move.
        Instant full = now.minusMillis(Math.max(capacityMillis, cost));
        Instant from = emptyAt.isAfter(full) ? emptyAt : full;
        Instant after = from.plusMillis(cost);
        if (after.isAfter(now)) {
            return Optional.of(now.plus(Duration.between(now, after)));
        }
        emptyAt = after;
        return Optional.empty();
    }
}
