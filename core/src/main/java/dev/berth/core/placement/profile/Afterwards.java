package dev.berth.core.placement.profile;

import java.time.Duration;

/**
 * What follows a decision.
 *
 * @param preempts whether a refused pod may send others away
 * @param volumePatience how long a placed pod's volumes are waited for
 */
public record Afterwards(boolean preempts, Duration volumePatience) {
    public static final Afterwards USUAL = new Afterwards(true, Duration.ofMinutes(10));

    public Afterwards {
        if (volumePatience.isNegative()) {
            throw new IllegalArgumentException(
                    "patience with volumes (%d s) must not be negative".formatted(volumePatience.toSeconds()));
        }
    }
}
