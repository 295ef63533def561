package dev.berth.kubernetes.volume;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.volume.ClaimKey;
import dev.berth.core.volume.StorageObject;
import dev.berth.core.volume.VolumeClaim;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.projection.Requirements;
import dev.berth.kubernetes.sharing.LabelPool;
import dev.berth.kubernetes.sharing.Quantities;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads PersistentVolumeClaims. */
final class ClaimProjection extends StorageProjection {
    static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
    private static final ResourceName STORAGE = new ResourceName("storage");
    private static final Set<String> ANNOTATIONS = Set.of(SELECTED_NODE, BIND_COMPLETED, OLD_CLASS);
    private static final FieldNames SPEC = FieldNames.none()
            .with(1, "accessModes")
            .with(2, "resources")
            .with(3, "volumeName")
            .with(4, "selector")
            .with(5, "storageClassName")
            .with(6, "volumeMode")
            .with(9, "volumeAttributesClassName");
    private static final FieldNames RESOURCES = FieldNames.none().withMap(2, "requests");
    private static final FieldNames STATUS = FieldNames.none().with(1, "phase");

    private final LabelPool labels = new LabelPool();
    private final Quantities quantities = new Quantities();
    private final Set<String> accessModes = new HashSet<>();
    private final Map<ResourceName, Quantity> requests = new HashMap<>();
    private Optional<LabelSelector> selector = Optional.empty();
    private String storageClass = "";
    private String mode = "";
    private String attributesClass = "";
    private String volume = "";
    private String phase = "";

    ClaimProjection() {
        super("persistentvolumeclaim", FieldNames.none().with(2, "spec").with(3, "status"), ANNOTATIONS::contains);
    }

    @Override
    void clear() {
        accessModes.clear();
        requests.clear();
        selector = Optional.empty();
        storageClass = "";
        mode = "";
        attributesClass = "";
        volume = "";
        phase = "";
    }

    @Override
    void read(int field, Cursor in) {
        switch (field) {
            case 2 -> spec(in);
            case 3 -> status(in);
            default -> in.skip();
        }
    }

    private void spec(Cursor in) {
        in.enter();
        for (int field = in.next(SPEC); field != 0; field = in.next(SPEC)) {
            switch (field) {
                case 1 -> accessModes.add(in.text());
                case 2 -> resources(in);
                case 3 -> volume = in.ownText();
                case 4 -> selector = Optional.of(Requirements.selector(in, labels));
                case 5 -> storageClass = in.text();
                case 6 -> mode = in.text();
                case 9 -> attributesClass = in.text();
                default -> in.skip();
            }
        }
        in.leave();
    }

    private void resources(Cursor in) {
        in.enter();
        for (int field = in.next(RESOURCES); field != 0; field = in.next(RESOURCES)) {
            if (field == 2) {
                quantities.read(in, requests);
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private void status(Cursor in) {
        in.enter();
        for (int field = in.next(STATUS); field != 0; field = in.next(STATUS)) {
            if (field == 1) {
                phase = in.text();
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    @Override
    StorageObject view(Meta object) {
        VolumeClaim.Ask ask = new VolumeClaim.Ask(
                storageClass(object, storageClass),
                Optional.ofNullable(requests.get(STORAGE)),
                accessModes,
                selector,
                mode.isEmpty() ? VolumeClaim.FILESYSTEM : mode,
                attributesClass);
        VolumeClaim.State state = new VolumeClaim.State(
                volume,
                object.annotations().has(BIND_COMPLETED),
                object.annotations().get(SELECTED_NODE),
                phase.equals("Lost"),
                object.terminating(),
                object.controller().map(ControllerRef::uid));
        return new VolumeClaim(
                new ClaimKey(object.namespace(), object.name()), object.uid(), object.version(), ask, state);
    }
}
