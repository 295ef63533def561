package dev.berth.kubernetes.door.devices;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.door.devices.DeviceClaim;
import dev.berth.core.door.devices.DeviceObjectStatus;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.interning.LabelsInterner;
import dev.berth.kubernetes.projection.ObjectMeta;
import dev.berth.kubernetes.projection.SelectorReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads ExtendedResourceClaims. */
final class DeviceClaimProjection extends DeviceObjectProjection<DeviceClaim> {
    private static final FieldNames SPEC = FieldNames.none()
            .with(1, "metadataRequirements")
            .with(2, "extendedResourceNames")
            .with(3, "rawResourceName")
            .with(4, "extendResourceNum");
    private static final Set<String> ANNOTATIONS = Set.of(DevicesApi.POD_NAME, DevicesApi.REQUESTED_NAMES);

    private final String group;
    private final LabelsInterner labels = new LabelsInterner();
    private final List<String> names = new ArrayList<>();
    private LabelSelector properties = LabelSelector.EVERYTHING;
    private String resource = "";
    private long count;

    DeviceClaimProjection(String group) {
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
    DeviceClaim build(ObjectMeta object, DeviceObjectStatus objectStatus, Optional<String> problem) {
        Optional<List<String>> requestedNames =
                object.annotations().get(DevicesApi.REQUESTED_NAMES).map(DeviceClaimProjection::parseNames);
        DeviceClaim.DeviceClaimAllocation deviceClaimAllocation = new DeviceClaim.DeviceClaimAllocation(
                names, requestedNames, object.annotations().get(DevicesApi.POD_NAME));
        DeviceClaim.DeviceClaimSpec deviceClaimSpec =
                new DeviceClaim.DeviceClaimSpec(resource, properties, requestedNames.orElse(names), count);
        return new DeviceClaim(
                DeviceObjectFields.toRef(group, object), deviceClaimSpec, deviceClaimAllocation, objectStatus, problem);
    }

    private static List<String> parseNames(String text) {
        return Arrays.stream(text.split(",", -1))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    @Override
    void readSpec(Cursor in) {
        in.enter();
        for (int field = in.nextField(SPEC); field != 0; field = in.nextField(SPEC)) {
            switch (field) {
                case 1 -> properties = SelectorReader.readLabelSelector(in, labels);
                case 2 -> names.add(in.text());
                case 3 -> resource = in.text();
                case 4 -> count = in.number();
                default -> in.skip();
            }
        }
        in.leave();
    }
}
