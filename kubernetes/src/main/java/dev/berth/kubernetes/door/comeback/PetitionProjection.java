package dev.berth.kubernetes.door.comeback;

import dev.berth.core.door.comeback.Petition;
import dev.berth.core.door.comeback.Words;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Seen;

/** Reads what Deployments or StatefulSets say to the door. Most say nothing, and nothing is kept of them. */
public final class PetitionProjection implements Projection<Petition> {
    private static final FieldNames OBJECT = FieldNames.none().with(1, "metadata");

    private final Petition.Kind kind;
    private final Meta meta = new Meta(key -> key.equals(Words.RESERVATION) || key.equals(Words.TTL));

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
            return meta.annotations().isEmpty() ? Seen.nothing(meta) : Seen.readable(meta, petition());
        } catch (MalformedObject malformed) {
            return Seen.unreadable(meta, kind == Petition.Kind.DEPLOYMENT ? "deployment" : "statefulset", malformed);
        }
    }

    private Petition petition() {
        return new Petition(
                kind,
                meta.namespace(),
                meta.name(),
                meta.uid(),
                meta.annotations().get(Words.RESERVATION).orElse(""),
                meta.annotations().get(Words.TTL).orElse(""));
    }
}
