package dev.berth.core.time;

import java.time.Instant;
import java.util.Optional;

/** Combines the times of the next wake-up. This runs in every turn, so it only compares. */
public final class Instants {
    private Instants() {}

    /** The earlier of two times; empty if both are empty. */
    public static Optional<Instant> earliest(Optional<Instant> one, Optional<Instant> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return other.get().isBefore(one.get()) ? other : one;
    }
}
