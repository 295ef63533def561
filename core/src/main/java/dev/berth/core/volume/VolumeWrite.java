package dev.berth.core.volume;

import dev.berth.core.decision.Effect;
import dev.berth.core.hold.Origin;

/** Tells those who bind and make volumes what a pod's place demands. The version of the object is a precondition. */
public sealed interface VolumeWrite extends Effect.Write {
    String uid();

    String version();

    @Override
    default Origin.Door door() {
        return Origin.Door.VOLUMES;
    }

    /**
     * The volume is for the claim.
     *
     * @param claimVersion of the claim as it was when this was decided
     * @param byController whether to say that no person decided it
     */
    record Reserve(
            String volume,
            String uid,
            String version,
            PersistentVolume.ClaimRef claim,
            String claimVersion,
            boolean byController)
            implements VolumeWrite {
        @Override
        public String key() {
            return "persistentvolume " + volume;
        }
    }

    /** A volume for the claim is to be made where the node can reach it. */
    record SelectNode(ClaimKey claim, String uid, String version, String node) implements VolumeWrite {
        @Override
        public String key() {
            return "persistentvolumeclaim " + claim;
        }
    }
}
