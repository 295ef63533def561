package dev.berth.kubernetes.volume;

import dev.berth.core.volume.Attachment;
import dev.berth.core.volume.StorageObject;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.projection.Meta;
import java.util.Optional;

/** Reads VolumeAttachments. */
final class AttachmentProjection extends StorageProjection {
    private static final FieldNames SPEC =
            FieldNames.none().with(1, "attacher").with(2, "source").with(3, "nodeName");
    private static final FieldNames SOURCE = FieldNames.none().with(1, "persistentVolumeName");

    private String attacher = "";
    private String node = "";
    private Optional<String> volume = Optional.empty();

    AttachmentProjection() {
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
        for (int inner = in.next(SPEC); inner != 0; inner = in.next(SPEC)) {
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
        for (int field = in.next(SOURCE); field != 0; field = in.next(SOURCE)) {
            if (field == 1) {
                volume = Optional.of(in.ownText());
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    @Override
    StorageObject view(Meta object) {
        return new Attachment(object.name(), object.uid(), attacher, node, volume);
    }
}
