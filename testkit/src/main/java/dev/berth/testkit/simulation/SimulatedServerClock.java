package dev.berth.testkit.simulation;

import dev.berth.kubernetes.time.ServerTimeEstimate;
import dev.berth.sandbox.client.transport.ClientRequest;
import dev.berth.sandbox.client.transport.ClientResponse;
import dev.berth.sandbox.client.transport.Transport;
import dev.berth.sandbox.client.transport.WatchStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The clock of one Berth on a machine whose own clock is wrong. Berth estimates the API server's time from the dates of
 * its responses: some responses are slow, and a few dates are wrong. The clock never goes back, and runs slower while
 * it is ahead.
 */
final class SimulatedServerClock implements InstantSource {
    private static final int SLOWDOWN_DIVISOR = 20;
    private static final int SLOW_ONE_IN = 20;
    private static final int WRONG_ONE_IN = 40;
    private static final long SLOW = Duration.ofSeconds(2).toNanos();
    private static final long QUICK = Duration.ofMillis(250).toNanos();
    private static final Duration WRONG_BY = Duration.ofHours(1);

    private final InstantSource server;
    private final Supplier<Duration> skew;
    private final RandomGenerator random;
    private final ServerTimeEstimate estimate = new ServerTimeEstimate();
    private final Instant start;
    private Instant last;
    private long lastTick;

    /** @param skew how far the machine's clock is ahead of the server's */
    SimulatedServerClock(InstantSource server, Supplier<Duration> skew, RandomGenerator random) {
        this.server = server;
        this.skew = skew;
        this.random = random;
        this.start = server.instant();
        // A leader has read the Lease.
        estimate.onResponse(0, 0, serverDate());
        this.last = estimatedTime();
    }

    /** The same API server client, with a listener for the dates of its responses. */
    Transport observing(Transport transport) {
        return new Transport() {
            @Override
            public ClientResponse send(ClientRequest clientRequest) {
                ClientResponse clientResponse = transport.send(clientRequest);
                onAnswer();
                return clientResponse;
            }

            @Override
            public WatchStream watch(ClientRequest clientRequest, Runnable arrived) {
                WatchStream stream = transport.watch(clientRequest, arrived);
                onAnswer();
                return stream;
            }

            @Override
            public void close() {
                transport.close();
            }
        };
    }

    private void onAnswer() {
        long took = random.nextInt(SLOW_ONE_IN) == 0 ? SLOW : random.nextLong(QUICK);
        Instant date = random.nextInt(WRONG_ONE_IN) == 0 ? serverDate().plus(WRONG_BY) : serverDate();
        estimate.onResponse(tick() - took, tick(), date);
    }

    private Instant serverDate() {
        return server.instant().truncatedTo(ChronoUnit.SECONDS);
    }

    private long tick() {
        return Duration.between(start, server.instant()).toNanos();
    }

    private Instant estimatedTime() {
        return estimate.at(tick()).orElseGet(() -> server.instant().plus(skew.get()));
    }

    @Override
    public Instant instant() {
        long passed = tick() - lastTick;
        lastTick = tick();
        Instant slower = last.plusNanos(passed - passed / SLOWDOWN_DIVISOR);
        Instant shown = estimatedTime();
        last = shown.isBefore(slower) ? slower : shown;
        return last;
    }
}
