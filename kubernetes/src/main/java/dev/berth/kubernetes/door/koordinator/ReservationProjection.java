package dev.berth.kubernetes.door.koordinator;

import dev.berth.core.door.koordinator.Reservation;
import dev.berth.core.door.koordinator.ReservationSpec;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.cursor.StringInterner;
import dev.berth.kubernetes.json.JsonCursor;
import dev.berth.kubernetes.json.JsonObject;
import dev.berth.kubernetes.projection.ObjectMeta;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.ReadResult;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * Reads reservations. If the spec is malformed, the reservation is read with its status and its problem. So the problem
 * can be reported, and the promised resources stay held.
 */
public final class ReservationProjection implements Projection<Reservation> {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec").with(3, "status");
    private static final FieldNames META = FieldNames.none().with(1, "metadata");

    private final ObjectMeta meta = new ObjectMeta(ReservationProjection::keepsAnnotation);
    private final ReservationSpecReader specReader = new ReservationSpecReader();
    private final StringInterner stringInterner = new StringInterner();

    @Override
    public ReadResult<Reservation> read(Cursor in) {
        meta.clear();
        JsonObject spec = JsonObject.EMPTY;
        JsonObject status = JsonObject.EMPTY;
        try {
            for (int field = in.nextField(OBJECT); field != 0; field = in.nextField(OBJECT)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> spec = JsonObject.parse(in.rawJson());
                    case 3 -> status = JsonObject.parse(in.rawJson());
                    default -> in.skip();
                }
            }
            return ReadResult.readable(meta, reservation(spec, status));
        } catch (MalformedObjectException | IllegalArgumentException | DateTimeException malformed) {
            return readMalformed(in, malformed);
        }
    }

    /**
     * A part that is nested too deeply or too long makes the spec malformed, but does not end the reservation. The
     * status is read without that part, so that the promised resources stay held after a restart, too.
     */
    private ReadResult<Reservation> readMalformed(Cursor in, RuntimeException malformed) {
        try {
            byte[] json = in.recoverJson();
            try (JsonCursor rest = new JsonCursor(stringInterner, json, 0, json.length)) {
                meta.clear();
                for (int field = rest.nextField(META); field != 0; field = rest.nextField(META)) {
                    meta.read(rest);
                }
            }
            JsonObject object = JsonObject.parse(json);
            JsonObject status = object.object("status").orElse(JsonObject.EMPTY);
            JsonObject spec = object.object("spec").orElse(JsonObject.EMPTY);
            String problem = String.valueOf(malformed.getMessage());
            return ReadResult.readable(meta, reservation(spec, status, Optional.empty(), problem));
        } catch (MalformedObjectException | IllegalArgumentException | DateTimeException unreadable) {
            return ReadResult.unreadable(meta, "reservation", unreadable);
        }
    }

    private Reservation reservation(JsonObject spec, JsonObject status) {
        try {
            return reservation(spec, status, Optional.of(specReader.read(meta, spec)), "");
        } catch (MalformedObjectException
                | IllegalArgumentException
                | ArithmeticException
                | DateTimeException invalid) {
            return reservation(spec, status, Optional.empty(), String.valueOf(invalid.getMessage()));
        }
    }

    private Reservation reservation(
            JsonObject spec, JsonObject status, Optional<ReservationSpec> reservationSpec, String problem) {
        return new Reservation(
                meta.uid(),
                meta.name(),
                meta.resourceVersion(),
                Instant.ofEpochMilli(meta.createdMillis()),
                meta.terminating(),
                schedulerName(spec),
                reservationSpec,
                problem,
                reservationSpec.map(ReservationSpec::template).or(() -> template(spec)),
                ReservationFieldWarnings.find(meta, spec),
                reservationSpec
                        .map(it -> UnsupportedReservationFeatures.find(
                                meta, spec, it.template().spec().requests(), isPlaced(status)))
                        .orElse(""),
                ReservationStatusReader.read(status),
                status.text(ReservationColumns.FIELD, ReservationColumns.UNTIL));
    }

    /** For a malformed spec: its template may be well-formed. */
    private Optional<ReservationSpec.Template> template(JsonObject spec) {
        try {
            return Optional.of(specReader.readTemplate(meta, spec));
        } catch (MalformedObjectException
                | IllegalArgumentException
                | ArithmeticException
                | DateTimeException invalid) {
            return Optional.empty();
        }
    }

    private static boolean isPlaced(JsonObject status) {
        return !status.text("nodeName").isEmpty();
    }

    private static boolean keepsAnnotation(String key) {
        return key.contains("koordinator.sh/") || key.startsWith("pod-group.scheduling.sigs.k8s.io");
    }

    /** Empty if it names none: the CRD sets no default here, unlike the API server for pods. */
    static String schedulerName(JsonObject spec) {
        return spec.text("template", "spec", "schedulerName");
    }
}
