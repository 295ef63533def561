package dev.berth.core.volumebinding.filter;

import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import java.util.Optional;

/** Decisions about volumes that the objects do not show yet. */
public interface AssumedVolumes {
    /** No decisions. */
    AssumedVolumes NONE = new AssumedVolumes() {
        @Override
        public Optional<PersistentVolume.ClaimRef> assumedClaim(String volume) {
            return Optional.empty();
        }

        @Override
        public Optional<String> assumedNode(PersistentVolumeClaimKey claim) {
            return Optional.empty();
        }

        @Override
        public long generation() {
            return 0;
        }
    };

    /** The claim that the volume is reserved for. */
    Optional<PersistentVolume.ClaimRef> assumedClaim(String volume);

    /** The node for which a volume of the claim is provisioned. */
    Optional<String> assumedNode(PersistentVolumeClaimKey claim);

    /** Grows with every change. */
    long generation();
}
