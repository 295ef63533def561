package dev.berth.core.door.koordinator.settings;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When reservations that ended are deleted.
 *
 * @param enabled whether they are deleted at all
 * @param duration how long a reservation that ended stays
 */
public record GarbageCollectionSettings(boolean enabled, Duration duration) {
    public static final GarbageCollectionSettings DEFAULT = new GarbageCollectionSettings(true, Duration.ofDays(1));

    public GarbageCollectionSettings {
        if (duration.isNegative()) {
            throw new IllegalArgumentException("the garbage collection duration (%s) is negative".formatted(duration));
        }
    }

    /** When a reservation that ended at this time is deleted; empty if it stays. */
    public Optional<Instant> deletionTime(Instant endedAt) {
        return enabled ? Optional.of(endedAt.plus(duration)) : Optional.empty();
    }
}
