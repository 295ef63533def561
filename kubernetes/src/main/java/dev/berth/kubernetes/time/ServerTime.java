package dev.berth.kubernetes.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * What time it is at the API server, from the Date headers of its answers. An answer that was asked for at tick {@code a}
 * and came at tick {@code b} was written in between, within the second that it names: so the server's time at tick 0 lies in
 * an interval, and the true one lies in the intersection of all of them. A slow answer gives a wide interval and does no
 * harm. Clocks drift, so intervals widen with time.
 *
 * <p>An answer that contradicts the others changes nothing alone: a proxy or a server whose clock is wrong must not end
 * anything. Several that agree with each other for a while are a clock that was set. Safe from any thread.
 */
public final class ServerTime {
    /** So much may two clocks differ more with time: five hundred parts of a million, the most that NTP corrects. */
    private static final long DRIFT_ONE_IN = 2_000;

    private static final long SECOND = 1_000_000_000L;
    private static final int ENOUGH_THAT_AGREE = 3;
    private static final long AGREE_FOR = 2 * SECOND;

    // All guarded by this.
    private Optional<Interval> known = Optional.empty();
    private Optional<Interval> other = Optional.empty();
    private int agree;
    private long otherSince;

    /** Where the server's time at tick 0 lies, in nanoseconds since 1970, as was known at a tick. */
    private record Interval(long low, long high, long at) {
        private Interval widenedTo(long tick) {
            long drift = Math.max(0, tick - at) / DRIFT_ONE_IN;
            return new Interval(low - drift, high + drift, tick);
        }

        private Optional<Interval> and(Interval that) {
            long from = Math.max(low, that.low);
            long to = Math.min(high, that.high);
            return from > to ? Optional.empty() : Optional.of(new Interval(from, to, that.at));
        }

        private long middle() {
            return low + (high - low) / 2;
        }
    }

    /**
     * Takes in an answer.
     *
     * @param asked the tick, of a clock that nobody sets, at which it was asked for
     * @param came the tick at which it came
     * @param date what it says, in whole seconds
     * @return by how much at least the server's clock was set with this answer, less than zero for one put back; zero where
     *     all answers fit one clock. An interval that becomes narrower is no clock that was set
     */
    public synchronized Duration answered(long asked, long came, Instant date) {
        long second = Math.multiplyExact(date.getEpochSecond(), SECOND);
        Interval said = new Interval(second - came, second + SECOND - asked, came);
        Optional<Interval> both =
                known.map(interval -> interval.widenedTo(came)).flatMap(said::and);
        if (known.isEmpty() || both.isPresent()) {
            known = Optional.of(both.orElse(said));
            other = Optional.empty();
            return Duration.ZERO;
        }
        return contradicted(known.get().widenedTo(came), said, came);
    }

    private Duration contradicted(Interval before, Interval said, long came) {
        Optional<Interval> both =
                other.map(interval -> interval.widenedTo(came)).flatMap(said::and);
        if (both.isEmpty()) {
            otherSince = came;
            agree = 0;
        }
        agree++;
        Interval now = both.orElse(said);
        other = Optional.of(now);
        if (agree >= ENOUGH_THAT_AGREE && came - otherSince >= AGREE_FOR) {
            known = other;
            other = Optional.empty();
            return Duration.ofNanos(now.high < before.low ? now.high - before.low : now.low - before.high);
        }
        return Duration.ZERO;
    }

    /** Whether the answers prove that the server's time at a tick differs from a time by more than so much. */
    public synchronized boolean differs(long tick, Instant from, Duration by) {
        return known.map(interval -> interval.widenedTo(tick))
                .filter(interval -> from.isBefore(
                                Instant.EPOCH.plusNanos(interval.low + tick).minus(by))
                        || from.isAfter(
                                Instant.EPOCH.plusNanos(interval.high + tick).plus(by)))
                .isPresent();
    }

    /** The server's time at a tick; empty before the first answer. */
    public synchronized Optional<Instant> at(long tick) {
        return known.map(interval -> Instant.EPOCH.plusNanos(interval.middle() + tick));
    }
}
