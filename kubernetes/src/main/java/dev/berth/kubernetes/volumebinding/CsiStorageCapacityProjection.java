package dev.berth.kubernetes.volumebinding;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.resource.Quantity;
import dev.berth.core.volumebinding.CsiStorageCapacity;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.interning.LabelsInterner;
import dev.berth.kubernetes.projection.ObjectMeta;
import dev.berth.kubernetes.projection.SelectorReader;
import java.util.Optional;

/** Reads CSIStorageCapacities. */
final class CsiStorageCapacityProjection extends StorageProjection {
    private final LabelsInterner labels = new LabelsInterner();
    private Optional<LabelSelector> nodes = Optional.empty();
    private String storageClass = "";
    private Optional<Long> capacity = Optional.empty();
    private Optional<Long> largest = Optional.empty();

    CsiStorageCapacityProjection() {
        super(
                "csistoragecapacity",
                FieldNames.none()
                        .with(2, "nodeTopology")
                        .with(3, "storageClassName")
                        .with(4, "capacity")
                        .with(5, "maximumVolumeSize"),
                annotation -> false);
    }

    @Override
    void clear() {
        nodes = Optional.empty();
        storageClass = "";
        capacity = Optional.empty();
        largest = Optional.empty();
    }

    @Override
    void read(int field, Cursor in) {
        switch (field) {
            case 2 -> nodes = Optional.of(SelectorReader.readLabelSelector(in, labels));
            case 3 -> storageClass = in.text();
            case 4 -> capacity = Optional.of(bytes(in));
            case 5 -> largest = Optional.of(bytes(in));
            default -> in.skip();
        }
    }

    private static long bytes(Cursor in) {
        return Quantity.parseCapped(in.quantity()).toUnits();
    }

    @Override
    StorageObject toObject(ObjectMeta object) {
        return new CsiStorageCapacity(object.uid(), storageClass, nodes, largest.or(() -> capacity));
    }
}
