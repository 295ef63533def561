package dev.berth.engine;

import java.time.Duration;

/**
 * The limits of the loop.
 *
 * @param inboxSize how many facts and answers may wait before readers have to
 * @param bindsInFlight how many binds may be on their way at once
 * @param reportsInFlight how many conditions and events may be on their way at once
 * @param announcementsWaiting how many events may wait for the server before the oldest are lost
 * @param writesInFlight how many objects of doors may be on their way to be written at once
 * @param batch how many pods are decided on before the inbox is looked at again
 * @param turnTime after what time a turn ends with what it is doing: questions wait for it
 * @param writeTimeout after what time a write without answer is of unknown outcome
 * @param drainTimeout how long a stop waits for what is on its way
 */
public record EngineSettings(
        int inboxSize,
        int bindsInFlight,
        int reportsInFlight,
        int announcementsWaiting,
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
        positive("announcementsWaiting", announcementsWaiting);
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
                announcementsWaiting,
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
