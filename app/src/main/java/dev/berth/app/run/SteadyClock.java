package dev.berth.app.run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A wall clock that never goes back and never stands still. If the machine's clock is set back, pods and holds would
 * otherwise wait until it catches up. So this clock runs slower by one twentieth until both agree again. If the
 * machine's clock is set forward, or the machine slept, it follows at once, because deadlines in between have passed.
 * For a Lease that would be too early, so the election uses a monotonic ticker.
 *
 * <p>Safe from any thread.
 */
public final class SteadyClock implements InstantSource {
    private static final Logger LOG = LoggerFactory.getLogger(SteadyClock.class);
    private static final int SLOWDOWN_DIVISOR = 20;
    private static final Duration LOG_THRESHOLD = Duration.ofSeconds(1);

    private final InstantSource wall;
    private final LongSupplier nanos;
    private final boolean logsSteps;
    // All guarded by this.
    private Instant last;
    private long lastNanos;
    private boolean ahead;

    SteadyClock(InstantSource wall, LongSupplier nanos) {
        this(wall, nanos, true);
    }

    private SteadyClock(InstantSource wall, LongSupplier nanos, boolean logsStep) {
        this.logsSteps = logsStep;
        this.wall = wall;
        this.nanos = nanos;
        this.last = wall.instant();
        this.lastNanos = nanos.getAsLong();
    }

    /** Follows an estimate. An estimate that goes back may only have become better, so nothing is logged. */
    static SteadyClock followingEstimate(InstantSource estimate, LongSupplier nanos) {
        return new SteadyClock(estimate, nanos, false);
    }

    public static SteadyClock system() {
        return new SteadyClock(InstantSource.system(), System::nanoTime);
    }

    @Override
    public synchronized Instant instant() {
        long tick = nanos.getAsLong();
        long passed = Math.max(0, tick - lastNanos);
        lastNanos = tick;
        Instant shown = wall.instant();
        Instant slower = last.plusNanos(passed - passed / SLOWDOWN_DIVISOR);
        last = shown.isBefore(slower) ? slower : shown;
        logStepBack(Duration.between(shown, last));
        return last;
    }

    private void logStepBack(Duration before) {
        boolean now = before.compareTo(LOG_THRESHOLD) > 0;
        if (now && !ahead && logsSteps) {
            LOG.warn(
                    "the machine's clock went back by {} ms. Berth's own clock does not go back: it runs slower until both"
                            + " agree",
                    before.toMillis());
        }
        ahead = now;
    }
}
