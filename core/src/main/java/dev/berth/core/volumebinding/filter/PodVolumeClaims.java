package dev.berth.core.volumebinding.filter;

import dev.berth.core.placement.filter.Veto;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import java.util.List;
import java.util.Optional;

/**
 * What the claims of one pod come to, whichever node it goes to.
 *
 * @param preFilterVeto why it can go nowhere as things are
 * @param bound those whose volumes are there
 * @param delayedBinding those that get a volume when the pod is placed, as the pod names them, each with the volumes it could have
 * @param conflictingUsers who uses a claim that is for one pod alone
 * @param zones what the labels of the volumes demand of a node's
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
