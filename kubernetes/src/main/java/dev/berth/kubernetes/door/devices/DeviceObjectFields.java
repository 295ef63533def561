package dev.berth.kubernetes.door.devices;

import dev.berth.core.door.devices.DeviceObjectRef;
import dev.berth.core.door.devices.DeviceObjectStatus;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.projection.ObjectMeta;

/** The fields that both kinds have in common. */
final class DeviceObjectFields {
    private static final FieldNames STATUS =
            FieldNames.none().with(1, "phase").with(2, "reason").with(3, "message");

    private DeviceObjectFields() {}

    /** The cursor is at the field of a status. */
    static DeviceObjectStatus readStatus(Cursor in) {
        String phase = "";
        String reason = "";
        String message = "";
        in.enter();
        for (int field = in.nextField(STATUS); field != 0; field = in.nextField(STATUS)) {
            switch (field) {
                case 1 -> phase = in.text();
                case 2 -> reason = in.text();
                case 3 -> message = in.text();
                default -> in.skip();
            }
        }
        in.leave();
        return new DeviceObjectStatus(phase, reason, message);
    }

    static DeviceObjectRef toRef(String group, ObjectMeta meta) {
        return new DeviceObjectRef(group, meta.namespace(), meta.name(), meta.uid(), meta.resourceVersion());
    }
}
