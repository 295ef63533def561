package dev.berth.core.volumebinding.filter;

import dev.berth.core.placement.filter.Veto;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import java.util.List;

/**
 * How the unbound claims of a pod would get their volumes on one node.
 *
 * @param vetoes why they would not; then the rest is empty
 * @param staticBindings existing volumes for claims
 * @param dynamicProvisions claims for which a volume has to be provisioned
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

    /** Whether the pod can be bound without waiting for volumes. */
    public boolean isFullyBound() {
        return staticBindings.isEmpty() && dynamicProvisions.isEmpty();
    }
}
