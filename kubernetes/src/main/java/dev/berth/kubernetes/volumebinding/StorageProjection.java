package dev.berth.kubernetes.volumebinding;

import dev.berth.core.volumebinding.StorageObject;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.projection.ObjectMeta;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.ReadResult;
import java.util.function.Predicate;

/** Reads one of the storage kinds. */
abstract class StorageProjection implements Projection<StorageObject> {
    private final String kind;
    private final FieldNames names;
    private final ObjectMeta meta;

    /** @param names the requested fields besides the metadata, which has number 1 */
    StorageProjection(String kind, FieldNames names, Predicate<String> annotations) {
        this.kind = kind;
        this.names = names.with(1, "metadata");
        this.meta = new ObjectMeta(annotations);
    }

    /** Clears the state of the last object. */
    abstract void clear();

    /** The cursor is at one of the requested fields, or at a field to skip. */
    abstract void read(int field, Cursor in);

    /** The object as read. */
    abstract StorageObject toObject(ObjectMeta object);

    @Override
    public final ReadResult<StorageObject> read(Cursor in) {
        meta.clear();
        clear();
        try {
            for (int field = in.nextField(names); field != 0; field = in.nextField(names)) {
                if (field == 1) {
                    meta.read(in);
                } else {
                    read(field, in);
                }
            }
            return ReadResult.readable(meta, toObject(meta));
        } catch (MalformedObjectException | IllegalArgumentException malformed) {
            return ReadResult.unreadable(meta, kind, malformed);
        }
    }

    /** The class of the deprecated annotation, else of the field. */
    static String storageClass(ObjectMeta object, String field) {
        return object.annotations().get(BETA_STORAGE_CLASS).orElse(field);
    }

    static final String BETA_STORAGE_CLASS = "volume.beta.kubernetes.io/storage-class";
}
