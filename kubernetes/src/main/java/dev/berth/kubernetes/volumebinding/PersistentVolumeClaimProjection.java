package dev.berth.kubernetes.volumebinding;

import dev.berth.core.cluster.ControllerRef;
import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.interning.LabelsInterner;
import dev.berth.kubernetes.interning.QuantityCache;
import dev.berth.kubernetes.projection.ObjectMeta;
import dev.berth.kubernetes.projection.SelectorReader;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads PersistentVolumeClaims. */
final class PersistentVolumeClaimProjection extends StorageProjection {
    static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
    private static final ResourceName STORAGE = new ResourceName("storage");
    private static final Set<String> ANNOTATIONS = Set.of(SELECTED_NODE, BIND_COMPLETED, BETA_STORAGE_CLASS);
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

    private final LabelsInterner labels = new LabelsInterner();
    private final QuantityCache quantityCache = new QuantityCache();
    private final Set<String> accessModes = new HashSet<>();
    private final Map<ResourceName, Quantity> requests = new HashMap<>();
    private Optional<LabelSelector> selector = Optional.empty();
    private String storageClass = "";
    private String mode = "";
    private String attributesClass = "";
    private String volume = "";
    private String phase = "";

    PersistentVolumeClaimProjection() {
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
        for (int field = in.nextField(SPEC); field != 0; field = in.nextField(SPEC)) {
            switch (field) {
                case 1 -> accessModes.add(in.text());
                case 2 -> resources(in);
                case 3 -> volume = in.uninternedText();
                case 4 -> selector = Optional.of(SelectorReader.readLabelSelector(in, labels));
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
        for (int field = in.nextField(RESOURCES); field != 0; field = in.nextField(RESOURCES)) {
            if (field == 2) {
                quantityCache.readEntry(in, requests);
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private void status(Cursor in) {
        in.enter();
        for (int field = in.nextField(STATUS); field != 0; field = in.nextField(STATUS)) {
            if (field == 1) {
                phase = in.text();
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    @Override
    StorageObject toObject(ObjectMeta object) {
        PersistentVolumeClaim.ClaimSpec spec = new PersistentVolumeClaim.ClaimSpec(
                storageClass(object, storageClass),
                Optional.ofNullable(requests.get(STORAGE)),
                accessModes,
                selector,
                mode.isEmpty() ? PersistentVolumeClaim.FILESYSTEM : mode,
                attributesClass);
        PersistentVolumeClaim.ClaimState state = new PersistentVolumeClaim.ClaimState(
                volume,
                object.annotations().has(BIND_COMPLETED),
                object.annotations().get(SELECTED_NODE),
                phase.equals("Lost"),
                object.terminating(),
                object.controller().map(ControllerRef::uid));
        return new PersistentVolumeClaim(
                new PersistentVolumeClaimKey(object.namespace(), object.name()),
                object.uid(),
                object.resourceVersion(),
                spec,
                state);
    }
}
