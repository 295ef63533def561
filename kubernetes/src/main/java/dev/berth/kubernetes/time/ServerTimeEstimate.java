package dev.berth.kubernetes.time;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Estimates the API server's time from the Date headers of its responses. A response to a request of tick {@code a}
 * that arrived at tick {@code b} was written in between, within the second of its header. So the server's time at tick
 * 0 is in an interval, and the true value is in the intersection of all intervals. A slow response gives a wide
 * interval and does no harm. Clocks drift, so intervals widen with time.
 *
 * <p>A single contradicting response changes nothing: a proxy or a server with a wrong clock must not end anything.
 * Several responses that agree with each other for a while mean that the clock was set. Safe from any thread.
 */
public final class ServerTimeEstimate {
    /** The maximum drift between two clocks: 500 parts per million, the limit that NTP corrects. */
    private static final long DRIFT_ONE_IN = 2_000;

    private static final long SECOND = 1_000_000_000L;
    private static final int REQUIRED_AGREEING = 3;
    private static final long REQUIRED_AGREEMENT_NANOS = 2 * SECOND;

    // All guarded by this.
    private Optional<OffsetInterval> estimate = Optional.empty();
    private Optional<OffsetInterval> contradicting = Optional.empty();
    private int agreeingCount;
    private long contradictingSince;

    /** The interval of the server's time at tick 0, in nanoseconds since 1970, as known at a tick. */
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
     * Adds a response.
     *
     * @param sentNanos the tick of a monotonic clock at which the request was sent
     * @param receivedNanos the tick at which the response arrived
     * @param date the Date header, in whole seconds
     * @return by how much at least the server's clock was set before this response, negative if it was set back; zero
     * if all responses are consistent. A narrower interval does not mean that the clock was set
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

    /** Whether the responses prove that the server's time at a tick differs from a time by more than this. */
    public synchronized boolean differsBy(long nanoTime, Instant from, Duration by) {
        return estimate.map(interval -> interval.widenedTo(nanoTime))
                .filter(interval -> from.isBefore(
                                Instant.EPOCH.plusNanos(interval.low + nanoTime).minus(by))
                        || from.isAfter(Instant.EPOCH
                                .plusNanos(interval.high + nanoTime)
                                .plus(by)))
                .isPresent();
    }

    /** The server's time at a tick; empty before the first response. */
    public synchronized Optional<Instant> at(long nanoTime) {
        return estimate.map(interval -> Instant.EPOCH.plusNanos(interval.middle() + nanoTime));
    }
}
