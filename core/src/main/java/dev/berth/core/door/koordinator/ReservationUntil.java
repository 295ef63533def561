package dev.berth.core.door.koordinator;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Until when a reservation holds its capacity, as a text for users. It follows from ttl, expires and the time of
 * creation, so no field of Koordinator shows it.
 */
final class ReservationUntil {
    private static final String NEVER_ENDS = "never";
    private static final String UNKNOWN = "unknown";

    private ReservationUntil() {}

    /** @param spec the spec that takes effect; empty if it is malformed */
    static String text(ReservationStatus status, Optional<ReservationSpec> spec) {
        if (status.phase().terminal()) {
            return status.endedAt().map(ReservationUntil::text).orElse(UNKNOWN);
        }
        return spec.map(it -> it.deadline().map(ReservationUntil::text).orElse(NEVER_ENDS))
                .orElse(UNKNOWN);
    }

    private static String text(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
