package dev.berth.core.placement;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodSpec;

/**
 * All that a node's vetoes depend on of a pod that has no hold there: pods of one kin meet the same vetoes. Who is met by
 * others for what it is alone, as by a device or a volume of its own, is of no kin: see {@link Placer#equivalenceClass}. Where pods have
 * holds, pods of one kin that the same rules admit meet the same vetoes.
 */
public record EquivalenceClass(String schedulerName, PodSpec shape, String namespace, Labels labels, HoldUse holdUse) {
    /** About how many bytes it keeps from being collected. */
    public long retainedBytes() {
        return shape.retainedBytes() + labels.retainedBytes();
    }
}
