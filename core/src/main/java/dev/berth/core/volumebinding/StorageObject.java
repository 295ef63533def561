package dev.berth.core.volumebinding;

/** One of the objects that say which volumes there are and where they can be used. */
public sealed interface StorageObject
        permits PersistentVolumeClaim,
                PersistentVolume,
                StorageClass,
                CsiNode,
                CsiDriver,
                CsiStorageCapacity,
                VolumeAttachment {
    String uid();
}
