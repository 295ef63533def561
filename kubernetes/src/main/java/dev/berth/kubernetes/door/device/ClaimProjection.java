package dev.berth.kubernetes.door.device;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.door.device.DeviceClaim;
import dev.berth.core.door.device.ObjectStatus;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.projection.Requirements;
import dev.berth.kubernetes.sharing.LabelPool;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads ExtendedResourceClaims. */
final class ClaimProjection extends DeviceKindProjection<DeviceClaim> {
    private static final FieldNames SPEC = FieldNames.none()
            .with(1, "metadataRequirements")
            .with(2, "extendedResourceNames")
            .with(3, "rawResourceName")
            .with(4, "extendResourceNum");
    private static final Set<String> ANNOTATIONS = Set.of(DeviceObjects.POD_NAME, DeviceObjects.ASKED);

    private final String group;
    private final LabelPool labels = new LabelPool();
    private final List<String> names = new ArrayList<>();
    private LabelSelector properties = LabelSelector.EVERYTHING;
    private String resource = "";
    private long count;

    ClaimProjection(String group) {
        super("extendedresourceclaim", ANNOTATIONS::contains);
        this.group = group;
    }

    @Override
    void clear() {
        names.clear();
        properties = LabelSelector.EVERYTHING;
        resource = "";
        count = 0;
    }

    @Override
    DeviceClaim view(Meta object, ObjectStatus says, Optional<String> problem) {
        Optional<List<String>> asked =
                object.annotations().get(DeviceObjects.ASKED).map(ClaimProjection::list);
        DeviceClaim.Written written =
                new DeviceClaim.Written(names, asked, object.annotations().get(DeviceObjects.POD_NAME));
        DeviceClaim.Ask ask = new DeviceClaim.Ask(resource, properties, asked.orElse(names), count);
        return new DeviceClaim(Statuses.ref(group, object), ask, written, says, problem);
    }

    private static List<String> list(String words) {
        return Arrays.stream(words.split(",", -1))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    @Override
    void spec(Cursor in) {
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
