package dev.berth.kubernetes.door.devices;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.door.devices.Device;
import dev.berth.core.door.devices.DeviceObjectStatus;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.interning.LabelsInterner;
import dev.berth.kubernetes.projection.AffinityReader;
import dev.berth.kubernetes.projection.ObjectMeta;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads ExtendedResources. */
final class DeviceProjection extends DeviceObjectProjection<Device> {
    private static final FieldNames SPEC = FieldNames.none()
            .with(1, "nodeAffinity")
            .with(2, "rawResourceName")
            .withMap(3, "properties")
            .with(4, "extendedResourceClaimName")
            .with(5, "deviceID");
    private static final FieldNames AFFINITY = FieldNames.none().with(1, "required");

    private static final Set<String> ANNOTATIONS = Set.of(DevicesApi.CLAIM_NAMESPACE, DevicesApi.POD_UID);

    private final String group;
    private final LabelsInterner labels = new LabelsInterner();
    private List<NodeSelectorTerm> nodes = List.of();
    private String resource = "";
    private Labels properties = Labels.NONE;
    private String claim = "";
    private String id = "";

    DeviceProjection(String group) {
        super("extendedresource", ANNOTATIONS::contains);
        this.group = group;
    }

    @Override
    void clear() {
        nodes = List.of();
        resource = "";
        properties = Labels.NONE;
        claim = "";
        id = "";
    }

    @Override
    Device build(ObjectMeta object, DeviceObjectStatus objectStatus, Optional<String> problem) {
        Device.DeviceBinding deviceBinding = new Device.DeviceBinding(
                object.annotations().get(DevicesApi.CLAIM_NAMESPACE).orElse(""),
                claim,
                object.annotations().get(DevicesApi.POD_UID).orElse(""));
        return new Device(
                DeviceObjectFields.toRef(group, object),
                nodes,
                resource,
                id,
                properties,
                deviceBinding,
                objectStatus,
                problem);
    }

    @Override
    void readSpec(Cursor in) {
        labels.begin();
        in.enter();
        for (int field = in.nextField(SPEC); field != 0; field = in.nextField(SPEC)) {
            switch (field) {
                case 1 -> readAffinity(in);
                case 2 -> resource = in.text();
                case 3 -> labels.add(in.mapKey(), in.mapValueText());
                case 4 -> claim = in.text();
                case 5 -> id = in.text();
                default -> in.skip();
            }
        }
        in.leave();
        properties = labels.intern();
    }

    private void readAffinity(Cursor in) {
        in.enter();
        for (int field = in.nextField(AFFINITY); field != 0; field = in.nextField(AFFINITY)) {
            if (field == 1) {
                nodes = AffinityReader.readNodeSelectorTerms(in);
            } else {
                in.skip();
            }
        }
        in.leave();
    }
}
