package dev.berth.kubernetes.door.devices;

import dev.berth.core.door.devices.DeviceObjectStatus;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObjectException;
import dev.berth.kubernetes.projection.ObjectMeta;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.ReadResult;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Reads one kind of the device door. A malformed object is read with its problem, so that its status can report the
 * problem.
 */
abstract class DeviceObjectProjection<T> implements Projection<T> {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec").with(3, "status");

    private final String kind;
    private final ObjectMeta meta;
    private DeviceObjectStatus status = DeviceObjectStatus.NONE;

    DeviceObjectProjection(String kind, Predicate<String> annotations) {
        this.kind = kind;
        this.meta = new ObjectMeta(annotations);
    }

    /** Clears the state of the last object. */
    abstract void clear();

    abstract void readSpec(Cursor in);

    /** The object as read so far. */
    abstract T build(ObjectMeta object, DeviceObjectStatus objectStatus, Optional<String> problem);

    @Override
    public final ReadResult<T> read(Cursor in) {
        meta.clear();
        status = DeviceObjectStatus.NONE;
        clear();
        try {
            for (int field = in.nextField(OBJECT); field != 0; field = in.nextField(OBJECT)) {
                switch (field) {
                    case 1 -> meta.read(in);
                    case 2 -> readSpec(in);
                    case 3 -> status = DeviceObjectFields.readStatus(in);
                    default -> in.skip();
                }
            }
            return ReadResult.readable(meta, build(meta, status, Optional.empty()));
        } catch (MalformedObjectException | IllegalArgumentException malformed) {
            return meta.uid().isEmpty()
                    ? ReadResult.unreadable(meta, kind, malformed)
                    : ReadResult.readable(
                            meta, build(meta, status, Optional.of(String.valueOf(malformed.getMessage()))));
        }
    }
}
