package dev.berth.core.door.koordinator.settings;

/**
 * Whether an unused reservation moves to another node when its node goes.
 *
 * @param maxPerMinute how many reservations leave nodes that are not ready or have a taint {@code NoExecute} in a minute
 * at most, in the whole cluster
 */
public record MoveSettings(boolean enabled, int maxPerMinute) {
    public static final MoveSettings DEFAULT = new MoveSettings(true, 60);

    public MoveSettings {
        if (maxPerMinute < 1) {
            throw new IllegalArgumentException("maxPerMinute (%d) must be at least 1".formatted(maxPerMinute));
        }
    }
}
