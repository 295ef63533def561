package dev.berth.app.config;

import dev.berth.http.ListenerSettings;

/**
 * How a kube-scheduler reaches Berth as its extender.
 *
 * @param address where to listen; others than this machine reach it only where it is none of loopback
 * @param port 0 takes any free one
 */
public record ExtenderSettings(boolean enabled, String address, int port) {
    /** A cluster's nodes as a whole, some thousands of them, for callers that do not send names alone. */
    private static final int MAX_REQUEST_BYTES = 64 * 1024 * 1024;

    public static final ExtenderSettings DEFAULT = new ExtenderSettings(false, ListenerSettings.LOOPBACK, 9_098);

    public ExtenderSettings {
        try {
            ListenerSettings.of(address, port);
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("extender." + wrong.getMessage(), wrong);
        }
    }

    /** Open on this machine at this port. */
    public static ExtenderSettings onPort(int port) {
        return new ExtenderSettings(true, DEFAULT.address, port);
    }

    public ListenerSettings listener() {
        return ListenerSettings.of(address, port).withMaxBodyBytes(MAX_REQUEST_BYTES);
    }
}
