package dev.berth.engine;

import dev.berth.core.decision.Pace;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * The time of one turn, in parts: what one part leaves the next may use, and none can take all of it. Read from the
 * loop's clock, so that a clock that stands still in tests bounds nothing by time.
 */
final class TurnTime {
    private static final int PARTS = 4;

    private final InstantSource clock;
    private final Instant begun;
    private final Duration whole;

    private TurnTime(InstantSource clock, Duration whole) {
        this.clock = clock;
        this.begun = clock.instant();
        this.whole = whole;
    }

    static TurnTime begin(InstantSource clock, Duration whole) {
        return new TurnTime(clock, whole);
    }

    /** The end of the first so many parts. */
    Pace upTo(int parts) {
        Instant end = begun.plus(whole.multipliedBy(parts).dividedBy(PARTS));
        return () -> !clock.instant().isBefore(end);
    }

    /** The end of the first so many parts, but at least one part more. */
    Pace upToOrOneMore(int parts) {
        Pace end = upTo(parts);
        Pace more = more(1);
        return () -> end.timeIsUp() && more.timeIsUp();
    }

    /** So many parts more, however late it is. */
    Pace more(int parts) {
        Instant end = clock.instant().plus(whole.multipliedBy(parts).dividedBy(PARTS));
        return () -> !clock.instant().isBefore(end);
    }
}
