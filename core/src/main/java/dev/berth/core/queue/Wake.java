package dev.berth.core.queue;

import java.time.Instant;
import java.util.Optional;

/** When there is next something to do although nothing happens: asked in every turn, so it is answered by comparing. */
public final class Wake {
    private Wake() {}

    /** The earlier of two times; empty when neither will come. */
    public static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return other.get().isBefore(one.get()) ? other : one;
    }
}
