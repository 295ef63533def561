package dev.berth.core.volumebinding.filter;

import dev.berth.core.placement.filter.Veto;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import java.util.List;
import java.util.Optional;

/**
 * The claims of one pod, independent of the node.
 *
 * @param preFilterVeto why the pod is not schedulable on any node now
 * @param bound claims that are bound
 * @param delayedBinding claims with WaitForFirstConsumer in the order of the pod's spec, each with its candidate
 * volumes
 * @param conflictingUsers the users of ReadWriteOncePod claims
 * @param zones the zone labels that the volumes require of a node
 */
record PodVolumeClaims(
        Optional<Veto> preFilterVeto,
        List<PersistentVolumeClaim> bound,
        List<CandidateVolumes> delayedBinding,
        List<VolumeClaimUsers.PlacedUser> conflictingUsers,
        List<VolumeZone.ZoneRequirement> zones) {
    PodVolumeClaims {
        bound = List.copyOf(bound);
        delayedBinding = List.copyOf(delayedBinding);
        conflictingUsers = List.copyOf(conflictingUsers);
        zones = List.copyOf(zones);
    }

    static PodVolumeClaims of(Veto problem) {
        return new PodVolumeClaims(Optional.of(problem), List.of(), List.of(), List.of(), List.of());
    }
}
