package dev.berth.core.volumebinding;

/** An object that describes volumes or where they can be used. */
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
