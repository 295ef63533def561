package dev.berth.core.door.godel;

import java.time.Duration;

/**
 * The limits on the objects and writes of the checkpoint.
 *
 * @param maxPodBytes the size limit of one pod's entry; a larger entry is left out
 * @param maxObjectBytes the size limit of all entries of one object
 * @param maxPodsPerObject the limit of entries in one object
 * @param maxObjects the limit of objects
 * @param maxWritesPerBatch the limit of writes in one batch
 * @param batchInterval the time between two batches
 */
public record CheckpointLimits(
        int maxPodBytes,
        int maxObjectBytes,
        int maxPodsPerObject,
        int maxObjects,
        int maxWritesPerBatch,
        Duration batchInterval) {
    /** 20,000 pods, 12.5 MiB and ten writes a second. */
    public static final CheckpointLimits DEFAULT =
            new CheckpointLimits(4 * 1024, 64 * 1024, 100, 200, 5, Duration.ofMillis(500));

    public CheckpointLimits {
        if (maxPodBytes < 1
                || maxObjectBytes < maxPodBytes
                || maxPodsPerObject < 1
                || maxObjects < 1
                || maxWritesPerBatch < 1) {
            throw new IllegalArgumentException(
                    "maxPodBytes (%d), maxObjectBytes (%d), maxPodsPerObject (%d), maxObjects (%d) and maxWritesPerBatch (%d) must be positive, and maxObjectBytes at least maxPodBytes"
                            .formatted(maxPodBytes, maxObjectBytes, maxPodsPerObject, maxObjects, maxWritesPerBatch));
        }
        if (batchInterval.isNegative() || batchInterval.isZero()) {
            throw new IllegalArgumentException("batchInterval (%s) must be positive".formatted(batchInterval));
        }
    }
}
