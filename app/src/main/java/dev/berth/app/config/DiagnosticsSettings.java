package dev.berth.app.config;

import dev.berth.http.ListenerSettings;

/**
 * The listener for health checks and metrics.
 *
 * @param address the address to listen on; other machines can reach it only if it is not a loopback address
 * @param port 0 means any free port
 * @param fallbackToFreePort whether a free port is used if this one is in use, because the user did not choose it
 */
public record DiagnosticsSettings(boolean enabled, String address, int port, boolean fallbackToFreePort) {
    public static final DiagnosticsSettings DEFAULT =
            new DiagnosticsSettings(true, ListenerSettings.LOOPBACK, 10_261, true);

    public DiagnosticsSettings {
        try {
            ListenerSettings.of(address, port);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("diagnostics." + wrong.getMessage(), wrong);
        }
    }

    /** On this machine at this port only. */
    public static DiagnosticsSettings onPort(int port) {
        return new DiagnosticsSettings(true, DEFAULT.address, port, false);
    }

    /** Callers send no body there. */
    public ListenerSettings listener() {
        return ListenerSettings.of(address, port).withMaxBodyBytes(1_024);
    }
}
