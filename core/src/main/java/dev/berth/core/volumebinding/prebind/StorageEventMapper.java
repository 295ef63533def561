package dev.berth.core.volumebinding.prebind;

import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.volumebinding.CsiDriver;
import dev.berth.core.volumebinding.CsiNode;
import dev.berth.core.volumebinding.CsiStorageCapacity;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.StorageClass;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.core.volumebinding.VolumeAttachment;
import dev.berth.core.volumebinding.filter.VolumeZone;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Maps changes of storage objects to the kinds of cluster events that may help unschedulable pods. */
final class StorageEventMapper {
    /** For an object that was added or updated. A deletion helps no pod. */
    Set<ClusterEventKind> eventsFor(Optional<StorageObject> before, StorageObject after) {
        if (before.equals(Optional.of(after)) || after instanceof VolumeAttachment) {
            return Set.of();
        }
        if (after instanceof PersistentVolumeClaim) {
            return Set.of(ClusterEventKind.PVC_CHANGED);
        }
        if (after instanceof PersistentVolume volume) {
            return eventsForVolume(castTo(before, PersistentVolume.class), volume);
        }
        return mayHelp(before, after) ? Set.of(kindOf(after)) : Set.of();
    }

    private static Set<ClusterEventKind> eventsForVolume(Optional<PersistentVolume> before, PersistentVolume after) {
        boolean requirementsChanged = before.filter(
                        it -> VolumeZone.requirementsOf(it).equals(VolumeZone.requirementsOf(after)))
                .isEmpty();
        return requirementsChanged
                ? EnumSet.of(ClusterEventKind.VOLUME_CHANGED, ClusterEventKind.VOLUME_ZONES_CHANGED)
                : Set.of(ClusterEventKind.VOLUME_CHANGED);
    }

    private static boolean mayHelp(Optional<StorageObject> before, StorageObject after) {
        if (after instanceof CsiDriver driver) {
            return castTo(before, CsiDriver.class)
                    .filter(it -> it.reportsCapacity() && !driver.reportsCapacity())
                    .isPresent();
        }
        if (before.isEmpty()) {
            return true;
        }
        if (after instanceof StorageClass storageClass) {
            return castTo(before, StorageClass.class)
                    .filter(it -> !it.allowedTopologies().equals(storageClass.allowedTopologies()))
                    .isPresent();
        }
        if (after instanceof CsiNode node) {
            return castTo(before, CsiNode.class).filter(node::isMoreCapableThan).isPresent();
        }
        CsiStorageCapacity capacity = (CsiStorageCapacity) after;
        return castTo(before, CsiStorageCapacity.class)
                .filter(capacity::exceeds)
                .isPresent();
    }

    private static ClusterEventKind kindOf(StorageObject object) {
        if (object instanceof StorageClass) {
            return ClusterEventKind.STORAGE_CLASS_CHANGED;
        }
        if (object instanceof CsiNode) {
            return ClusterEventKind.CSI_NODE_CHANGED;
        }
        if (object instanceof CsiDriver || object instanceof CsiStorageCapacity) {
            return ClusterEventKind.STORAGE_CAPACITY_INCREASED;
        }
        throw new IllegalStateException("unknown storage object (%s)".formatted(object));
    }

    private static <T extends StorageObject> Optional<T> castTo(Optional<StorageObject> before, Class<T> kind) {
        return before.filter(kind::isInstance).map(kind::cast);
    }
}
