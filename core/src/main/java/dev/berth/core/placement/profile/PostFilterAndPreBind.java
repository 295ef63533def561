package dev.berth.core.placement.profile;

import java.time.Duration;

/**
 * The settings of PostFilter and PreBind.
 *
 * @param preemptionEnabled whether an unschedulable pod may preempt pods
 * @param volumeBindTimeout how long a bind waits for the pod's volumes
 */
public record PostFilterAndPreBind(boolean preemptionEnabled, Duration volumeBindTimeout) {
    public static final PostFilterAndPreBind DEFAULT = new PostFilterAndPreBind(true, Duration.ofMinutes(10));

    public PostFilterAndPreBind {
        if (volumeBindTimeout.isNegative()) {
            throw new IllegalArgumentException(
                    "bindTimeoutSeconds (%d) must not be negative".formatted(volumeBindTimeout.toSeconds()));
        }
    }
}
