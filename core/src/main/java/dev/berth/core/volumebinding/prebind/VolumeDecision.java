package dev.berth.core.volumebinding.prebind;

import dev.berth.core.volumebinding.PersistentVolume.ClaimRef;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import dev.berth.core.volumebinding.VolumeWrite;
import java.util.Comparator;

/** The decision about one claim for the placement of a pod. Two pods that mount one claim have equal decisions. */
sealed interface VolumeDecision {
    /** The object to write. */
    WriteTarget target();

    ClaimRef claim();

    /** The existing volume is bound to the claim. */
    record StaticBinding(String volume, ClaimRef claim) implements VolumeDecision {
        @Override
        public WriteTarget target() {
            return WriteTarget.volume(volume);
        }
    }

    /** A volume that the node can reach is provisioned for the claim. */
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
