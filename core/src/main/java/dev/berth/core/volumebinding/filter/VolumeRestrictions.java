package dev.berth.core.volumebinding.filter;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.BlockingHold;
import dev.berth.core.placement.filter.CycleState;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.volumebinding.filter.MountingHolds.MountingHold;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * kube-scheduler's plugin VolumeRestrictions: disks and ReadWriteOncePod claims that only one pod may use at a time. A hold that
 * counts as a pod uses its volumes like a pod, unless the pod may use the hold.
 */
final class VolumeRestrictions {
    private VolumeRestrictions() {}

    /** @param state the node, which may be simulated without some pods and holds */
    static Optional<Veto> findVeto(CycleState cycle, PodVolumeClaims claims, NodeState state) {
        return findDiskInUse(cycle, state).or(() -> findClaimInUse(cycle, claims, state));
    }

    private static Optional<Veto> findDiskInUse(CycleState cycle, NodeState state) {
        List<PodVolumes.Disk> disks = cycle.pod().volumes().disks();
        if (disks.isEmpty()) {
            return Optional.empty();
        }
        Map<String, List<PodVolumes.Disk>> byId = disks.stream().collect(Collectors.groupingBy(PodVolumes.Disk::id));
        if (state.pods().stream().anyMatch(pod -> mountsConflicting(pod, byId))) {
            return Optional.of(Veto.of(Code.DISK_IN_USE));
        }
        List<Hold> holds = state.neighbours().stream()
                .filter(hold -> mountsConflicting(hold.neighbour().orElseThrow(), byId) && cycle.sees(hold))
                .toList();
        return blockedBy(Code.DISK_IN_USE, holds);
    }

    private static boolean mountsConflicting(Pod pod, Map<String, List<PodVolumes.Disk>> byId) {
        return pod.volumes().disks().stream()
                .anyMatch(
                        disk -> byId.getOrDefault(disk.id(), List.of()).stream().anyMatch(disk::conflictsWith));
    }

    private static Optional<Veto> findClaimInUse(CycleState cycle, PodVolumeClaims claims, NodeState state) {
        if (claims.exclusiveClaims().isEmpty()) {
            return Optional.empty();
        }
        if (claims.conflictingUsers().stream().anyMatch(user -> isStillThere(user, state))) {
            return Optional.of(Veto.of(Code.PVC_IN_USE));
        }
        List<Hold> holds = new ArrayList<>();
        for (MountingHold mounting : claims.conflictingHolds()) {
            if (!mounting.node().equals(state.node().name()) && cycle.sees(mounting.hold())) {
                holds.add(mounting.hold());
            }
        }
        // In a simulation a hold may count that a pod uses now, and the reverse.
        for (Hold hold : state.neighbours()) {
            if (MountingHolds.claimsOf(hold).stream().anyMatch(claims.exclusiveClaims()::contains)
                    && cycle.sees(hold)) {
                holds.add(hold);
            }
        }
        return blockedBy(Code.PVC_IN_USE, holds);
    }

    /** A simulation may have removed the pod from the node. */
    private static boolean isStillThere(VolumeClaimUsers.PlacedUser user, NodeState state) {
        return !user.node().equals(state.node().name())
                || state.pods().stream().anyMatch(pod -> pod.uid().equals(user.pod()));
    }

    private static Optional<Veto> blockedBy(Code code, List<Hold> holds) {
        return holds.isEmpty()
                ? Optional.empty()
                : Optional.of(Veto.blockedBy(
                        code, holds.stream().map(BlockingHold::of).toList()));
    }
}
