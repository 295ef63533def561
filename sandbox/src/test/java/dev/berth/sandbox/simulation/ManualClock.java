package dev.berth.sandbox.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that stands still until it is pushed, by one thread. */
public final class ManualClock implements InstantSource {
    private volatile Instant now = Instant.parse("2026-11-15T12:00:00Z");

    @Override
    public Instant instant() {
        return now;
    }

    public void advance(Duration step) {
        now = now.plus(step);
    }

    public void setTo(Instant time) {
        now = time;
    }
}
