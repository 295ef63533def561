package dev.berth.app.config;

import dev.berth.core.door.reserve.ReserveSettings;
import dev.berth.http.ListenerSettings;
import java.time.Duration;

/**
 * How other schedulers reach the Reserve API.
 *
 * @param address where to listen; others than this machine reach it only where it is none of loopback
 * @param port 0 takes any free one
 * @param elseAnyFree whether any free port will do where this one is taken
 * @param holdFor after what time a place ends for which nobody came
 */
public record ReserveApiSettings(boolean enabled, String address, int port, boolean elseAnyFree, Duration holdFor) {
    private static final int PORT = 23_456;

    public static final ReserveApiSettings DEFAULT =
            new ReserveApiSettings(false, ListenerSettings.LOOPBACK, PORT, false, ReserveSettings.DEFAULT.holdFor());

    public ReserveApiSettings {
        try {
            ListenerSettings.at(address, port);
            ReserveSettings.DEFAULT.withHoldFor(holdFor);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("reserveApi." + wrong.getMessage(), wrong);
        }
    }

    /** Open on this machine, at the port that its callers know, or any free one where that is taken. */
    public static ReserveApiSettings usual() {
        return new ReserveApiSettings(true, DEFAULT.address, DEFAULT.port, true, DEFAULT.holdFor);
    }

    /** Open on this machine at this port and no other. */
    public static ReserveApiSettings at(int port) {
        return new ReserveApiSettings(true, DEFAULT.address, port, false, DEFAULT.holdFor);
    }

    public ReserveSettings terms() {
        return ReserveSettings.DEFAULT.withHoldFor(holdFor);
    }

    public ListenerSettings listener() {
        return ListenerSettings.at(address, port);
    }
}
