package dev.berth.kubernetes.volume;

import dev.berth.core.volume.StorageObject;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Seen;
import java.util.function.Predicate;

/** Reads one of the kinds that have to do with volumes. */
abstract class StorageProjection implements Projection<StorageObject> {
    private final String kind;
    private final FieldNames names;
    private final Meta meta;

    /** @param names of the fields that are wanted, besides the metadata, which is number 1 */
    StorageProjection(String kind, FieldNames names, Predicate<String> annotations) {
        this.kind = kind;
        this.names = names.with(1, "metadata");
        this.meta = new Meta(annotations);
    }

    /** Forgets what the last object said. */
    abstract void clear();

    /** The cursor is at one of the wanted fields, or at another that is to be skipped. */
    abstract void read(int field, Cursor in);

    /** What has been read. */
    abstract StorageObject view(Meta object);

    @Override
    public final Seen<StorageObject> read(Cursor in) {
        meta.clear();
        clear();
        try {
            for (int field = in.next(names); field != 0; field = in.next(names)) {
                if (field == 1) {
                    meta.read(in);
                } else {
                    read(field, in);
                }
            }
            return Seen.readable(meta, view(meta));
        } catch (MalformedObject | IllegalArgumentException malformed) {
            return Seen.unreadable(meta, kind, malformed);
        }
    }

    /** The class as the annotation says it that came before the field, else as the field does. */
    static String storageClass(Meta object, String field) {
        return object.annotations().get(OLD_CLASS).orElse(field);
    }

    static final String OLD_CLASS = "volume.beta.kubernetes.io/storage-class";
}
