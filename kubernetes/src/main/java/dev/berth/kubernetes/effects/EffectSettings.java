package dev.berth.kubernetes.effects;

import java.time.Duration;

/**
 * How effects are written.
 *
 * @param writeTimeout after this time a write without a response has an unknown result; the server gets the same
 * timeout
 * @param eventWindow an event that was written within this time is not written again
 * @param instance the process that wrote an event, such as the host name
 */
public record EffectSettings(Duration writeTimeout, Duration eventWindow, String instance) {
    private static final int MAX_INSTANCE_LENGTH = 63;

    public EffectSettings {
        if (writeTimeout.toMillis() <= 0) {
            throw new IllegalArgumentException("writeTimeout (%s) must be positive".formatted(writeTimeout));
        }
        if (eventWindow.isNegative()) {
            throw new IllegalArgumentException("eventWindow (%s) must not be negative".formatted(eventWindow));
        }
        if (instance.isBlank() || instance.length() > MAX_INSTANCE_LENGTH) {
            throw new IllegalArgumentException(
                    "instance (%s) must have from 1 to %d characters".formatted(instance, MAX_INSTANCE_LENGTH));
        }
    }
}
