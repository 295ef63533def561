package dev.berth.app.config;

import dev.berth.core.door.globalreserve.GlobalReserveSettings;
import dev.berth.http.ListenerSettings;
import java.time.Duration;

/**
 * How other schedulers reach the Reserve API.
 *
 * @param address where to listen; others than this machine reach it only where it is none of loopback
 * @param port 0 takes any free one
 * @param fallbackToFreePort whether any free port will do where this one is taken
 * @param holdFor after what time a place ends for which nobody came
 */
public record GlobalReserveApiSettings(
        boolean enabled, String address, int port, boolean fallbackToFreePort, Duration holdFor) {
    private static final int DEFAULT_PORT = 23_456;

    public static final GlobalReserveApiSettings DEFAULT = new GlobalReserveApiSettings(
            false, ListenerSettings.LOOPBACK, DEFAULT_PORT, false, GlobalReserveSettings.DEFAULT.holdFor());

    public GlobalReserveApiSettings {
        try {
            ListenerSettings.of(address, port);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("globalreserve.api." + wrong.getMessage(), wrong);
        }
        try {
            GlobalReserveSettings.DEFAULT.withHoldFor(holdFor);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("globalreserve." + wrong.getMessage(), wrong);
        }
    }

    /** Open on this machine, at the port that its callers know, or any free one where that is taken. */
    public static GlobalReserveApiSettings onDefaultPort() {
        return new GlobalReserveApiSettings(true, DEFAULT.address, DEFAULT.port, true, DEFAULT.holdFor);
    }

    /** Open on this machine at this port and no other. */
    public static GlobalReserveApiSettings onPort(int port) {
        return new GlobalReserveApiSettings(true, DEFAULT.address, port, false, DEFAULT.holdFor);
    }

    public GlobalReserveSettings doorSettings() {
        return GlobalReserveSettings.DEFAULT.withHoldFor(holdFor);
    }

    public ListenerSettings listener() {
        return ListenerSettings.of(address, port);
    }
}
