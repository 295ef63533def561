package dev.berth.kubernetes.volumebinding;

import dev.berth.core.volumebinding.CsiNode;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.kubernetes.cursor.Cursor;
import dev.berth.kubernetes.cursor.FieldNames;
import dev.berth.kubernetes.projection.ObjectMeta;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads CSINodes. */
final class CsiNodeProjection extends StorageProjection {
    private static final String MIGRATED = "storage.alpha.kubernetes.io/migrated-plugins";
    private static final FieldNames SPEC = FieldNames.none().with(1, "drivers");
    private static final FieldNames DRIVER = FieldNames.none().with(1, "name").with(4, "allocatable");
    private static final FieldNames ALLOCATABLE = FieldNames.none().with(1, "count");

    private final Map<String, Long> limits = new HashMap<>();

    CsiNodeProjection() {
        super("csinode", FieldNames.none().with(2, "spec"), MIGRATED::equals);
    }

    @Override
    void clear() {
        limits.clear();
    }

    @Override
    void read(int field, Cursor in) {
        if (field != 2) {
            in.skip();
            return;
        }
        in.enter();
        for (int inner = in.nextField(SPEC); inner != 0; inner = in.nextField(SPEC)) {
            if (inner == 1) {
                driver(in);
            } else {
                in.skip();
            }
        }
        in.leave();
    }

    private void driver(Cursor in) {
        String name = "";
        Optional<Long> limit = Optional.empty();
        in.enter();
        for (int field = in.nextField(DRIVER); field != 0; field = in.nextField(DRIVER)) {
            switch (field) {
                case 1 -> name = in.text();
                case 4 -> limit = count(in);
                default -> in.skip();
            }
        }
        in.leave();
        if (limit.isPresent()) {
            limits.put(name, limit.get());
        }
    }

    private static Optional<Long> count(Cursor in) {
        Optional<Long> count = Optional.empty();
        in.enter();
        for (int field = in.nextField(ALLOCATABLE); field != 0; field = in.nextField(ALLOCATABLE)) {
            if (field == 1) {
                count = Optional.of(in.number());
            } else {
                in.skip();
            }
        }
        in.leave();
        return count;
    }

    @Override
    StorageObject toObject(ObjectMeta object) {
        Set<String> migrated = object.annotations()
                .get(MIGRATED)
                .map(names -> Set.copyOf(List.of(names.split(",", -1))))
                .orElse(Set.of());
        return new CsiNode(object.name(), object.uid(), limits, migrated);
    }
}
