package dev.berth.kubernetes.door.device;

import dev.berth.core.door.device.ObjectStatus;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Seen;
import java.util.Optional;
import java.util.function.Predicate;

/** Reads a kind of the device door. An object that makes no sense is read with what is wrong about it, so that it can say so. */
abstract class DeviceKindProjection<T> implements Projection<T> {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec").with(3, "status");

    private final String kind;
    private final Meta meta;
    private ObjectStatus status = ObjectStatus.NONE;

    DeviceKindProjection(String kind, Predicate<String> annotations) {
        this.kind = kind;
        this.meta = new Meta(annotations);
    }

    /** Forgets what the last object's specification said. */
    abstract void clear();

    abstract void spec(Cursor in);

    /** What has been read so far. */
    abstract T view(Meta object, ObjectStatus says, Optional<String> problem);

    @Override
    public final Seen<T> read(Cursor in) {
        meta.clear();
        status = ObjectStatus.NONE;
        clear();
        try {
            for (int field = in.next(OBJECT); field != 0; field = in.next(OBJECT)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> spec(in);
                    case 3 -> status = Statuses.read(in);
                    default -> in.skip();
                }
            }
            return Seen.readable(meta, view(meta, status, Optional.empty()));
        } catch (MalformedObject | IllegalArgumentException malformed) {
            return meta.uid().isEmpty()
                    ? Seen.unreadable(meta, kind, malformed)
                    : Seen.readable(meta, view(meta, status, Optional.of(String.valueOf(malformed.getMessage()))));
        }
    }
}
