package dev.berth.testkit.simulation;

import dev.berth.embedded.client.transport.Call;
import dev.berth.embedded.client.transport.Reply;
import dev.berth.embedded.client.transport.Transport;
import dev.berth.embedded.client.transport.WatchStream;
import dev.berth.kubernetes.time.ServerTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The clock that one Berth goes by, on a machine whose own clock is wrong. Berth has the API server's time from the dates of
 * its answers: some answers are slow, and a few dates are wrong. The clock never goes back, and runs slower while it is ahead.
 */
final class BerthClock implements InstantSource {
    private static final int SLOWER_BY_ONE_IN = 20;
    private static final int SLOW_ONE_IN = 20;
    private static final int WRONG_ONE_IN = 40;
    private static final long SLOW = Duration.ofSeconds(2).toNanos();
    private static final long QUICK = Duration.ofMillis(250).toNanos();
    private static final Duration WRONG_BY = Duration.ofHours(1);

    private final InstantSource server;
    private final Supplier<Duration> skew;
    private final RandomGenerator dice;
    private final ServerTime known = new ServerTime();
    private final Instant start;
    private Instant last;
    private long lastTick;

    /** @param skew how far the machine's clock is ahead of the server's */
    BerthClock(InstantSource server, Supplier<Duration> skew, RandomGenerator dice) {
        this.server = server;
        this.skew = skew;
        this.dice = dice;
        this.start = server.instant();
        // Whoever leads has read the Lease.
        known.answered(0, 0, date());
        this.last = shown();
    }

    /** The same way to the API server, and the dates of its answers are heard. */
    Transport over(Transport transport) {
        return new Transport() {
            @Override
            public Reply send(Call call) {
                Reply reply = transport.send(call);
                answered();
                return reply;
            }

            @Override
            public WatchStream watch(Call call, Runnable arrived) {
                WatchStream stream = transport.watch(call, arrived);
                answered();
                return stream;
            }

            @Override
            public void close() {
                transport.close();
            }
        };
    }

    private void answered() {
        long took = dice.nextInt(SLOW_ONE_IN) == 0 ? SLOW : dice.nextLong(QUICK);
        Instant date = dice.nextInt(WRONG_ONE_IN) == 0 ? date().plus(WRONG_BY) : date();
        known.answered(tick() - took, tick(), date);
    }

    private Instant date() {
        return server.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    private long tick() {
        return Duration.between(start, server.instant()).toNanos();
    }

    private Instant shown() {
        return known.at(tick()).orElseGet(() -> server.instant().plus(skew.get()));
    }

    @Override
    public Instant instant() {
        long passed = tick() - lastTick;
        lastTick = tick();
        Instant slower = last.plusNanos(passed - passed / SLOWER_BY_ONE_IN);
        Instant shown = shown();
        last = shown.isBefore(slower) ? slower : shown;
        return last;
    }
}
