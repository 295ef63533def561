package dev.berth.kubernetes.effects;

import java.time.Duration;

/**
 * How effects are written.
 *
 * @param writeTimeout after which a write without answer is of unknown outcome; the server is told to give up then too
 * @param eventWindow an event that says again what was said within this time is not written
 * @param instance which process of its scheduler wrote an event, such as the name of the host
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
