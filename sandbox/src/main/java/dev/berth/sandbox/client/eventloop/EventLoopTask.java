package dev.berth.sandbox.client.eventloop;

import java.time.Instant;
import java.util.Optional;

/** A task that runs step by step: on a thread of its own, or on the thread of a simulation. */
public interface EventLoopTask extends AutoCloseable {

    /** Does a limited amount of work, and returns whether it did any. */
    boolean step();

    /** When the next timed work is due; empty when there is none. */
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
