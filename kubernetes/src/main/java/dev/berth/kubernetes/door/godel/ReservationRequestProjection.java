package dev.berth.kubernetes.door.godel;

import dev.berth.core.door.godel.GodelAnnotations;
import dev.berth.core.door.godel.ReservationRequest;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.projection.MetadataProjection;
import dev.berth.kubernetes.projection.ObjectMeta;
import dev.berth.kubernetes.projection.ReadResult;
import java.util.Optional;

/** Reads the annotations of Deployments or StatefulSets. Objects without such annotations are dropped. */
public final class ReservationRequestProjection implements MetadataProjection<ReservationRequest> {
    private static final FieldNames OBJECT = FieldNames.none().with(1, "metadata");

    private final ReservationRequest.RequesterKind kind;
    private final ObjectMeta meta = new ObjectMeta(this::keepsAnnotation);

    public ReservationRequestProjection(ReservationRequest.RequesterKind kind) {
        this.kind = kind;
    }

    @Override
    public ReadResult<ReservationRequest> read(Cursor in) {
        meta.clear();
        try {
            for (int field = in.nextField(OBJECT); field != 0; field = in.nextField(OBJECT)) {
                if (field == 1) {
                    meta.read(in);
                } else {
                    in.skip();
                }
            }
            return view(meta)
                    .map(reservationRequest -> ReadResult.readable(meta, reservationRequest))
                    .orElseGet(() -> ReadResult.irrelevant(meta));
        } catch (MalformedObjectException malformed) {
            return ReadResult.unreadable(
                    meta,
                    kind == ReservationRequest.RequesterKind.DEPLOYMENT ? "deployment" : "statefulset",
                    malformed);
        }
    }

    @Override
    public boolean keepsAnnotation(String key) {
        return key.equals(GodelAnnotations.RESERVATION) || key.equals(GodelAnnotations.TTL);
    }

    @Override
    public Optional<ReservationRequest> view(ObjectMeta of) {
        return of.annotations().isEmpty()
                ? Optional.empty()
                : Optional.of(new ReservationRequest(
                        kind,
                        of.namespace(),
                        of.name(),
                        of.uid(),
                        of.annotations().get(GodelAnnotations.RESERVATION).orElse(""),
                        of.annotations().get(GodelAnnotations.TTL).orElse("")));
    }
}
