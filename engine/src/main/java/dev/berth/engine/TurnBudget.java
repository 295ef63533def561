package dev.berth.engine;

import dev.berth.core.scheduling.TimeBudget;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The time of one turn, divided into parts. A kind of work may use the time that earlier kinds left, but none can use
 * all of it. Based on the loop's clock, so that a stopped clock in tests limits nothing.
 */
final class TurnBudget {
    private static final int PARTS = 4;

    private final InstantSource clock;
    private final Instant startedAt;
    private final Duration whole;

    private TurnBudget(InstantSource clock, Duration whole) {
        this.clock = clock;
        this.startedAt = clock.instant();
        this.whole = whole;
    }

    static TurnBudget start(InstantSource clock, Duration whole) {
        return new TurnBudget(clock, whole);
    }

    /** The end of the first parts. */
    TimeBudget untilEndOfPart(int parts) {
        Instant end = startedAt.plus(whole.multipliedBy(parts).dividedBy(PARTS));
        return () -> !clock.instant().isBefore(end);
    }

    /** The end of the first parts, but at least one part from now. */
    TimeBudget untilEndOfPartOrOneMore(int parts) {
        TimeBudget end = untilEndOfPart(parts);
        TimeBudget more = forParts(1);
        return () -> end.isExhausted() && more.isExhausted();
    }

    /** So many parts from now, however late it is. */
    TimeBudget forParts(int parts) {
        Instant end = clock.instant().plus(whole.multipliedBy(parts).dividedBy(PARTS));
        return () -> !clock.instant().isBefore(end);
    }
}
