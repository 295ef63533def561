package dev.berth.app.config;

import dev.berth.core.door.globalreserve.GlobalReserveSettings;
import dev.berth.http.ListenerSettings;
import java.time.Duration;

/**
 * The listener of the Reserve API.
 *
 * @param address the address to listen on; other machines can reach it only if it is not a loopback address
 * @param port 0 means any free port
 * @param fallbackToFreePort whether a free port is used if this one is in use
 * @param reservationTtl the time after which an unused place expires
 */
public record GlobalReserveApiSettings(
        boolean enabled, String address, int port, boolean fallbackToFreePort, Duration reservationTtl) {
    private static final int DEFAULT_PORT = 23_456;

    public static final GlobalReserveApiSettings DEFAULT = new GlobalReserveApiSettings(
            false, ListenerSettings.LOOPBACK, DEFAULT_PORT, false, GlobalReserveSettings.DEFAULT.reservationTtl());

    public GlobalReserveApiSettings {
        try {
            ListenerSettings.of(address, port);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("globalreserve.api." + wrong.getMessage(), wrong);
        }
        try {
            GlobalReserveSettings.DEFAULT.withReservationTtl(reservationTtl);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("globalreserve." + wrong.getMessage(), wrong);
        }
    }

    /** Enabled on this machine at the default port, or at any free port if that is in use. */
    public static GlobalReserveApiSettings onDefaultPort() {
        return new GlobalReserveApiSettings(true, DEFAULT.address, DEFAULT.port, true, DEFAULT.reservationTtl);
    }

    /** Enabled on this machine at this port only. */
    public static GlobalReserveApiSettings onPort(int port) {
        return new GlobalReserveApiSettings(true, DEFAULT.address, port, false, DEFAULT.reservationTtl);
    }

    public GlobalReserveSettings doorSettings() {
        return GlobalReserveSettings.DEFAULT.withReservationTtl(reservationTtl);
    }

    public ListenerSettings listener() {
        return ListenerSettings.of(address, port);
    }
}
