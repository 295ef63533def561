package dev.berth.kubernetes.api;

import java.time.Instant;

/** Receives the times of requests and responses, and the server's time. Called on any thread; must be fast. */
public interface ServerDateListener {
    /** Nanoseconds of a monotonic clock. */
    long nanoTime();

    /**
     * A response arrived.
     *
     * @param date the Date header, in whole seconds
     */
    void onResponse(long sentNanos, long receivedNanos, Instant date);
}
