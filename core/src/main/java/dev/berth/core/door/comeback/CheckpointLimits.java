package dev.berth.core.door.comeback;

import java.time.Duration;

/**
 * How much the checkpoint may cost the API server.
 *
 * @param podBytes the most that one pod may take; a pod beyond it is left out
 * @param objectBytes the most that the pods of one object may take together
 * @param objectPods the most pods of one object
 * @param objects the most objects
 * @param writes the most writes of one batch
 * @param batch the time between two batches
 */
public record CheckpointLimits(int podBytes, int objectBytes, int objectPods, int objects, int writes, Duration batch) {
    /** 20,000 pods, 12.5 MiB, ten writes a second. */
    public static final CheckpointLimits DEFAULT =
            new CheckpointLimits(4 * 1024, 64 * 1024, 100, 200, 5, Duration.ofMillis(500));

    public CheckpointLimits {
        if (podBytes < 1 || objectBytes < podBytes || objectPods < 1 || objects < 1 || writes < 1) {
            throw new IllegalArgumentException(
                    "podBytes (%d), objectBytes (%d), objectPods (%d), objects (%d) and writes (%d) must be positive, and objectBytes at least podBytes"
                            .formatted(podBytes, objectBytes, objectPods, objects, writes));
        }
        if (batch.isNegative() || batch.isZero()) {
            throw new IllegalArgumentException("batch (%s) must be positive".formatted(batch));
        }
    }
}
