package dev.berth.app.run;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time of day for those who also measure by it. When the machine's clock is put back, pods would wait and holds
 * would last until it has made up for that: so this one never goes back and never stands still. It is slower by a
 * twentieth until the two agree again. When the machine's clock is put forward, or the machine slept, it follows at
 * once: what should have ended meanwhile has. For a Lease that would be too early, so the election counts by a ticker.
 *
 * <p>Safe from any thread.
 */
public final class SteadyClock implements InstantSource {
    private static final Logger LOG = LoggerFactory.getLogger(SteadyClock.class);
    private static final int SLOWER_BY_ONE_IN = 20;
    private static final Duration WORTH_A_WORD = Duration.ofSeconds(1);

    private final InstantSource wall;
    private final LongSupplier nanos;
    private final boolean tells;
    // All guarded by this.
    private Instant last;
    private long lastNanos;
    private boolean ahead;

    SteadyClock(InstantSource wall, LongSupplier nanos) {
        this(wall, nanos, true);
    }

    private SteadyClock(InstantSource wall, LongSupplier nanos, boolean tells) {
        this.tells = tells;
        this.wall = wall;
        this.nanos = nanos;
        this.last = wall.instant();
        this.lastNanos = nanos.getAsLong();
    }

    /** Follows an estimate: one that goes back may only have become better, so nothing is logged. */
    static SteadyClock ofEstimate(InstantSource estimate, LongSupplier nanos) {
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
        Instant slower = last.plusNanos(passed - passed / SLOWER_BY_ONE_IN);
        last = shown.isBefore(slower) ? slower : shown;
        tell(Duration.between(shown, last));
        return last;
    }

    private void tell(Duration before) {
        boolean now = before.compareTo(WORTH_A_WORD) > 0;
        if (now && !ahead && tells) {
            LOG.warn(
                    "the machine's clock went back by {} ms. Berth's own clock does not go back: it runs slower until both"
                            + " agree",
                    before.toMillis());
        }
        ahead = now;
    }
}
