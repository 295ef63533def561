package dev.berth.core.volume.binding;

import dev.berth.core.placement.filter.Hint;
import dev.berth.core.volume.Attachment;
import dev.berth.core.volume.CsiDriver;
import dev.berth.core.volume.CsiNode;
import dev.berth.core.volume.PersistentVolume;
import dev.berth.core.volume.StorageCapacity;
import dev.berth.core.volume.StorageClass;
import dev.berth.core.volume.StorageObject;
import dev.berth.core.volume.VolumeClaim;
import dev.berth.core.volume.filter.Zones;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** What a change of an object may mean for pods that were refused. */
final class StorageNews {
    /** Of an object that appeared or changed; what went away helps nobody. */
    Set<Hint> of(Optional<StorageObject> before, StorageObject after) {
        if (before.equals(Optional.of(after)) || after instanceof Attachment) {
            return Set.of();
        }
        if (after instanceof VolumeClaim) {
            return Set.of(Hint.CLAIM_CHANGED);
        }
        if (after instanceof PersistentVolume volume) {
            return ofVolume(known(before, PersistentVolume.class), volume);
        }
        return helps(before, after) ? Set.of(hint(after)) : Set.of();
    }

    private static Set<Hint> ofVolume(Optional<PersistentVolume> before, PersistentVolume after) {
        boolean moved = before.filter(it -> Zones.demands(it).equals(Zones.demands(after)))
                .isEmpty();
        return moved ? EnumSet.of(Hint.VOLUME_CHANGED, Hint.VOLUME_MOVED) : Set.of(Hint.VOLUME_CHANGED);
    }

    private static boolean helps(Optional<StorageObject> before, StorageObject after) {
        if (after instanceof CsiDriver driver) {
            return known(before, CsiDriver.class)
                    .filter(it -> it.tellsCapacity() && !driver.tellsCapacity())
                    .isPresent();
        }
        if (before.isEmpty()) {
            return true;
        }
        if (after instanceof StorageClass storageClass) {
            return known(before, StorageClass.class)
                    .filter(it -> !it.allowedTopologies().equals(storageClass.allowedTopologies()))
                    .isPresent();
        }
        if (after instanceof CsiNode node) {
            return known(before, CsiNode.class).filter(node::doesMoreThan).isPresent();
        }
        return after instanceof StorageCapacity capacity
                && known(before, StorageCapacity.class)
                        .filter(capacity::isMoreThan)
                        .isPresent();
    }

    private static Hint hint(StorageObject object) {
        if (object instanceof StorageClass) {
            return Hint.STORAGE_CLASS_CHANGED;
        }
        return object instanceof CsiNode ? Hint.DRIVERS_CHANGED : Hint.STORAGE_GREW;
    }

    private static <T extends StorageObject> Optional<T> known(Optional<StorageObject> before, Class<T> kind) {
        return before.filter(kind::isInstance).map(kind::cast);
    }
}
