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
public final class ServerTimeEstimate {
    /** So much may two clocks differ more with time: five hundred parts of a million, the most that NTP corrects. */
    private static final long DRIFT_ONE_IN = 2_000;

    private static final long SECOND = 1_000_000_000L;
    private static final int REQUIRED_AGREEING = 3;
    private static final long REQUIRED_AGREEMENT_NANOS = 2 * SECOND;

    // All guarded by this.
    private Optional<OffsetInterval> estimate = Optional.empty();
    private Optional<OffsetInterval> contradicting = Optional.empty();
    private int agreeingCount;
    private long contradictingSince;

    /** Where the server's time at tick 0 lies, in nanoseconds since 1970, as was known at a tick. */
    private record OffsetInterval(long low, long high, long at) {
        private OffsetInterval widenedTo(long nanoTime) {
            long drift = Math.max(0, nanoTime - at) / DRIFT_ONE_IN;
            return new OffsetInterval(low - drift, high + drift, nanoTime);
        }

        private Optional<OffsetInterval> intersect(OffsetInterval that) {
            long from = Math.max(low, that.low);
            long to = Math.min(high, that.high);
            return from > to ? Optional.empty() : Optional.of(new OffsetInterval(from, to, that.at));
        }

        private long middle() {
            return low + (high - low) / 2;
        }
    }

    /**
     * Takes in an answer.
     *
     * @param sentNanos the tick, of a clock that nobody sets, at which it was asked for
     * @param receivedNanos the tick at which it came
     * @param date what it says, in whole seconds
     * @return by how much at least the server's clock was set with this answer, less than zero for one put back; zero where
     *     all answers fit one clock. An interval that becomes narrower is no clock that was set
     */
    public synchronized Duration onResponse(long sentNanos, long receivedNanos, Instant date) {
        long second = Math.multiplyExact(date.getEpochSecond(), SECOND);
        OffsetInterval sample = new OffsetInterval(second - receivedNanos, second + SECOND - sentNanos, receivedNanos);
        Optional<OffsetInterval> both =
                estimate.map(interval -> interval.widenedTo(receivedNanos)).flatMap(sample::intersect);
        if (estimate.isEmpty() || both.isPresent()) {
            estimate = Optional.of(both.orElse(sample));
            contradicting = Optional.empty();
            return Duration.ZERO;
        }
        return onContradiction(estimate.get().widenedTo(receivedNanos), sample, receivedNanos);
    }

    private Duration onContradiction(OffsetInterval before, OffsetInterval sample, long receivedNanos) {
        Optional<OffsetInterval> both =
                contradicting.map(interval -> interval.widenedTo(receivedNanos)).flatMap(sample::intersect);
        if (both.isEmpty()) {
            contradictingSince = receivedNanos;
            agreeingCount = 0;
        }
        agreeingCount++;
        OffsetInterval now = both.orElse(sample);
        contradicting = Optional.of(now);
        if (agreeingCount >= REQUIRED_AGREEING && receivedNanos - contradictingSince >= REQUIRED_AGREEMENT_NANOS) {
            estimate = contradicting;
            contradicting = Optional.empty();
            return Duration.ofNanos(now.high < before.low ? now.high - before.low : now.low - before.high);
        }
        return Duration.ZERO;
    }

    /** Whether the answers prove that the server's time at a tick differs from a time by more than so much. */
    public synchronized boolean differsBy(long nanoTime, Instant from, Duration by) {
        return estimate.map(interval -> interval.widenedTo(nanoTime))
                .filter(interval -> from.isBefore(
                                Instant.EPOCH.plusNanos(interval.low + nanoTime).minus(by))
                        || from.isAfter(Instant.EPOCH
                                .plusNanos(interval.high + nanoTime)
                                .plus(by)))
                .isPresent();
    }

    /** The server's time at a tick; empty before the first answer. */
    public synchronized Optional<Instant> at(long nanoTime) {
        return estimate.map(interval -> Instant.EPOCH.plusNanos(interval.middle() + nanoTime));
    }
}
