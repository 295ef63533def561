package dev.berth.app.config;

import dev.berth.http.ListenerSettings;

/**
 * Where Berth says how it is, and its metrics.
 *
 * @param address where to listen; others than this machine reach it only where it is none of loopback
 * @param port 0 takes any free one
 * @param elseAnyFree whether any free port will do where this one is taken, as where nobody chose it
 */
public record OperationSettings(boolean enabled, String address, int port, boolean elseAnyFree) {
    public static final OperationSettings DEFAULT =
            new OperationSettings(true, ListenerSettings.LOOPBACK, 10_261, true);

    public OperationSettings {
        try {
            ListenerSettings.at(address, port);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("operation." + wrong.getMessage(), wrong);
        }
    }

    /** On this machine at this port and no other. */
    public static OperationSettings at(int port) {
        return new OperationSettings(true, DEFAULT.address, port, false);
    }

    /** Nobody sends a body there. */
    public ListenerSettings listener() {
        return ListenerSettings.at(address, port).withMostBytes(1_024);
    }
}
