package dev.berth.engine;

import java.time.Duration;

/**
 * The limits of the loop.
 *
 * @param inboxSize the number of facts in the inbox at which informers are blocked
 * @param bindsInFlight the limit of binds in flight
 * @param reportsInFlight the limit of conditions and events in flight
 * @param eventsWaiting the limit of waiting events, beyond which the oldest are dropped
 * @param writesInFlight the limit of writes of doors and plugins in flight
 * @param batch the limit of pods that one turn schedules
 * @param turnTime after this time a turn ends, because commands wait for it
 * @param writeTimeout after this time a write without a response has an unknown result
 * @param drainTimeout how long a stop waits for writes in flight
 */
public record EngineSettings(
        int inboxSize,
        int bindsInFlight,
        int reportsInFlight,
        int eventsWaiting,
        int writesInFlight,
        int batch,
        Duration turnTime,
        Duration writeTimeout,
        Duration drainTimeout) {
    public static final EngineSettings DEFAULT = new EngineSettings(
            65_536, 1_024, 16, 100_000, 32, 256, Duration.ofMillis(6), Duration.ofSeconds(5), Duration.ofSeconds(10));

    public EngineSettings {
        positive("inboxSize", inboxSize);
        positive("bindsInFlight", bindsInFlight);
        positive("reportsInFlight", reportsInFlight);
        positive("eventsWaiting", eventsWaiting);
        positive("writesInFlight", writesInFlight);
        positive("batch", batch);
        positive("turnTime", turnTime.toNanos());
        positive("writeTimeout", writeTimeout.toMillis());
        positive("drainTimeout", drainTimeout.toMillis());
    }

    public EngineSettings withBindsInFlight(int most) {
        return new EngineSettings(
                inboxSize,
                most,
                reportsInFlight,
                eventsWaiting,
                writesInFlight,
                batch,
                turnTime,
                writeTimeout,
                drainTimeout);
    }

    private static void positive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException("%s (%d) must be positive".formatted(name, value));
        }
    }
}
