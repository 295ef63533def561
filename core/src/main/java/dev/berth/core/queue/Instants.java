package dev.berth.core.queue;

import java.time.Instant;
import java.util.Optional;

/** When there is next something to do although nothing happens: asked in every turn, so it is answered by comparing. */
public final class Instants {
    private Instants() {}

    /** The earlier of two times; empty when neither will come. */
    public static Optional<Instant> earliest(Optional<Instant> one, Optional<Instant> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return other.get().isBefore(one.get()) ? other : one;
    }
}
