package dev.berth.kubernetes.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * A wall clock and a monotonic ticker. The wall clock may be set forward or back. The ticker counts nanoseconds from an
 * arbitrary origin, as {@link System#nanoTime}, and is never set; it may stop while the machine sleeps.
 */
public record Clocks(InstantSource wallClock, LongSupplier ticker) {
    public ClockReading now() {
        return new ClockReading(wallClock.instant(), ticker.getAsLong());
    }

    /** One moment by both clocks. */
    public record ClockReading(Instant wallTime, long nanoTime) {
        /** The elapsed time by the ticker, independent of changes of the wall clock. */
        public Duration elapsedSince(ClockReading earlier) {
            return Duration.ofNanos(nanoTime - earlier.nanoTime);
        }

        /** The largest possible elapsed time: by the clock that shows more, because one of them may have stopped. */
        public Duration maxElapsedSince(ClockReading earlier) {
            Duration ticked = elapsedSince(earlier);
            Duration shown = Duration.between(earlier.wallTime, wallTime);
            return shown.compareTo(ticked) > 0 ? shown : ticked;
        }
    }
}
