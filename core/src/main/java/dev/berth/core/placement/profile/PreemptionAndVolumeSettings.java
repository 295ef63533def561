package dev.berth.core.placement.profile;

import java.time.Duration;

/**
 * The settings of preemption and of volume binding.
 *
 * @param preemptionEnabled whether an unschedulable pod may preempt pods
 * @param volumeBindTimeout how long a bind waits for the pod's volumes
 */
public record PreemptionAndVolumeSettings(boolean preemptionEnabled, Duration volumeBindTimeout) {
    public static final PreemptionAndVolumeSettings DEFAULT =
            new PreemptionAndVolumeSettings(true, Duration.ofMinutes(10));

    public PreemptionAndVolumeSettings {
        if (volumeBindTimeout.isNegative()) {
            throw new IllegalArgumentException(
                    "bindTimeoutSeconds (%d) must not be negative".formatted(volumeBindTimeout.toSeconds()));
        }
    }
}
