package dev.berth.core.volumebinding;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All storage objects. If two objects have one name, the one that was observed last is used. Owned by the thread that
 * owns the ledger.
 */
public final class StorageIndex {
    private final Map<String, StorageObject> objects = new HashMap<>();
    private final Map<PersistentVolumeClaimKey, PersistentVolumeClaim> claims = new HashMap<>();
    private final Map<String, PersistentVolume> volumes = new HashMap<>();
    private final Map<String, StorageClass> classes = new HashMap<>();
    private final Map<String, CsiNode> nodes = new HashMap<>();
    private final Map<String, CsiDriver> drivers = new HashMap<>();
    private final Map<String, SortedMap<String, PersistentVolume>> volumesByClass = new HashMap<>();
    private final Map<String, SortedMap<String, CsiStorageCapacity>> capacitiesByClass = new HashMap<>();
    private final Map<String, SortedMap<String, VolumeAttachment>> attachmentsByNode = new HashMap<>();
    private long generation;

    /**
     * An object was added or updated.
     *
     * @return its former version
     */
    public Optional<StorageObject> put(StorageObject object) {
        generation++;
        Optional<StorageObject> before = Optional.ofNullable(objects.put(object.uid(), object));
        before.ifPresent(this::unindex);
        index(object);
        return before;
    }

    /** Idempotent. */
    public Optional<StorageObject> remove(String uid) {
        Optional<StorageObject> removed = Optional.ofNullable(objects.remove(uid));
        removed.ifPresent(object -> {
            generation++;
            unindex(object);
        });
        return removed;
    }

    /** Grows with every change. */
    public long generation() {
        return generation;
    }

    public Optional<PersistentVolumeClaim> findClaim(PersistentVolumeClaimKey key) {
        return Optional.ofNullable(claims.get(key));
    }

    public Optional<PersistentVolume> findVolume(String name) {
        return Optional.ofNullable(volumes.get(name));
    }

    public Optional<StorageClass> findStorageClass(String name) {
        return Optional.ofNullable(classes.get(name));
    }

    public Optional<CsiNode> findCsiNode(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    public Optional<CsiDriver> findCsiDriver(String name) {
        return Optional.ofNullable(drivers.get(name));
    }

    /** Sorted by name. */
    public Collection<PersistentVolume> volumesOfClass(String storageClass) {
        return all(volumesByClass, storageClass);
    }

    public Collection<CsiStorageCapacity> capacitiesOfClass(String storageClass) {
        return all(capacitiesByClass, storageClass);
    }

    public Collection<VolumeAttachment> attachmentsTo(String node) {
        return all(attachmentsByNode, node);
    }

    private void index(StorageObject object) {
        if (object instanceof PersistentVolumeClaim claim) {
            claims.put(claim.key(), claim);
        } else if (object instanceof PersistentVolume volume) {
            Optional.ofNullable(volumes.put(volume.name(), volume))
                    .ifPresent(replaced ->
                            remove(volumesByClass, replaced.spec().storageClass(), replaced.name(), replaced));
            add(volumesByClass, volume.spec().storageClass(), volume.name(), volume);
        } else if (object instanceof StorageClass storageClass) {
            classes.put(storageClass.name(), storageClass);
        } else if (object instanceof CsiNode node) {
            nodes.put(node.name(), node);
        } else if (object instanceof CsiDriver driver) {
            drivers.put(driver.name(), driver);
        } else if (object instanceof CsiStorageCapacity capacity) {
            add(capacitiesByClass, capacity.storageClass(), capacity.uid(), capacity);
        } else if (object instanceof VolumeAttachment attachment) {
            add(attachmentsByNode, attachment.node(), attachment.uid(), attachment);
        } else {
            throw new IllegalStateException("unknown storage object (%s)".formatted(object));
        }
    }

    /** Removes the object from all indexes. A newer object of the same name stays. */
    private void unindex(StorageObject object) {
        if (object instanceof PersistentVolumeClaim claim) {
            claims.remove(claim.key(), claim);
        } else if (object instanceof PersistentVolume volume) {
            volumes.remove(volume.name(), volume);
            remove(volumesByClass, volume.spec().storageClass(), volume.name(), volume);
        } else if (object instanceof StorageClass storageClass) {
            classes.remove(storageClass.name(), storageClass);
        } else if (object instanceof CsiNode node) {
            nodes.remove(node.name(), node);
        } else if (object instanceof CsiDriver driver) {
            drivers.remove(driver.name(), driver);
        } else if (object instanceof CsiStorageCapacity capacity) {
            remove(capacitiesByClass, capacity.storageClass(), capacity.uid(), capacity);
        } else if (object instanceof VolumeAttachment attachment) {
            remove(attachmentsByNode, attachment.node(), attachment.uid(), attachment);
        } else {
            throw new IllegalStateException("unknown storage object (%s)".formatted(object));
        }
    }

    private static <T> void add(Map<String, SortedMap<String, T>> groups, String group, String key, T object) {
        groups.computeIfAbsent(group, any -> new TreeMap<>()).put(key, object);
    }

    private static <T> void remove(Map<String, SortedMap<String, T>> groups, String group, String key, T object) {
        SortedMap<String, T> members = groups.get(group);
        if (members != null && members.remove(key, object) && members.isEmpty()) {
            groups.remove(group);
        }
    }

    private static <T> Collection<T> all(Map<String, SortedMap<String, T>> groups, String group) {
        SortedMap<String, T> members = groups.get(group);
        return members == null ? List.of() : members.values();
    }
}
