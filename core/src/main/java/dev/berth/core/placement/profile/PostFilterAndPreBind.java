package dev.berth.core.placement.profile;

import java.time.Duration;

/**
 * What follows a decision.
 *
 * @param preemptionEnabled whether a refused pod may send others away
 * @param volumeBindTimeout how long a placed pod's volumes are waited for
 */
public record PostFilterAndPreBind(boolean preemptionEnabled, Duration volumeBindTimeout) {
    public static final PostFilterAndPreBind DEFAULT = new PostFilterAndPreBind(true, Duration.ofMinutes(10));

    public PostFilterAndPreBind {
        if (volumeBindTimeout.isNegative()) {
            throw new IllegalArgumentException(
                    "patience with volumes (%d s) must not be negative".formatted(volumeBindTimeout.toSeconds()));
        }
    }
}
