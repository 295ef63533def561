package dev.berth.kubernetes.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Two ways to know the time. The day's is for others to read; somebody may put it forward or back. The ticker counts
 * nanoseconds from anywhere, as {@link System#nanoTime} does, and nobody sets it; while the machine sleeps it may stand
 * still.
 */
public record Clocks(InstantSource wallClock, LongSupplier ticker) {
    public ClockReading now() {
        return new ClockReading(wallClock.instant(), ticker.getAsLong());
    }

    /** One moment by both. */
    public record ClockReading(Instant wallTime, long nanoTime) {
        /** How long ago something was, whatever was done to the clock of the day. */
        public Duration elapsedSince(ClockReading earlier) {
            return Duration.ofNanos(nanoTime - earlier.nanoTime);
        }

        /** How long ago it may have been: by the clock that says more, as one of them may have stood still. */
        public Duration maxElapsedSince(ClockReading earlier) {
            Duration ticked = elapsedSince(earlier);
            Duration shown = Duration.between(earlier.wallTime, wallTime);
            return shown.compareTo(ticked) > 0 ? shown : ticked;
        }
    }
}
