package dev.berth.core.door.koordinator;

import java.time.Instant;
import java.util.Optional;

/**
 * Whether a reservation moves.
 *
 * @param cause why it must leave its node; empty if it can stay
 * @param obstacle why it stays nevertheless, as a sentence for the condition; empty if nothing keeps it
 */
record MoveDecision(Optional<MoveCause> cause, Optional<String> obstacle) {
    static final MoveDecision STAY = new MoveDecision(Optional.empty(), Optional.empty());

    boolean isDue(Instant now) {
        return dueAt().filter(at -> !at.isAfter(now)).isPresent();
    }

    /** From when on it moves; empty if it stays. */
    Optional<Instant> dueAt() {
        return obstacle.isPresent() ? Optional.empty() : cause.map(MoveCause::due);
    }
}
