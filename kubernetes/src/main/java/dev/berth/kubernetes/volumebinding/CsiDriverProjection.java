package dev.berth.kubernetes.volumebinding;

import dev.berth.core.volumebinding.CsiDriver;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.projection.ObjectMeta;

/** Reads CSIDrivers. */
final class CsiDriverProjection extends StorageProjection {
    private static final FieldNames SPEC = FieldNames.none().with(4, "storageCapacity");

    private boolean reportsCapacity;

    CsiDriverProjection() {
        super("csidriver", FieldNames.none().with(2, "spec"), annotation -> false);
    }

    @Override
    void clear() {
        reportsCapacity = false;
    }

    @Override
    void read(int field, Cursor in) {
        if (field != 2) {
            in.skip();
            return;
        }
        in.enter();
        for (int inner = in.nextField(SPEC); inner != 0; inner = in.nextField(SPEC)) {
            if (inner == 4) {
                reportsCapacity = in.flag();
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    @Override
    StorageObject toObject(ObjectMeta object) {
        return new CsiDriver(object.name(), object.uid(), reportsCapacity);
    }
}
