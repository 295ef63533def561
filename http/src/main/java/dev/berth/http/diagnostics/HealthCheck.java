package dev.berth.http.diagnostics;

import java.util.Locale;
import java.util.Objects;

/**
 * One thing that must be well.
 *
 * @param name as it is printed, in small letters
 */
public record HealthCheck(String name, Probe probe) {
    /** Finds out how things are, now. Safe from several threads at once. */
    @FunctionalInterface
    public interface Probe {
        HealthStatus run() throws InterruptedException;
    }

    /**
     * What was found.
     *
     * @param message how things are; may be empty where all is well
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
            throw new IllegalArgumentException("name (%s) must be in small letters, such as loop".formatted(name));
        }
    }
}
