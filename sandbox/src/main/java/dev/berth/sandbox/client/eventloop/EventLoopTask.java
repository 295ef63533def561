package dev.berth.sandbox.client.eventloop;

import java.time.Instant;
import java.util.Optional;

/** Work that goes on only when told to: by a thread of its own, or by a simulation on the simulation's thread. */
public interface EventLoopTask extends AutoCloseable {

    /** Does a bounded part of what there is to do now, and says whether it did anything. */
    boolean step();

    /** When there will be something to do although nothing arrives; empty when never. */
    Optional<Instant> nextDue();

    @Override
    void close();

    /** The earlier of two times. */
    static Optional<Instant> earliest(Optional<Instant> one, Optional<Instant> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        return one.get().isBefore(other.get()) ? one : other;
    }
}
