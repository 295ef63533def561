package dev.berth.kubernetes.volumebinding;

import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.interning.QuantityCache;
import dev.berth.kubernetes.projection.AffinityReader;
import dev.berth.kubernetes.projection.ObjectMeta;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads PersistentVolumes. */
final class PersistentVolumeProjection extends StorageProjection {
    static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    private static final ResourceName STORAGE = new ResourceName("storage");
    private static final Set<String> ANNOTATIONS = Set.of(BOUND_BY_CONTROLLER, BETA_STORAGE_CLASS);
    private static final FieldNames SPEC = VolumeSources.withInlineSources(FieldNames.none()
            .withMap(1, "capacity")
            .with(3, "accessModes")
            .with(4, "claimRef")
            .with(6, "storageClassName")
            .with(8, "volumeMode")
            .with(9, "nodeAffinity")
            .with(10, "volumeAttributesClassName"));
    private static final FieldNames REF =
            FieldNames.none().with(2, "namespace").with(3, "name").with(4, "uid");
    private static final FieldNames AFFINITY = FieldNames.none().with(1, "required");
    private static final FieldNames STATUS = FieldNames.none().with(1, "phase");

    private final QuantityCache quantityCache = new QuantityCache();
    private final VolumeSources source = new VolumeSources();
    private final Map<ResourceName, Quantity> capacity = new HashMap<>();
    private final Set<String> accessModes = new HashSet<>();
    private Optional<PersistentVolume.ClaimRef> claim = Optional.empty();
    private Optional<List<NodeSelectorTerm>> nodes = Optional.empty();
    private String storageClass = "";
    private String mode = "";
    private String attributesClass = "";
    private String phase = "";

    PersistentVolumeProjection() {
        super("persistentvolume", FieldNames.none().with(2, "spec").with(3, "status"), ANNOTATIONS::contains);
    }

    @Override
    void clear() {
        source.clear();
        capacity.clear();
        accessModes.clear();
        claim = Optional.empty();
        nodes = Optional.empty();
        storageClass = "";
        mode = "";
        attributesClass = "";
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
                case 1 -> quantityCache.readEntry(in, capacity);
                case 3 -> accessModes.add(in.text());
                case 4 -> claim = Optional.of(ref(in));
                case 6 -> storageClass = in.text();
                case 8 -> mode = in.text();
                case 9 -> affinity(in);
                case 10 -> attributesClass = in.text();
                default -> source.read(field, in);
            }
        }
        in.leave();
    }

    private static PersistentVolume.ClaimRef ref(Cursor in) {
        String namespace = "";
        String name = "";
        String uid = "";
        in.enter();
        for (int field = in.nextField(REF); field != 0; field = in.nextField(REF)) {
            switch (field) {
                case 2 -> namespace = in.text();
                case 3 -> name = in.uninternedText();
                case 4 -> uid = in.uninternedText();
                default -> in.skip();
            }
        }
        in.leave();
        return new PersistentVolume.ClaimRef(new PersistentVolumeClaimKey(namespace, name), uid);
    }

    private void affinity(Cursor in) {
        in.enter();
        for (int field = in.nextField(AFFINITY); field != 0; field = in.nextField(AFFINITY)) {
            if (field == 1) {
                nodes = Optional.of(AffinityReader.readNodeSelectorTerms(in));
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
        PersistentVolume.VolumeSpec spec = new PersistentVolume.VolumeSpec(
                storageClass(object, storageClass),
                capacity.getOrDefault(STORAGE, Quantity.ZERO),
                accessModes,
                mode.isEmpty() ? PersistentVolumeClaim.FILESYSTEM : mode,
                attributesClass);
        PersistentVolume.Reachability reachability =
                new PersistentVolume.Reachability(nodes, source.csiVolume(), source.migration(object.labels(), nodes));
        PersistentVolume.VolumeState state = new PersistentVolume.VolumeState(
                claim, object.annotations().has(BOUND_BY_CONTROLLER), phase.equals("Available"), object.terminating());
        return new PersistentVolume(
                object.name(), object.uid(), object.resourceVersion(), object.labels(), spec, reachability, state);
    }
}
