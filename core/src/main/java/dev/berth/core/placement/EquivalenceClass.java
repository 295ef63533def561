package dev.berth.core.placement;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.PodSpec;

/**
 * Everything about a pod without holds that the vetoes of a node depend on. Pods of one class get the same vetoes. A
 * pod whose vetoes depend on the pod itself, because of a device or a volume of its own, has no class: see {@link
 * Placer#equivalenceClass}. Pods with holds get the same vetoes if they have one class and the same owner rules admit
 * them.
 */
public record EquivalenceClass(String schedulerName, PodSpec spec, String namespace, Labels labels, HoldUse holdUse) {
    /** About how many bytes it retains. */
    public long retainedBytes() {
        return spec.retainedBytes() + labels.retainedBytes();
    }
}
