package dev.berth.core.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that tests advance. */
public final class ManualClock implements InstantSource {
    private volatile Instant now;

    /** Begins on the first day of 2026. */
    public ManualClock() {
        this(Instant.parse("2026-01-01T00:00:00Z"));
    }

    public ManualClock(Instant start) {
        this.now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    public void advance(Duration by) {
        advanceTo(now.plus(by));
    }

    public void advanceTo(Instant later) {
        if (later.isBefore(now)) {
            throw new IllegalArgumentException("time (%s) does not go back to (%s)".formatted(now, later));
        }
        now = later;
    }
}
