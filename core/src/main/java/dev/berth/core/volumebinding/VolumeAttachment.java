package dev.berth.core.volumebinding;

import java.util.Optional;

/**
 * A VolumeAttachment: a volume that is attached to a node, or about to be.
 *
 * @param attacher the driver; may be empty
 * @param volume the name of the PersistentVolume, if it is one
 */
public record VolumeAttachment(String name, String uid, String attacher, String node, Optional<String> volume)
        implements StorageObject {}
