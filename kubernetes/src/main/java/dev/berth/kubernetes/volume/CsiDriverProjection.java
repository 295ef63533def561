package dev.berth.kubernetes.volume;

import dev.berth.core.volume.CsiDriver;
import dev.berth.core.volume.StorageObject;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.projection.Meta;

/** Reads CSIDrivers. */
final class CsiDriverProjection extends StorageProjection {
    private static final FieldNames SPEC = FieldNames.none().with(4, "storageCapacity");

    private boolean tellsCapacity;

    CsiDriverProjection() {
        super("csidriver", FieldNames.none().with(2, "spec"), annotation -> false);
    }

    @Override
    void clear() {
        tellsCapacity = false;
    }

    @Override
    void read(int field, Cursor in) {
        if (field != 2) {
            in.skip();
            return;
        }
        in.enter();
        for (int inner = in.next(SPEC); inner != 0; inner = in.next(SPEC)) {
            if (inner == 4) {
                tellsCapacity = in.flag();
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    @Override
    StorageObject view(Meta object) {
        return new CsiDriver(object.name(), object.uid(), tellsCapacity);
    }
}
