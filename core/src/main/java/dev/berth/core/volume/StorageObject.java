package dev.berth.core.volume;

/** One of the objects that say which volumes there are and where they can be used. */
public sealed interface StorageObject
        permits VolumeClaim, PersistentVolume, StorageClass, CsiNode, CsiDriver, StorageCapacity, Attachment {
    String uid();
}
