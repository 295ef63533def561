package dev.berth.kubernetes.door.device;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.door.device.Device;
import dev.berth.core.door.device.ObjectStatus;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.projection.Affinities;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.sharing.LabelPool;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads ExtendedResources. */
final class DeviceProjection extends DeviceKindProjection<Device> {
    private static final FieldNames SPEC = FieldNames.none()
            .with(1, "nodeAffinity")
            .with(2, "rawResourceName")
            .withMap(3, "properties")
            .with(4, "extendedResourceClaimName")
            .with(5, "deviceID");
    private static final FieldNames AFFINITY = FieldNames.none().with(1, "required");

    private static final Set<String> ANNOTATIONS = Set.of(DeviceObjects.CLAIM_NAMESPACE, DeviceObjects.POD_UID);

    private final String group;
    private final LabelPool labels = new LabelPool();
    private List<NodeTerm> nodes = List.of();
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
    Device view(Meta object, ObjectStatus says, Optional<String> problem) {
        Device.Link link = new Device.Link(
                object.annotations().get(DeviceObjects.CLAIM_NAMESPACE).orElse(""),
                claim,
                object.annotations().get(DeviceObjects.POD_UID).orElse(""));
        return new Device(Statuses.ref(group, object), nodes, resource, id, properties, link, says, problem);
    }

    @Override
    void spec(Cursor in) {
        labels.begin();
        in.enter();
        for (int field = in.next(SPEC); field != 0; field = in.next(SPEC)) {
            switch (field) {
                case 1 -> affinity(in);
                case 2 -> resource = in.text();
                case 3 -> labels.add(in.key(), in.valueText());
                case 4 -> claim = in.text();
                case 5 -> id = in.text();
                default -> in.skip();
            }
        }
        in.leave();
        properties = labels.end();
    }

    private void affinity(Cursor in) {
        in.enter();
        for (int field = in.next(AFFINITY); field != 0; field = in.next(AFFINITY)) {
            if (field == 1) {
                nodes = Affinities.terms(in);
            } else {
                in.skip();
            }
        }
        in.leave();
    }
}
