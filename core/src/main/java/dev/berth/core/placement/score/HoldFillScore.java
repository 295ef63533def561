package dev.berth.core.placement.score;

import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;

/**
 * Scores how well a pod fills a hold. A fuller hold is better, so that larger holds stay unused. The score ranks matching
 * holds among each other. It never decides between a hold and free capacity: holds are always tried first.
 */
public final class HoldFillScore {
    private static final long DEFAULT_WEIGHT = 5000;

    private HoldFillScore() {}

    /** A weight that is larger than the sum of all other scores with their weights. */
    public static long weight(ScoreWeights weights) {
        return Math.max(DEFAULT_WEIGHT, weights.maxTotal() + 1);
    }

    /**
     * The mean over the resources of the hold of how full the pod would make it, in hundredths. A resource that the pod
     * would exceed counts as zero. Pod slots are ignored: each pod takes one.
     */
    public static long score(Resources size, Resources allocated, Resources requests) {
        long sum = 0;
        int count = 0;
        for (int i = 0; i < size.size(); i++) {
            ResourceName name = size.nameAt(i);
            long held = size.amountAt(i);
            if (held > 0 && !name.equals(ResourceName.PODS)) {
                sum += percentFilled(held, allocated.get(name) + requests.get(name));
                count++;
            }
        }
        return count == 0 ? 0 : sum / count;
    }

    /** How full one resource of a hold is, in hundredths; zero if it would be exceeded. */
    public static long percentFilled(long held, long filled) {
        return filled > held ? 0 : 100 * filled / held;
    }
}
