package dev.berth.core.volumebinding.filter;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.volumebinding.StorageIndex;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * kube-scheduler's plugins VolumeRestrictions, NodeVolumeLimits, VolumeBinding and VolumeZone, in this order; the first
 * veto is returned alone. Pods of other schedulers are not filtered, because those schedulers check volumes themselves.
 * But the volumes that such pods mount count.
 */
public final class VolumePlugins {
    private final LedgerView ledger;
    private final StorageIndex storageIndex;
    private final AssumedVolumes assumedVolumes;
    private final VolumeClaimUsers volumeClaimUsers;
    private final Set<String> schedulerNames;
    private final PodVolumeClaimsReader reader;
    private final NodeVolumeLimits limits;
    private final VolumeBindingPlanner volumeBindingPlanner;
    /** The claims of the last pod: one pod is filtered against many nodes. */
    private Optional<CachedClaims> cached = Optional.empty();

    private record CachedClaims(Pod pod, StateVersions stateVersions, PodVolumeClaims claims) {}

    private record StateVersions(long storage, long assumed, long users, long ledger) {}

    /** @param schedulerNames the schedulers whose pods are filtered */
    public VolumePlugins(
            LedgerView ledger,
            StorageIndex storageIndex,
            AssumedVolumes assumedVolumes,
            VolumeClaimUsers volumeClaimUsers,
            Set<String> schedulerNames) {
        this.ledger = ledger;
        this.storageIndex = storageIndex;
        this.assumedVolumes = assumedVolumes;
        this.volumeClaimUsers = volumeClaimUsers;
        this.schedulerNames = Set.copyOf(schedulerNames);
        this.reader = new PodVolumeClaimsReader(storageIndex, assumedVolumes, volumeClaimUsers);
        this.limits = new NodeVolumeLimits(storageIndex);
        this.volumeBindingPlanner = new VolumeBindingPlanner(storageIndex, assumedVolumes);
    }

    /** Whether the pod mounts volumes that restrict its nodes. */
    public boolean appliesTo(Pod pod) {
        return !pod.volumes().isEmpty() && schedulerNames.contains(pod.schedulerName());
    }

    /** Why the volumes of the pod cannot be used on any node now. */
    public Optional<Veto> preFilter(Pod pod) {
        return claimsOf(pod).preFilterVeto();
    }

    /** Why the node cannot provide all volumes of the pod together; empty if it can. */
    public List<Veto> vetoes(Pod pod, NodeState state) {
        PodVolumeClaims claims = claimsOf(pod);
        Optional<Veto> veto = claims.preFilterVeto().or(() -> findRestriction(pod, claims, state));
        if (veto.isPresent()) {
            return List.of(veto.get());
        }
        List<Veto> unreachable = volumeBindingPlanner.plan(claims, state.node()).vetoes();
        if (!unreachable.isEmpty()) {
            return unreachable;
        }
        return VolumeZone.areSatisfiedBy(claims.zones(), state.node()) ? List.of() : List.of(Veto.of(Code.VOLUME_ZONE));
    }

    /** How the pod's claims get their volumes on a feasible node. */
    public VolumeBindingPlan plan(Pod pod, Node node) {
        return volumeBindingPlanner.plan(claimsOf(pod), node);
    }

    private Optional<Veto> findRestriction(Pod pod, PodVolumeClaims claims, NodeState state) {
        if (isDiskInUse(pod, state)) {
            return Optional.of(Veto.of(Code.DISK_IN_USE));
        }
        if (claims.conflictingUsers().stream().anyMatch(user -> isStillThere(user, state))) {
            return Optional.of(Veto.of(Code.PVC_IN_USE));
        }
        return limits.allows(pod, state) ? Optional.empty() : Optional.of(Veto.of(Code.VOLUME_LIMIT));
    }

    /** A simulation may have removed the pod from the node. */
    private static boolean isStillThere(VolumeClaimUsers.PlacedUser user, NodeState state) {
        return !user.node().equals(state.node().name())
                || state.pods().stream().anyMatch(pod -> pod.uid().equals(user.pod()));
    }

    private static boolean isDiskInUse(Pod pod, NodeState state) {
        List<PodVolumes.Disk> disks = pod.volumes().disks();
        if (disks.isEmpty()) {
            return false;
        }
        Map<String, List<PodVolumes.Disk>> byId = disks.stream().collect(Collectors.groupingBy(PodVolumes.Disk::id));
        return state.pods().stream()
                .flatMap(there -> there.volumes().disks().stream())
                .anyMatch(
                        disk -> byId.getOrDefault(disk.id(), List.of()).stream().anyMatch(disk::conflictsWith));
    }

    private PodVolumeClaims claimsOf(Pod pod) {
        StateVersions stateVersions = new StateVersions(
                storageIndex.generation(),
                assumedVolumes.generation(),
                volumeClaimUsers.generation(),
                ledger.version());
        Optional<CachedClaims> current =
                cached.filter(it -> it.pod.equals(pod) && it.stateVersions.equals(stateVersions));
        if (current.isPresent()) {
            return current.get().claims;
        }
        PodVolumeClaims claims = reader.read(pod);
        cached = Optional.of(new CachedClaims(pod, stateVersions, claims));
        return claims;
    }
}
