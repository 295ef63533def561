package dev.berth.core.time;

import java.time.Duration;

/** Compares durations. */
public final class Durations {
    private Durations() {}

    /** The longer of two durations: for example a server's Retry-After and the client's own delay. */
    public static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
