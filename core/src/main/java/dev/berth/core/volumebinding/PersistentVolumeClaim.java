package dev.berth.core.volumebinding;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.resource.Quantity;
import java.util.Optional;
import java.util.Set;

/**
 * A PersistentVolumeClaim.
 *
 * @param version of the object, a precondition of every write
 */
public record PersistentVolumeClaim(PersistentVolumeClaimKey key, String uid, String version, Spec spec, State state)
        implements StorageObject {
    public static final String READ_WRITE_ONCE_POD = "ReadWriteOncePod";
    public static final String FILESYSTEM = "Filesystem";

    /**
     * What it asks for.
     *
     * @param storageClass empty for a claim of no class
     * @param size empty where it does not say
     * @param selector which volumes it wants, if not any
     * @param volumeAttributesClass empty for none
     */
    public record Spec(
            String storageClass,
            Optional<Quantity> size,
            Set<String> accessModes,
            Optional<LabelSelector> selector,
            String volumeMode,
            String volumeAttributesClass) {
        public Spec {
            accessModes = Set.copyOf(accessModes);
        }
    }

    /**
     * How far it has come.
     *
     * @param volumeName the name of the volume that it is bound to, or is to be; empty for none
     * @param bindCompleted whether the two are bound to each other for good
     * @param selectedNode where the volume is to be made
     * @param lost whether it was bound to a volume that is gone
     * @param ownerUid the UID of what controls it
     */
    public record State(
            String volumeName,
            boolean bindCompleted,
            Optional<String> selectedNode,
            boolean lost,
            boolean terminating,
            Optional<String> ownerUid) {}

    /** Whether its volume is there to be mounted. */
    public boolean isBound() {
        return !state.volumeName.isEmpty() && state.bindCompleted;
    }

    public boolean isReadWriteOncePod() {
        return spec.accessModes.contains(READ_WRITE_ONCE_POD);
    }

    /** How a volume names it. */
    public PersistentVolume.ClaimRef toClaimRef() {
        return new PersistentVolume.ClaimRef(key, uid);
    }

    @Override
    public String toString() {
        return key.toString();
    }
}
