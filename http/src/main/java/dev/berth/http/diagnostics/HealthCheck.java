package dev.berth.http.diagnostics;

import java.util.Locale;
import java.util.Objects;

/**
 * One health check.
 *
 * @param name as it is printed, in lower case
 */
public record HealthCheck(String name, Probe probe) {
    /** Runs the check. Safe for several threads at once. */
    @FunctionalInterface
    public interface Probe {
        HealthStatus run() throws InterruptedException;
    }

    /**
     * The result of a check.
     *
     * @param message details; may be empty if it is healthy
     */
    public record HealthStatus(boolean healthy, String message) {
        public static HealthStatus healthy(String message) {
            return new HealthStatus(true, message);
        }

        public static HealthStatus unhealthy(String message) {
            return new HealthStatus(false, message);
        }
    }

    public HealthCheck {
        Objects.requireNonNull(probe, "question");
        if (name.isBlank() || !name.equals(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException("name (%s) must be in lower case, such as ledger-loop".formatted(name));
        }
    }
}
