package dev.berth.core.placement.score;

import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;

/** How well a pod fills a hold: the fuller it makes it the better, so that larger holds stay whole. */
public final class HoldScore {
    private static final long DEFAULT_WEIGHT = 5000;

    private HoldScore() {}

    /** How well a pod fills its hold counts more than everything else about a node together, whatever that counts. */
    public static long weight(ScoreWeights others) {
        return Math.max(DEFAULT_WEIGHT, others.maxTotal() + 1);
    }

    /**
     * The mean, over what the hold keeps, of how full the pod would make it in hundredths; what would overflow counts
     * nothing. Pod slots are left out: each pod takes one.
     */
    public static long score(Resources size, Resources allocated, Resources requests) {
        long sum = 0;
        int count = 0;
        for (int i = 0; i < size.size(); i++) {
            ResourceName name = size.nameAt(i);
            long kept = size.amountAt(i);
            if (kept > 0 && !name.equals(ResourceName.PODS)) {
                long filled = allocated.get(name) + requests.get(name);
                sum += filled > kept ? 0 : 100 * filled / kept;
                count++;
            }
        }
        return count == 0 ? 0 : sum / count;
    }
}
