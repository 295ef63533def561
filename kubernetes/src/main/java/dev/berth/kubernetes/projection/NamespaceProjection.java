package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.neighbour.Namespace;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;

/** Reads the labels of namespaces. */
public final class NamespaceProjection implements Projection<Namespace> {
    private static final FieldNames OBJECT = FieldNames.none().with(1, "metadata");

    private final Meta meta = new Meta(annotation -> false);

    @Override
    public Seen<Namespace> read(Cursor in) {
        meta.clear();
        try {
            for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
                if (field == 1) {
                    meta.read(in);
                } else {
                    in.skip();
                }
            }
            return Seen.readable(meta, new Namespace(meta.name(), meta.labels()));
        } catch (MalformedObject | IllegalArgumentException malformed) {
            return Seen.unreadable(meta, "namespace", malformed);
        }
    }
}
