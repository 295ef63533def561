package dev.berth.core.volume.binding;

import dev.berth.core.volume.ClaimKey;
import dev.berth.core.volume.PersistentVolume.ClaimRef;
import dev.berth.core.volume.VolumeWrite;
import java.util.Comparator;

/** What was decided about one claim for the sake of a pod's place. Two pods that mount one claim make the same pledge. */
sealed interface Pledge {
    /** The object that says so. */
    Target target();

    ClaimRef claim();

    /** The volume is for the claim. */
    record Reserved(String volume, ClaimRef claim) implements Pledge {
        @Override
        public Target target() {
            return Target.volume(volume);
        }
    }

    /** A volume for the claim is made where the node can reach it. */
    record Selected(ClaimRef claim, String node) implements Pledge {
        @Override
        public Target target() {
            return Target.claim(claim.key());
        }
    }

    default ClaimKey claimKey() {
        return claim().key();
    }

    /**
     * A volume or a claim.
     *
     * @param volume empty for a claim
     */
    record Target(String volume, ClaimKey claim) implements Comparable<Target> {
        private static final ClaimKey NONE = new ClaimKey("", "");
        private static final Comparator<Target> ORDER = Comparator.<Target, String>comparing(target -> target.volume)
                .thenComparing(target -> target.claim.namespace())
                .thenComparing(target -> target.claim.name());

        static Target volume(String name) {
            return new Target(name, NONE);
        }

        static Target claim(ClaimKey key) {
            return new Target("", key);
        }

        static Target of(VolumeWrite write) {
            return write instanceof VolumeWrite.Reserve reserve
                    ? volume(reserve.volume())
                    : claim(((VolumeWrite.SelectNode) write).claim());
        }

        @Override
        public int compareTo(Target other) {
            return ORDER.compare(this, other);
        }
    }
}
