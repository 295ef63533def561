package dev.berth.core.volumebinding.prebind;

import dev.berth.core.volumebinding.PersistentVolume.ClaimRef;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import dev.berth.core.volumebinding.VolumeWrite;
import java.util.Comparator;

/** What was decided about one claim for the sake of a pod's place. Two pods that mount one claim make the same pledge. */
sealed interface VolumeDecision {
    /** The object that says so. */
    WriteTarget target();

    ClaimRef claim();

    /** The volume is for the claim. */
    record StaticBinding(String volume, ClaimRef claim) implements VolumeDecision {
        @Override
        public WriteTarget target() {
            return WriteTarget.volume(volume);
        }
    }

    /** A volume for the claim is made where the node can reach it. */
    record DynamicProvisioning(ClaimRef claim, String node) implements VolumeDecision {
        @Override
        public WriteTarget target() {
            return WriteTarget.claim(claim.key());
        }
    }

    default PersistentVolumeClaimKey claimKey() {
        return claim().key();
    }

    /**
     * A volume or a claim.
     *
     * @param volume empty for a claim
     */
    record WriteTarget(String volume, PersistentVolumeClaimKey claim) implements Comparable<WriteTarget> {
        private static final PersistentVolumeClaimKey NONE = new PersistentVolumeClaimKey("", "");
        private static final Comparator<WriteTarget> ORDER = Comparator.<WriteTarget, String>comparing(
                        target -> target.volume)
                .thenComparing(target -> target.claim.namespace())
                .thenComparing(target -> target.claim.name());

        static WriteTarget volume(String name) {
            return new WriteTarget(name, NONE);
        }

        static WriteTarget claim(PersistentVolumeClaimKey key) {
            return new WriteTarget("", key);
        }

        static WriteTarget of(VolumeWrite write) {
            return write instanceof VolumeWrite.SetClaimRef setClaimRef
                    ? volume(setClaimRef.volume())
                    : claim(((VolumeWrite.SetSelectedNode) write).claim());
        }

        @Override
        public int compareTo(WriteTarget other) {
            return ORDER.compare(this, other);
        }
    }
}
