package dev.berth.app.config;

import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;

/**
 * The listener for kube-scheduler's extender calls, and the memory of all HTTP requests.
 *
 * @param requestMemory the limit of bytes that all HTTP requests together may use
 */
public record HttpSettings(ExtenderSettings extender, long requestMemory) {
    private static final long MEBI = 1L << 20;
    private static final long HEAP = Runtime.getRuntime().maxMemory();
    /** Enough for the largest group with all fields of its pods. */
    private static final long MIN_REQUEST_MEMORY = 16 * MEBI;
    /** The rest is for the ledger and for garbage. */
    private static final long MAX_REQUEST_MEMORY = Math.max(MIN_REQUEST_MEMORY, HEAP / 2);

    public static final HttpSettings DEFAULT =
            new HttpSettings(ExtenderSettings.DEFAULT, Math.max(MIN_REQUEST_MEMORY, HEAP / 4));

    public HttpSettings {
        if (requestMemory < MIN_REQUEST_MEMORY || requestMemory > MAX_REQUEST_MEMORY) {
            throw new IllegalArgumentException(
                    "http.requestMemoryLimit (%s) must be from %dMi to %dMi, which is half of the heap (BERTH_HEAP)"
                            .formatted(
                                    Quantity.of(ResourceName.MEMORY, requestMemory),
                                    MIN_REQUEST_MEMORY / MEBI,
                                    MAX_REQUEST_MEMORY / MEBI));
        }
    }

    public HttpSettings withExtender(ExtenderSettings settings) {
        return new HttpSettings(settings, requestMemory);
    }
}
