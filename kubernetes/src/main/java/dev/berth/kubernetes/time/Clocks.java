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
public record Clocks(InstantSource day, LongSupplier ticker) {
    public Moment now() {
        return new Moment(day.instant(), ticker.getAsLong());
    }

    /** One moment by both. */
    public record Moment(Instant day, long tick) {
        /** How long ago something was, whatever was done to the clock of the day. */
        public Duration since(Moment earlier) {
            return Duration.ofNanos(tick - earlier.tick);
        }

        /** How long ago it may have been: by the clock that says more, as one of them may have stood still. */
        public Duration atMostSince(Moment earlier) {
            Duration ticked = since(earlier);
            Duration shown = Duration.between(earlier.day, day);
            return shown.compareTo(ticked) > 0 ? shown : ticked;
        }
    }
}
