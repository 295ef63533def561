package dev.berth.app.config;

import dev.berth.http.ListenerSettings;

/**
 * The listener of the scheduler extender.
 *
 * @param address the address to listen on; other machines can reach it only if it is not a loopback address
 * @param port 0 means any free port
 */
public record ExtenderSettings(boolean enabled, String address, int port) {
    /** Enough for some thousands of nodes with all fields, for callers that do not send only names. */
    private static final int MAX_REQUEST_BYTES = 64 * 1024 * 1024;

    public static final ExtenderSettings DEFAULT = new ExtenderSettings(false, ListenerSettings.LOOPBACK, 9_098);

    public ExtenderSettings {
        try {
            ListenerSettings.of(address, port);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("extender." + wrong.getMessage(), wrong);
        }
    }

    /** Enabled on this machine at this port. */
    public static ExtenderSettings onPort(int port) {
        return new ExtenderSettings(true, DEFAULT.address, port);
    }

    public ListenerSettings listener() {
        return ListenerSettings.of(address, port).withMaxBodyBytes(MAX_REQUEST_BYTES);
    }
}
