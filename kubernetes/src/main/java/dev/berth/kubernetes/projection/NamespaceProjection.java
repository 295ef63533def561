package dev.berth.kubernetes.projection;

import dev.berth.core.cluster.Namespace;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;

/** Reads the labels of namespaces. */
public final class NamespaceProjection implements Projection<Namespace> {
    private static final FieldNames OBJECT = FieldNames.none().with(1, "metadata");

    private final ObjectMeta meta = new ObjectMeta(annotation -> false);

    @Override
    public ReadResult<Namespace> read(Cursor in) {
        meta.clear();
        try {
            for (int field = in.nextField(OBJECT); field != 0; field = in.nextField(OBJECT)) {
                if (field == 1) {
                    meta.read(in);
                } else {
                    in.skip();
                }
            }
            return ReadResult.readable(meta, new Namespace(meta.name(), meta.labels()));
        } catch (MalformedObjectException | IllegalArgumentException malformed) {
            return ReadResult.unreadable(meta, "namespace", malformed);
        }
    }
}
