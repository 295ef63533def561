package dev.berth.kubernetes.door.comeback;

import dev.berth.core.door.comeback.Petition;
import dev.berth.core.door.comeback.Words;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.projection.MetadataProjection;
import dev.berth.kubernetes.projection.Seen;
import java.util.Optional;

/** Reads what Deployments or StatefulSets say to the door. Most say nothing, and nothing is kept of them. */
public final class PetitionProjection implements MetadataProjection<Petition> {
    private static final FieldNames OBJECT = FieldNames.none().with(1, "metadata");

    private final Petition.Kind kind;
    private final Meta meta = new Meta(this::wantsAnnotation);

    public PetitionProjection(Petition.Kind kind) {
        this.kind = kind;
    }

    @Override
    public Seen<Petition> read(Cursor in) {
        meta.clear();
        try {
            for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
                if (field == 1) {
                    meta.read(in);
                } else {
                    in.skip();
                }
            }
            return view(meta).map(petition -> Seen.readable(meta, petition)).orElseGet(() -> Seen.nothing(meta));
        } catch (MalformedObject malformed) {
            return Seen.unreadable(meta, kind == Petition.Kind.DEPLOYMENT ? "deployment" : "statefulset", malformed);
        }
    }

    @Override
    public boolean wantsAnnotation(String key) {
        return key.equals(Words.RESERVATION) || key.equals(Words.TTL);
    }

    @Override
    public Optional<Petition> view(Meta of) {
        return of.annotations().isEmpty()
                ? Optional.empty()
                : Optional.of(new Petition(
                        kind,
                        of.namespace(),
                        of.name(),
                        of.uid(),
                        of.annotations().get(Words.RESERVATION).orElse(""),
                        of.annotations().get(Words.TTL).orElse("")));
    }
}
