package dev.berth.core.volumebinding.filter;

import dev.berth.core.placement.filter.Veto;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The claims of one pod, independent of the node.
 *
 * @param preFilterVeto why the pod is not schedulable on any node now
 * @param bound claims that are bound
 * @param delayedBinding claims with WaitForFirstConsumer in the order of the pod's spec, each with its candidate
 * volumes
 * @param exclusiveClaims the ReadWriteOncePod claims
 * @param conflictingUsers the other pods that use these, on any node
 * @param conflictingHolds the holds that count as pods and mount these, on any node
 * @param zones the zone labels that the volumes require of a node
 */
record PodVolumeClaims(
        Optional<Veto> preFilterVeto,
        List<PersistentVolumeClaim> bound,
        List<CandidateVolumes> delayedBinding,
        Set<PersistentVolumeClaimKey> exclusiveClaims,
        List<VolumeClaimUsers.PlacedUser> conflictingUsers,
        List<MountingHolds.MountingHold> conflictingHolds,
        List<VolumeZone.ZoneRequirement> zones) {
    PodVolumeClaims {
        bound = List.copyOf(bound);
        delayedBinding = List.copyOf(delayedBinding);
        exclusiveClaims = Set.copyOf(exclusiveClaims);
        conflictingUsers = List.copyOf(conflictingUsers);
        conflictingHolds = List.copyOf(conflictingHolds);
        zones = List.copyOf(zones);
    }

    static PodVolumeClaims of(Veto problem) {
        return new PodVolumeClaims(
                Optional.of(problem), List.of(), List.of(), Set.of(), List.of(), List.of(), List.of());
    }
}
