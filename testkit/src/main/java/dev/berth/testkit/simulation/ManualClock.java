package dev.berth.testkit.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Time that passes when it is told to. */
public final class ManualClock implements InstantSource {
    private volatile Instant now;

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
