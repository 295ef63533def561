package dev.berth.kubernetes.http2;

import dev.berth.core.queue.BackoffPolicy;
import java.time.Duration;

/**
 * The limits and timeouts of a connection.
 *
 * @param maxConcurrentStreams the limit of requests in flight; lower if the server allows fewer
 * @param maxQueuedRequests the limit of requests that wait for a stream; further requests fail at once
 * @param maxFrameBytes the largest frame that the server may send: larger frames make large lists cheaper
 * @param initialWindowBytes how much of a body the server may send before it is read
 * @param connectTimeout for TCP and TLS together
 * @param readIdleTimeout a connection that is idle for so long is pinged
 * @param pingTimeout a connection that does not answer the ping within this time is closed
 * @param reconnectBackoff the delay after a failed connection attempt
 */
public record ConnectionSettings(
        int maxConcurrentStreams,
        int maxQueuedRequests,
        int maxFrameBytes,
        int initialWindowBytes,
        Duration connectTimeout,
        Duration readIdleTimeout,
        Duration pingTimeout,
        BackoffPolicy reconnectBackoff) {
    private static final int MIN_FRAME_BYTES = 16_384;
    private static final int MAX_FRAME_BYTES = 16_777_215;

    /** Idle and ping timeouts as in Go's clients of the API server. */
    public static final ConnectionSettings DEFAULT = new ConnectionSettings(
            64,
            100_000,
            262_144,
            4_194_304,
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(15),
            new BackoffPolicy(Duration.ofMillis(100), Duration.ofSeconds(5)));

    public ConnectionSettings {
        requireAtLeast("maxConcurrentStreams", maxConcurrentStreams, 1);
        requireAtLeast("maxQueuedRequests", maxQueuedRequests, 1);
        requireAtLeast("maxFrameBytes", maxFrameBytes, MIN_FRAME_BYTES);
        requireAtLeast("initialWindowBytes", initialWindowBytes, 65_535);
        if (maxFrameBytes > MAX_FRAME_BYTES) {
            throw new IllegalArgumentException(
                    "maxFrameBytes (%d) must be at most %d".formatted(maxFrameBytes, MAX_FRAME_BYTES));
        }
        requirePositive("connectTimeout", connectTimeout);
        requirePositive("readIdleTimeout", readIdleTimeout);
        requirePositive("pingTimeout", pingTimeout);
    }

    public ConnectionSettings withMaxConcurrentStreams(int value) {
        return new ConnectionSettings(
                value,
                maxQueuedRequests,
                maxFrameBytes,
                initialWindowBytes,
                connectTimeout,
                readIdleTimeout,
                pingTimeout,
                reconnectBackoff);
    }

    public ConnectionSettings withMaxQueuedRequests(int value) {
        return new ConnectionSettings(
                maxConcurrentStreams,
                value,
                maxFrameBytes,
                initialWindowBytes,
                connectTimeout,
                readIdleTimeout,
                pingTimeout,
                reconnectBackoff);
    }

    public ConnectionSettings withPing(Duration after, Duration timeout) {
        return new ConnectionSettings(
                maxConcurrentStreams,
                maxQueuedRequests,
                maxFrameBytes,
                initialWindowBytes,
                connectTimeout,
                after,
                timeout,
                reconnectBackoff);
    }

    public ConnectionSettings withReconnectBackoff(BackoffPolicy reconnectBackoff) {
        return new ConnectionSettings(
                maxConcurrentStreams,
                maxQueuedRequests,
                maxFrameBytes,
                initialWindowBytes,
                connectTimeout,
                readIdleTimeout,
                pingTimeout,
                reconnectBackoff);
    }

    private static void requireAtLeast(String field, int value, int min) {
        if (value < min) {
            throw new IllegalArgumentException("%s (%d) must be at least %d".formatted(field, value, min));
        }
    }

    private static void requirePositive(String field, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("%s (%s) must be positive".formatted(field, value));
        }
    }
}
