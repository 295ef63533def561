package dev.berth.core.volumebinding.filter;

import dev.berth.core.placement.filter.Veto;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import java.util.List;

/**
 * How a pod's claims that wait for its place would get their volumes on one node.
 *
 * @param vetoes why they would not; then there is nothing else
 * @param staticBindings volumes that are there
 * @param dynamicProvisions claims for which a volume has to be made
 */
public record VolumeBindingPlan(
        List<Veto> vetoes, List<VolumeMatch> staticBindings, List<PersistentVolumeClaim> dynamicProvisions) {
    public VolumeBindingPlan {
        vetoes = List.copyOf(vetoes);
        staticBindings = List.copyOf(staticBindings);
        dynamicProvisions = List.copyOf(dynamicProvisions);
    }

    /** A volume for a claim. */
    public record VolumeMatch(PersistentVolume volume, PersistentVolumeClaim claim) {}

    static VolumeBindingPlan refused(List<Veto> vetoes) {
        return new VolumeBindingPlan(vetoes, List.of(), List.of());
    }

    /** Whether the pod can be bound without waiting for anything. */
    public boolean isFullyBound() {
        return staticBindings.isEmpty() && dynamicProvisions.isEmpty();
    }
}
