package dev.berth.kubernetes.door.device;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.door.device.Device;
import dev.berth.core.door.device.ObjectStatus;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.cursor.MalformedObject;
import dev.berth.kubernetes.projection.Affinities;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.projection.Projection;
import dev.berth.kubernetes.projection.Seen;
import dev.berth.kubernetes.sharing.LabelPool;
import java.util.List;
import java.util.Optional;

/** Reads ExtendedResources. One that makes no sense is read with what is wrong about it, so that it can say so. */
final class DeviceProjection implements Projection<Device> {
    private static final FieldNames OBJECT =
            FieldNames.none().with(1, "metadata").with(2, "spec").with(3, "status");
    private static final FieldNames SPEC = FieldNames.none()
            .with(1, "nodeAffinity")
            .with(2, "rawResourceName")
            .withMap(3, "properties")
            .with(4, "extendedResourceClaimName");
    private static final FieldNames AFFINITY = FieldNames.none().with(1, "required");

    private final String group;
    private final Meta meta = new Meta(DeviceObjects.CLAIM_NAMESPACE::equals);
    private final LabelPool labels = new LabelPool();
    private List<NodeTerm> nodes = List.of();
    private String resource = "";
    private Labels properties = Labels.NONE;
    private String claim = "";
    private ObjectStatus status = ObjectStatus.NONE;

    DeviceProjection(String group) {
        this.group = group;
    }

    @Override
    public Seen<Device> read(Cursor in) {
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
            return Seen.readable(meta, device(Optional.empty()));
        } catch (MalformedObject | IllegalArgumentException malformed) {
            return meta.uid().isEmpty()
                    ? Seen.unreadable(meta, "extendedresource", malformed)
                    : Seen.readable(meta, device(Optional.of(String.valueOf(malformed.getMessage()))));
        }
    }

    private void clear() {
        meta.clear();
        nodes = List.of();
        resource = "";
        properties = Labels.NONE;
        claim = "";
        status = ObjectStatus.NONE;
    }

    private Device device(Optional<String> problem) {
        Device.Link link = new Device.Link(
                meta.annotations().get(DeviceObjects.CLAIM_NAMESPACE).orElse(""), claim);
        return new Device(Statuses.ref(group, meta), nodes, resource, properties, link, status, problem);
    }

    private void spec(Cursor in) {
        labels.begin();
        in.enter();
        for (int field = in.next(SPEC); field != 0; field = in.next(SPEC)) {
            switch (field) {
                case 1 -> affinity(in);
                case 2 -> resource = in.text();
                case 3 -> labels.add(in.key(), in.valueText());
                case 4 -> claim = in.text();
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
