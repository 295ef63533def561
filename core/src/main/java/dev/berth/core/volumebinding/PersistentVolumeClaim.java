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
public record PersistentVolumeClaim(
        PersistentVolumeClaimKey key, String uid, String version, ClaimSpec spec, ClaimState state)
        implements StorageObject {
    public static final String READ_WRITE_ONCE_POD = "ReadWriteOncePod";
    public static final String FILESYSTEM = "Filesystem";

    /**
     * The requirements of the claim.
     *
     * @param storageClass empty for a claim without a class
     * @param size empty if it has none
     * @param selector the volumes that it accepts, if not all
     * @param volumeAttributesClass empty for none
     */
    public record ClaimSpec(
            String storageClass,
            Optional<Quantity> size,
            Set<String> accessModes,
            Optional<LabelSelector> selector,
            String volumeMode,
            String volumeAttributesClass) {
        public ClaimSpec {
            accessModes = Set.copyOf(accessModes);
        }
    }

    /**
     * The binding of the claim.
     *
     * @param volumeName the volume that it is bound to, or reserved for; empty for none
     * @param bindCompleted whether the binding is complete
     * @param selectedNode the node for which the volume is provisioned
     * @param lost whether it was bound to a volume that was deleted
     * @param ownerUid the UID of its controller
     */
    public record ClaimState(
            String volumeName,
            boolean bindCompleted,
            Optional<String> selectedNode,
            boolean lost,
            boolean terminating,
            Optional<String> ownerUid) {}

    /** Whether its volume can be mounted. */
    public boolean isBound() {
        return !state.volumeName.isEmpty() && state.bindCompleted;
    }

    public boolean isReadWriteOncePod() {
        return spec.accessModes.contains(READ_WRITE_ONCE_POD);
    }

    /** The reference that a volume has to the claim. */
    public PersistentVolume.ClaimRef toClaimRef() {
        return new PersistentVolume.ClaimRef(key, uid);
    }

    @Override
    public String toString() {
        return key.toString();
    }
}
