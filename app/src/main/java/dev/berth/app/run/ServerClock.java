package dev.berth.app.run;

import dev.berth.app.diagnostics.ClockSkew;
import dev.berth.kubernetes.api.ServerDateListener;
import dev.berth.kubernetes.time.ServerTimeEstimate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wall time by the API server's clock. Deadlines are written in it and compared with it, so the clock of Berth's
 * machine does not matter. Before the server's first response it is the machine's time. Then, before anything was
 * listed, it is set to the server's time once, forward or back. From then on it is steady: see {@link SteadyClock}.
 *
 * <p>Safe from any thread.
 */
public final class ServerClock implements InstantSource, ServerDateListener, ClockSkew {
    /** Kubernetes itself tolerates less. */
    static final Duration REPORT_THRESHOLD = Duration.ofSeconds(2);

    private static final Logger LOG = LoggerFactory.getLogger(ServerClock.class);

    private final InstantSource machineClock;
    private final LongSupplier ticker;
    private final ServerTimeEstimate server = new ServerTimeEstimate();
    private volatile @Nullable SteadyClock steady;
    // Guarded by this.
    private boolean skewReported;

    ServerClock(InstantSource machine, LongSupplier ticker) {
        this.machineClock = machine;
        this.ticker = ticker;
    }

    /**
     * A clock that follows the API server.
     *
     * @param machine the clock of this machine
     */
    public static ServerClock following(InstantSource machine) {
        return new ServerClock(machine, System::nanoTime);
    }

    @Override
    public Instant instant() {
        SteadyClock synced = steady;
        return synced == null ? machineClock.instant() : synced.instant();
    }

    /** The API server's time; empty before its first response. */
    Optional<Instant> serverTime() {
        return Optional.ofNullable(steady).map(SteadyClock::instant);
    }

    @Override
    public long nanoTime() {
        return ticker.getAsLong();
    }

    @Override
    public synchronized void onResponse(long sentNanos, long receivedNanos, Instant date) {
        Duration set = server.onResponse(sentNanos, receivedNanos, date);
        if (steady == null) {
            steady = SteadyClock.followingEstimate(this::estimatedServerTime, ticker);
        }
        if (set.isNegative()) {
            LOG.warn(
                    "the API server's clock went back by at least {} ms. Berth's own clock does not go back: it runs slower"
                            + " until both agree",
                    -set.toMillis());
        }
        reportSkew();
    }

    private Instant estimatedServerTime() {
        return server.at(ticker.getAsLong()).orElseGet(machineClock::instant);
    }

    @Override
    public Optional<Duration> skew() {
        Instant now = machineClock.instant();
        return server.at(ticker.getAsLong()).map(shown -> Duration.between(now, shown));
    }

    @Override
    public Optional<String> warning() {
        return skew().filter(skew -> server.differsBy(ticker.getAsLong(), machineClock.instant(), REPORT_THRESHOLD))
                .map(skew ->
                        "the clock of this machine is %.1f s %s that of the API server. Berth uses the clock of the API server"
                                .formatted(skew.abs().toMillis() / 1e3, skew.isNegative() ? "ahead of" : "behind"));
    }

    private void reportSkew() {
        Optional<String> complaint = warning();
        if (complaint.isPresent() && !skewReported) {
            LOG.warn("{}", complaint.get());
        } else if (complaint.isEmpty() && skewReported) {
            LOG.info("the clock of this machine and that of the API server agree again");
        }
        skewReported = complaint.isPresent();
    }
}
