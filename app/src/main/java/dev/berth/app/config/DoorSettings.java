package dev.berth.app.config;

import dev.berth.core.hold.Origin.DoorId;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.kubernetes.crd.CrdManifest;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The enabled doors and their settings.
 *
 * @param enabled the doors that are not disabled
 * @param godelReservationTtl the default TTL of Gödel reservations
 * @param requestMemory the limit of bytes that all HTTP requests together may use
 */
public record DoorSettings(
        Set<DoorId> enabled,
        Duration godelReservationTtl,
        GlobalReserveApiSettings globalReserveApi,
        ExtenderSettings extender,
        long requestMemory) {
    private static final Duration MAX_TTL = Duration.ofDays(36_500);
    private static final long MEBI = 1L << 20;
    private static final long HEAP = Runtime.getRuntime().maxMemory();
    /** Enough for the largest group with all fields of its pods. */
    private static final long MIN_REQUEST_MEMORY = 16 * MEBI;
    /** The rest is for the ledger and for garbage. */
    private static final long MAX_REQUEST_MEMORY = Math.max(MIN_REQUEST_MEMORY, HEAP / 2);

    public static final DoorSettings DEFAULT = new DoorSettings(
            EnumSet.allOf(DoorId.class),
            Duration.ofSeconds(60),
            GlobalReserveApiSettings.DEFAULT,
            ExtenderSettings.DEFAULT,
            Math.max(MIN_REQUEST_MEMORY, HEAP / 4));

    public DoorSettings {
        if (godelReservationTtl.toSeconds() < 1
                || godelReservationTtl.toNanosPart() != 0
                || godelReservationTtl.compareTo(MAX_TTL) > 0) {
            throw new IllegalArgumentException("godel.reservationTTL (%dms) must be whole seconds, from 1s to 876000h"
                    .formatted(godelReservationTtl.toMillis()));
        }
        if (globalReserveApi.enabled() && !enabled.contains(DoorId.GLOBALRESERVE)) {
            throw new IllegalArgumentException(
                    "globalreserve.api.enabled (true) needs the door (%s), which is disabled. Maybe remove one of the two"
                            .formatted(DoorId.GLOBALRESERVE));
        }
        if (requestMemory < MIN_REQUEST_MEMORY || requestMemory > MAX_REQUEST_MEMORY) {
            throw new IllegalArgumentException(
                    "http.requestMemoryLimit (%s) must be from %dMi to %dMi, which is half of the heap (BERTH_HEAP)"
                            .formatted(
                                    Quantity.of(ResourceName.MEMORY, requestMemory),
                                    MIN_REQUEST_MEMORY / MEBI,
                                    MAX_REQUEST_MEMORY / MEBI));
        }
        Set<DoorId> ordered = EnumSet.noneOf(DoorId.class);
        ordered.addAll(enabled);
        enabled = Collections.unmodifiableSet(ordered);
    }

    /** The same with these doors disabled in addition. */
    public DoorSettings withDisabled(Set<DoorId> doors) {
        Set<DoorId> rest = EnumSet.noneOf(DoorId.class);
        rest.addAll(enabled);
        rest.removeAll(doors);
        return new DoorSettings(rest, godelReservationTtl, globalReserveApi, extender, requestMemory);
    }

    public DoorSettings withGodelReservationTtl(Duration ttl) {
        return new DoorSettings(enabled, ttl, globalReserveApi, extender, requestMemory);
    }

    public DoorSettings withGlobalReserveApi(GlobalReserveApiSettings settings) {
        return new DoorSettings(enabled, godelReservationTtl, settings, extender, requestMemory);
    }

    public DoorSettings withExtender(ExtenderSettings settings) {
        return new DoorSettings(enabled, godelReservationTtl, globalReserveApi, settings, requestMemory);
    }

    public DoorSettings withRequestMemory(long bytes) {
        return new DoorSettings(enabled, godelReservationTtl, globalReserveApi, extender, bytes);
    }

    public Set<DoorId> disabled() {
        Set<DoorId> rest = EnumSet.allOf(DoorId.class);
        rest.removeAll(enabled);
        return rest;
    }

    /** The CRDs that the enabled doors need. */
    public List<CrdManifest> definitions() {
        return enabled.stream()
                .flatMap(door -> CrdManifest.forDoor(door).stream())
                .toList();
    }
}
