package dev.berth.kubernetes.projection;

import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;

/** Whether a pod has volumes that bind it to some nodes, or count against a node's limit. */
final class Volumes {
    /** JSON has the sources beside the name, protobuf one level deeper: there their numbers are their own. */
    private static final int INLINE = 100;

    private static final int SOURCE = 2;
    private static final FieldNames VOLUME = FieldNames.none()
            .with(INLINE + 3, "gcePersistentDisk")
            .with(INLINE + 4, "awsElasticBlockStore")
            .with(INLINE + 8, "iscsi")
            .with(INLINE + 10, "persistentVolumeClaim")
            .with(INLINE + 11, "rbd")
            .with(INLINE + 13, "cinder")
            .with(INLINE + 20, "vsphereVolume")
            .with(INLINE + 22, "azureDisk")
            .with(INLINE + 24, "portworxVolume")
            .with(INLINE + 29, "ephemeral");

    private boolean bound;

    void clear() {
        bound = false;
    }

    boolean bound() {
        return bound;
    }

    void read(Cursor in) {
        in.enter();
        for (int field = in.next(VOLUME); field != 0; field = in.next(VOLUME)) {
            if (field == SOURCE) {
                source(in);
            } else {
                bound |= field > INLINE && binds(field - INLINE);
                in.skip();
            }
        }
        in.leave();
    }

    private void source(Cursor in) {
        in.enter();
        for (int field = in.next(VOLUME); field != 0; field = in.next(VOLUME)) {
            bound |= binds(field);
            in.skip();
        }
        in.leave();
    }

    private static boolean binds(int source) {
        return switch (source) {
            case 3, 4, 8, 10, 11, 13, 20, 22, 24, 29 -> true;
            default -> false;
        };
    }
}
