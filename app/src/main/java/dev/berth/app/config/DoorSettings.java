package dev.berth.app.config;

import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.kubernetes.crd.Definition;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Which doors are open, and how.
 *
 * @param open the doors that are not left out
 * @param returnTtl how long the place of a deleted pod is kept where neither the pod nor its Deployment or
 *     StatefulSet says
 * @param requestMemory how many bytes all HTTP requests together may take at one moment
 */
public record DoorSettings(
        Set<DoorName> open,
        Duration returnTtl,
        ReserveApiSettings reserveApi,
        ExtenderSettings extender,
        long requestMemory) {
    private static final Duration LONGEST_TTL = Duration.ofDays(36_500);
    private static final long MEBI = 1L << 20;
    private static final long HEAP = Runtime.getRuntime().maxMemory();
    /** What the largest group with all that an API server says of its pods needs. */
    private static final long LEAST_REQUEST_MEMORY = 16 * MEBI;
    /** The rest is the ledger's, and what comes and goes. */
    private static final long MOST_REQUEST_MEMORY = Math.max(LEAST_REQUEST_MEMORY, HEAP / 2);

    public static final DoorSettings DEFAULT = new DoorSettings(
            EnumSet.allOf(DoorName.class),
            Duration.ofSeconds(60),
            ReserveApiSettings.DEFAULT,
            ExtenderSettings.DEFAULT,
            Math.max(LEAST_REQUEST_MEMORY, HEAP / 4));

    public DoorSettings {
        if (returnTtl.toSeconds() < 1 || returnTtl.toNanosPart() != 0 || returnTtl.compareTo(LONGEST_TTL) > 0) {
            throw new IllegalArgumentException(
                    "return.ttl (%dms) must be whole seconds, from 1s to 876000h".formatted(returnTtl.toMillis()));
        }
        if (reserveApi.enabled() && !open.contains(DoorName.RESERVE)) {
            throw new IllegalArgumentException(
                    "reserveApi.enabled (true) needs the door (%s), which is left out. Maybe leave out neither or both"
                            .formatted(DoorName.RESERVE));
        }
        if (requestMemory < LEAST_REQUEST_MEMORY || requestMemory > MOST_REQUEST_MEMORY) {
            throw new IllegalArgumentException(
                    "doors.requestMemory (%s) must be from %dMi to %dMi, which is half of the heap (BERTH_HEAP)"
                            .formatted(
                                    Quantity.of(ResourceName.MEMORY, requestMemory),
                                    LEAST_REQUEST_MEMORY / MEBI,
                                    MOST_REQUEST_MEMORY / MEBI));
        }
        Set<DoorName> ordered = EnumSet.noneOf(DoorName.class);
        ordered.addAll(open);
        open = Collections.unmodifiableSet(ordered);
    }

    /** The same with these left out, beside those that are already. */
    public DoorSettings without(Set<DoorName> doors) {
        Set<DoorName> rest = EnumSet.noneOf(DoorName.class);
        rest.addAll(open);
        rest.removeAll(doors);
        return new DoorSettings(rest, returnTtl, reserveApi, extender, requestMemory);
    }

    public DoorSettings withReturnTtl(Duration ttl) {
        return new DoorSettings(open, ttl, reserveApi, extender, requestMemory);
    }

    public DoorSettings withReserveApi(ReserveApiSettings settings) {
        return new DoorSettings(open, returnTtl, settings, extender, requestMemory);
    }

    public DoorSettings withExtender(ExtenderSettings settings) {
        return new DoorSettings(open, returnTtl, reserveApi, settings, requestMemory);
    }

    public DoorSettings withRequestMemory(long bytes) {
        return new DoorSettings(open, returnTtl, reserveApi, extender, bytes);
    }

    public Set<DoorName> leftOut() {
        Set<DoorName> rest = EnumSet.allOf(DoorName.class);
        rest.removeAll(open);
        return rest;
    }

    /** The kinds that the open doors need the cluster to know. */
    public List<Definition> kinds() {
        return open.stream().flatMap(door -> door.kinds().stream()).toList();
    }
}
