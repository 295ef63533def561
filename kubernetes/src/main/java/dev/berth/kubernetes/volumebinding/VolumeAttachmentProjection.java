package dev.berth.kubernetes.volumebinding;

import dev.berth.core.volumebinding.StorageObject;
import dev.berth.core.volumebinding.VolumeAttachment;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.projection.ObjectMeta;
import java.util.Optional;

/** Reads VolumeAttachments. */
final class VolumeAttachmentProjection extends StorageProjection {
    private static final FieldNames SPEC =
            FieldNames.none().with(1, "attacher").with(2, "source").with(3, "nodeName");
    private static final FieldNames SOURCE = FieldNames.none().with(1, "persistentVolumeName");

    private String attacher = "";
    private String node = "";
    private Optional<String> volume = Optional.empty();

    VolumeAttachmentProjection() {
        super("volumeattachment", FieldNames.none().with(2, "spec"), annotation -> false);
    }

    @Override
    void clear() {
        attacher = "";
        node = "";
        volume = Optional.empty();
    }

    @Override
    void read(int field, Cursor in) {
        if (field != 2) {
            in.skip();
            return;
        }
        in.enter();
        for (int inner = in.nextField(SPEC); inner != 0; inner = in.nextField(SPEC)) {
            switch (inner) {
                case 1 -> attacher = in.text();
                case 2 -> source(in);
                case 3 -> node = in.text();
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void source(Cursor in) {
        in.enter();
        for (int field = in.nextField(SOURCE); field != 0; field = in.nextField(SOURCE)) {
            if (field == 1) {
                volume = Optional.of(in.uninternedText());
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    @Override
    StorageObject toObject(ObjectMeta object) {
        return new VolumeAttachment(object.name(), object.uid(), attacher, node, volume);
    }
}
