package dev.berth.app.config;

import dev.berth.core.door.koordinator.settings.ReservationSettings;
import dev.berth.core.hold.Origin.DoorId;
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
 * @param reservations the settings of Koordinator reservations
 * @param godelReservationTtl the default TTL of Gödel reservations
 */
public record DoorSettings(
        Set<DoorId> enabled,
        ReservationSettings reservations,
        Duration godelReservationTtl,
        GlobalReserveApiSettings globalReserveApi) {
    private static final Duration MAX_TTL = Duration.ofDays(36_500);

    public static final DoorSettings DEFAULT = new DoorSettings(
            EnumSet.allOf(DoorId.class),
            ReservationSettings.DEFAULT,
            Duration.ofSeconds(60),
            GlobalReserveApiSettings.DEFAULT);

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
        Set<DoorId> ordered = EnumSet.noneOf(DoorId.class);
        ordered.addAll(enabled);
        enabled = Collections.unmodifiableSet(ordered);
    }

    /** The same with these doors disabled in addition. */
    public DoorSettings withDisabled(Set<DoorId> doors) {
        Set<DoorId> rest = EnumSet.noneOf(DoorId.class);
        rest.addAll(enabled);
        rest.removeAll(doors);
        return new DoorSettings(rest, reservations, godelReservationTtl, globalReserveApi);
    }

    public DoorSettings withGodelReservationTtl(Duration ttl) {
        return new DoorSettings(enabled, reservations, ttl, globalReserveApi);
    }

    public DoorSettings withGlobalReserveApi(GlobalReserveApiSettings settings) {
        return new DoorSettings(enabled, reservations, godelReservationTtl, settings);
    }

    public DoorSettings withReservations(ReservationSettings settings) {
        return new DoorSettings(enabled, settings, godelReservationTtl, globalReserveApi);
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
