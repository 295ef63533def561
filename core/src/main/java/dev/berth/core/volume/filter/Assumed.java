package dev.berth.core.volume.filter;

import dev.berth.core.volume.ClaimKey;
import dev.berth.core.volume.PersistentVolume;
import java.util.Optional;

/** What was decided about volumes and does not show in the objects yet. */
public interface Assumed {
    /** Nothing was. */
    Assumed NOTHING = new Assumed() {
        @Override
        public Optional<PersistentVolume.ClaimRef> claimOf(String volume) {
            return Optional.empty();
        }

        @Override
        public Optional<String> nodeOf(ClaimKey claim) {
            return Optional.empty();
        }

        @Override
        public long generation() {
            return 0;
        }
    };

    /** The claim that the volume is meant for. */
    Optional<PersistentVolume.ClaimRef> claimOf(String volume);

    /** The node for which a volume for the claim is to be made. */
    Optional<String> nodeOf(ClaimKey claim);

    /** Grows with every change. */
    long generation();
}
