package dev.berth.core.volume;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.resource.Quantity;
import java.util.Optional;
import java.util.Set;

/**
 * A PersistentVolumeClaim.
 *
 * @param version of the object, a precondition of every write
 */
public record VolumeClaim(ClaimKey key, String uid, String version, Ask ask, State state) implements StorageObject {
    public static final String ONE_POD_ALONE = "ReadWriteOncePod";
    public static final String FILESYSTEM = "Filesystem";

    /**
     * What it asks for.
     *
     * @param storageClass empty for a claim of no class
     * @param size empty where it does not say
     * @param selector which volumes it wants, if not any
     * @param attributesClass empty for none
     */
    public record Ask(
            String storageClass,
            Optional<Quantity> size,
            Set<String> accessModes,
            Optional<LabelSelector> selector,
            String mode,
            String attributesClass) {
        public Ask {
            accessModes = Set.copyOf(accessModes);
        }
    }

    /**
     * How far it has come.
     *
     * @param volume the name of the volume that it is bound to, or is to be; empty for none
     * @param bindCompleted whether the two are bound to each other for good
     * @param selectedNode where the volume is to be made
     * @param lost whether it was bound to a volume that is gone
     * @param owner the UID of what controls it
     */
    public record State(
            String volume,
            boolean bindCompleted,
            Optional<String> selectedNode,
            boolean lost,
            boolean deleting,
            Optional<String> owner) {}

    /** Whether its volume is there to be mounted. */
    public boolean isBound() {
        return !state.volume.isEmpty() && state.bindCompleted;
    }

    public boolean forOnePodAlone() {
        return ask.accessModes.contains(ONE_POD_ALONE);
    }

    /** How a volume names it. */
    public PersistentVolume.ClaimRef ref() {
        return new PersistentVolume.ClaimRef(key, uid);
    }

    @Override
    public String toString() {
        return key.toString();
    }
}
