package dev.berth.core.volume.binding;

import dev.berth.core.volume.ClaimKey;
import dev.berth.core.volume.PersistentVolume.ClaimRef;

/** What was decided about one claim for the sake of a pod's place. Two pods that mount one claim make the same pledge. */
sealed interface Pledge {
    /** The {@link dev.berth.core.decision.Effect.Write#key} of its write. */
    String key();

    ClaimRef claim();

    /** The volume is for the claim. */
    record Reserved(String volume, ClaimRef claim) implements Pledge {
        @Override
        public String key() {
            return "persistentvolume " + volume;
        }
    }

    /** A volume for the claim is made where the node can reach it. */
    record Selected(ClaimRef claim, String node) implements Pledge {
        @Override
        public String key() {
            return "persistentvolumeclaim " + claim.key();
        }
    }

    default ClaimKey claimKey() {
        return claim().key();
    }
}
