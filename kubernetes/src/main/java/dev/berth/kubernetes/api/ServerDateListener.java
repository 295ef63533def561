package dev.berth.kubernetes.api;

import java.time.Instant;

/** Hears when answers were asked for and came, and what time it was at the server. Called on any thread; must be quick. */
public interface ServerDateListener {
    /** Nanoseconds of a clock that nobody sets. */
    long nanoTime();

    /**
     * An answer came.
     *
     * @param date what its Date header says, in whole seconds
     */
    void onResponse(long sentNanos, long receivedNanos, Instant date);
}
