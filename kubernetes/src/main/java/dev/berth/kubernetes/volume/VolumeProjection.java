package dev.berth.kubernetes.volume;

import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.resource.Quantity;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.volume.ClaimKey;
import dev.berth.core.volume.PersistentVolume;
import dev.berth.core.volume.StorageObject;
import dev.berth.core.volume.VolumeClaim;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.projection.Affinities;
import dev.berth.kubernetes.projection.Meta;
import dev.berth.kubernetes.sharing.Quantities;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads PersistentVolumes. */
final class VolumeProjection extends StorageProjection {
    static final String BOUND_BY_CONTROLLER = "pv.kubernetes.io/bound-by-controller";

    private static final ResourceName STORAGE = new ResourceName("storage");
    private static final Set<String> ANNOTATIONS = Set.of(BOUND_BY_CONTROLLER, OLD_CLASS);
    private static final FieldNames SPEC = VolumeSources.beside(FieldNames.none()
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

    private final Quantities quantities = new Quantities();
    private final VolumeSources source = new VolumeSources();
    private final Map<ResourceName, Quantity> capacity = new HashMap<>();
    private final Set<String> accessModes = new HashSet<>();
    private Optional<PersistentVolume.ClaimRef> claim = Optional.empty();
    private Optional<List<NodeTerm>> nodes = Optional.empty();
    private String storageClass = "";
    private String mode = "";
    private String attributesClass = "";
    private String phase = "";

    VolumeProjection() {
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
        for (int field = in.next(SPEC); field != 0; field = in.next(SPEC)) {
            switch (field) {
                case 1 -> quantities.read(in, capacity);
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
        for (int field = in.next(REF); field != 0; field = in.next(REF)) {
            switch (field) {
                case 2 -> namespace = in.text();
                case 3 -> name = in.ownText();
                case 4 -> uid = in.ownText();
                default -> in.skip();
            }
        }
        in.leave();
        return new PersistentVolume.ClaimRef(new ClaimKey(namespace, name), uid);
    }

    private void affinity(Cursor in) {
        in.enter();
        for (int field = in.next(AFFINITY); field != 0; field = in.next(AFFINITY)) {
            if (field == 1) {
                nodes = Optional.of(Affinities.terms(in));
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
        PersistentVolume.Offer offer = new PersistentVolume.Offer(
                storageClass(object, storageClass),
                capacity.getOrDefault(STORAGE, Quantity.ZERO),
                accessModes,
                mode.isEmpty() ? VolumeClaim.FILESYSTEM : mode,
                attributesClass);
        PersistentVolume.Reach reach =
                new PersistentVolume.Reach(nodes, source.csi(), source.migration(object.labels(), nodes));
        PersistentVolume.State state = new PersistentVolume.State(
                claim, object.annotations().has(BOUND_BY_CONTROLLER), phase.equals("Available"), object.terminating());
        return new PersistentVolume(
                object.name(), object.uid(), object.version(), object.labels(), offer, reach, state);
    }
}
