package dev.berth.kubernetes.door.device;

import dev.berth.core.door.device.ObjectRef;
import dev.berth.core.door.device.ObjectStatus;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.projection.Meta;

/** What the objects of both kinds have in common. */
final class Statuses {
    private static final FieldNames STATUS =
            FieldNames.none().with(1, "phase").with(2, "reason").with(3, "message");

    private Statuses() {}

    /** The cursor is at the field of a status. */
    static ObjectStatus read(Cursor in) {
        String phase = "";
        String reason = "";
        String message = "";
        in.enter();
        for (int field = in.next(STATUS); field != 0; field = in.next(STATUS)) {
            switch (field) {
                case 1 -> phase = in.text();
                case 2 -> reason = in.text();
                case 3 -> message = in.text();
                default -> in.skip();
            }
        }
        in.leave();
        return new ObjectStatus(phase, reason, message);
    }

    static ObjectRef ref(String group, Meta meta) {
        return new ObjectRef(group, meta.namespace(), meta.name(), meta.uid(), meta.version());
    }
}
