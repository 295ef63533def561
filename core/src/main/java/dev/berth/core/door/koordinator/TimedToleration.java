package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Toleration;
import java.time.Duration;

/**
 * A toleration of the template with {@code tolerationSeconds}. It decides when the reservation moves, and not where it is
 * placed.
 *
 * @param time how long the taint is tolerated
 */
public record TimedToleration(Toleration toleration, Duration time) {
    private static final Duration MAX = Duration.ofDays(365_000);

    /** As in Kubernetes, a negative time is none. A longer time than the maximum would exceed the calendar. */
    public TimedToleration {
        time = time.isNegative() ? Duration.ZERO : time.compareTo(MAX) > 0 ? MAX : time;
    }
}
