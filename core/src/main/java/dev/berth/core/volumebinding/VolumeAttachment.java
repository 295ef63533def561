package dev.berth.core.volumebinding;

import java.util.Optional;

/**
 * A volume that is attached to a node, or is to be.
 *
 * @param attacher the driver in charge; may be empty
 * @param volume the name of the persistent volume, where it is one
 */
public record VolumeAttachment(String name, String uid, String attacher, String node, Optional<String> volume)
        implements StorageObject {}
