package dev.berth.core.volumebinding;

import dev.berth.core.effect.Effect;
import dev.berth.core.hold.Origin;

/** Writes the decision about a pod's volume. The version of the object is a precondition. */
public sealed interface VolumeWrite extends Effect.Write {
    String uid();

    String version();

    @Override
    default Origin.PluginId component() {
        return Origin.PluginId.VOLUME_BINDING;
    }

    /**
     * Reserves the volume for the claim, which the PersistentVolume controller then binds.
     *
     * @param claimVersion the version of the claim on which the decision was made
     * @param boundByController whether to set the annotation {@code pv.kubernetes.io/bound-by-controller}
     */
    record SetClaimRef(
            String volume,
            String uid,
            String version,
            PersistentVolume.ClaimRef claimRef,
            String claimVersion,
            boolean boundByController)
            implements VolumeWrite {
        @Override
        public String key() {
            return "persistentvolume " + volume;
        }
    }

    /** Requests that the provisioner creates a volume which the node can reach. */
    record SetSelectedNode(PersistentVolumeClaimKey claim, String uid, String version, String node)
            implements VolumeWrite {
        @Override
        public String key() {
            return "persistentvolumeclaim " + claim;
        }
    }
}
