package dev.berth.app.config;

import dev.berth.http.ListenerSettings;

/**
 * Where Berth says how it is, and its metrics.
 *
 * @param address where to listen; others than this machine reach it only where it is none of loopback
 * @param port 0 takes any free one
 * @param fallbackToFreePort whether any free port will do where this one is taken, as where nobody chose it
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

    /** On this machine at this port and no other. */
    public static DiagnosticsSettings onPort(int port) {
        return new DiagnosticsSettings(true, DEFAULT.address, port, false);
    }

    /** Nobody sends a body there. */
    public ListenerSettings listener() {
        return ListenerSettings.of(address, port).withMaxBodyBytes(1_024);
    }
}
