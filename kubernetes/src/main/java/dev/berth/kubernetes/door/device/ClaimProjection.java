package dev.berth.kubernetes.door.device;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.door.device.DeviceClaim;
import dev.berth.core.door.device.ObjectStatus;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Requirements;
import dev.berth.kubernetes.projection.Seen;
import dev.berth.kubernetes.sharing.LabelPool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads ExtendedResourceClaims. One that makes no sense is read with what is wrong about it, so that it can say so. */
final class ClaimProjection implements Projection<DeviceClaim> {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec").with(3, "status");
    private static final FieldNames SPEC = FieldNames.none()
            .with(1, "metadataRequirements")
            .with(2, "extendedResourceNames")
            .with(3, "rawResourceName")
            .with(4, "extendResourceNum");
    private static final Set<String> ANNOTATIONS = Set.of(DeviceObjects.POD_NAME, DeviceObjects.ASKED);

    private final String group;
    private final Meta meta = new Meta(ANNOTATIONS::contains);
    private final LabelPool labels = new LabelPool();
    private final List<String> names = new ArrayList<>();
    private LabelSelector properties = LabelSelector.EVERYTHING;
    private String resource = "";
    private long count;
    private ObjectStatus status = ObjectStatus.NONE;

    ClaimProjection(String group) {
        this.group = group;
    }

    @Override
    public Seen<DeviceClaim> read(Cursor in) {
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
            return Seen.readable(meta, claim(Optional.empty()));
        } catch (MalformedObject | IllegalArgumentException malformed) {
            return meta.uid().isEmpty()
                    ? Seen.unreadable(meta, "extendedresourceclaim", malformed)
                    : Seen.readable(meta, claim(Optional.of(String.valueOf(malformed.getMessage()))));
        }
    }

    private void clear() {
        meta.clear();
        names.clear();
        properties = LabelSelector.EVERYTHING;
        resource = "";
        count = 0;
        status = ObjectStatus.NONE;
    }

    private DeviceClaim claim(Optional<String> problem) {
        Optional<List<String>> asked =
                meta.annotations().get(DeviceObjects.ASKED).map(ClaimProjection::list);
        DeviceClaim.Written written =
                new DeviceClaim.Written(names, asked, meta.annotations().get(DeviceObjects.POD_NAME));
        DeviceClaim.Ask ask = new DeviceClaim.Ask(resource, properties, asked.orElse(names), count);
        return new DeviceClaim(Statuses.ref(group, meta), ask, written, status, problem);
    }

    private static List<String> list(String words) {
        return Arrays.stream(words.split(",", -1))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    private void spec(Cursor in) {
        in.enter();
        for (int field = in.next(SPEC); field != 0; field = in.next(SPEC)) {
            switch (field) {
                case 1 -> properties = Requirements.selector(in, labels);
                case 2 -> names.add(in.text());
                case 3 -> resource = in.text();
                case 4 -> count = in.number();
                default -> in.skip();
            }
        }
        in.leave();
    }
}
