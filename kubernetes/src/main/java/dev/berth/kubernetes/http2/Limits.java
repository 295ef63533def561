package dev.berth.kubernetes.http2;

import java.time.Duration;

/**
 * How much a client asks of its connection and how patient it is.
 *
 * @param streams at most so many requests are under way at once; fewer where the server allows fewer
 * @param queued at most so many requests wait for a stream; more are failed at once
 * @param frameBytes the largest frame the server may send: larger ones make large lists cheaper
 * @param windowBytes how much of a body the server may send ahead of our reading
 * @param connectTimeout for TCP and TLS together
 * @param pingAfter a connection that has been silent so long is asked whether it lives
 * @param pingTimeout and is given up when it does not answer within this
 * @param reconnect the pause after a failed connection attempt, doubling up to the longest
 */
public record Limits(
        int streams,
        int queued,
        int frameBytes,
        int windowBytes,
        Duration connectTimeout,
        Duration pingAfter,
        Duration pingTimeout,
        Pause reconnect) {
    private static final int SMALLEST_FRAME = 16_384;
    private static final int LARGEST_FRAME = 16_777_215;

    /** A pause that doubles from the first to the longest. */
    public record Pause(Duration first, Duration longest) {
        public Pause {
            if (first.isNegative() || first.isZero() || longest.compareTo(first) < 0) {
                throw new IllegalArgumentException(
                        "pause from (%s) to (%s): the first must be positive and not above the longest"
                                .formatted(first, longest));
            }
        }

        Duration next(Duration last) {
            if (last.isZero()) {
                return first;
            }
            Duration doubled = last.multipliedBy(2);
            return doubled.compareTo(longest) < 0 ? doubled : longest;
        }
    }

    /** Silence and ping as Go's clients of the API server have them. */
    public static final Limits DEFAULT = new Limits(
            64,
            100_000,
            262_144,
            4_194_304,
            Duration.ofSeconds(10),
            Duration.ofSeconds(30),
            Duration.ofSeconds(15),
            new Pause(Duration.ofMillis(100), Duration.ofSeconds(5)));

    public Limits {
        atLeast("streams", streams, 1);
        atLeast("queued", queued, 1);
        atLeast("frameBytes", frameBytes, SMALLEST_FRAME);
        atLeast("windowBytes", windowBytes, 65_535);
        if (frameBytes > LARGEST_FRAME) {
            throw new IllegalArgumentException(
                    "frameBytes (%d) must be at most %d".formatted(frameBytes, LARGEST_FRAME));
        }
        positive("connectTimeout", connectTimeout);
        positive("pingAfter", pingAfter);
        positive("pingTimeout", pingTimeout);
    }

    public Limits withStreams(int value) {
        return new Limits(value, queued, frameBytes, windowBytes, connectTimeout, pingAfter, pingTimeout, reconnect);
    }

    public Limits withQueued(int value) {
        return new Limits(streams, value, frameBytes, windowBytes, connectTimeout, pingAfter, pingTimeout, reconnect);
    }

    public Limits withPing(Duration after, Duration timeout) {
        return new Limits(streams, queued, frameBytes, windowBytes, connectTimeout, after, timeout, reconnect);
    }

    public Limits withReconnect(Pause pause) {
        return new Limits(streams, queued, frameBytes, windowBytes, connectTimeout, pingAfter, pingTimeout, pause);
    }

    private static void atLeast(String field, int value, int least) {
        if (value < least) {
            throw new IllegalArgumentException("%s (%d) must be at least %d".formatted(field, value, least));
        }
    }

    private static void positive(String field, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException("%s (%s) must be positive".formatted(field, value));
        }
    }
}
