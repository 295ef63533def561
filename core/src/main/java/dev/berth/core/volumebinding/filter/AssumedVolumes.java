package dev.berth.core.volumebinding.filter;

import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import java.util.Optional;

/** What was decided about volumes and does not show in the objects yet. */
public interface AssumedVolumes {
    /** Nothing was. */
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

    /** The claim that the volume is meant for. */
    Optional<PersistentVolume.ClaimRef> assumedClaim(String volume);

    /** The node for which a volume for the claim is to be made. */
    Optional<String> assumedNode(PersistentVolumeClaimKey claim);

    /** Grows with every change. */
    long generation();
}
