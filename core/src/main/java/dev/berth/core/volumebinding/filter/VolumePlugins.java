package dev.berth.core.volumebinding.filter;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.CycleState;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.volumebinding.StorageIndex;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * kube-scheduler's plugins VolumeRestrictions, NodeVolumeLimits, VolumeBinding and VolumeZone, in this order; the first
 * veto is returned alone. Pods of other schedulers are not filtered, because those schedulers check volumes themselves.
 * But the volumes that such pods mount count. So do the volumes of holds that count as pods: see {@link Hold#neighbour}.
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
        this.reader =
                new PodVolumeClaimsReader(storageIndex, assumedVolumes, volumeClaimUsers, new MountingHolds(ledger));
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

    /**
     * Why the node cannot provide all volumes of the pod together; empty if it can.
     *
     * @param hold the hold that the pod would use there: its volumes do not count
     */
    public List<Veto> vetoes(CycleState cycle, NodeState state, Optional<Hold> hold) {
        Pod pod = cycle.pod();
        PodVolumeClaims claims = claimsOf(pod);
        Optional<Veto> veto = claims.preFilterVeto()
                .or(() -> VolumeRestrictions.findVeto(cycle, claims, state))
                .or(() -> limits.findVeto(pod, state, otherHolds(cycle, state, hold)));
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

    /**
     * The holds whose volumes count in addition to those of the pod. What a hold draws on another hold is the same place, so a
     * pod that uses the first one uses both. A reservation that moves does not count twice. No Reservation counts for a pod
     * that ignores them.
     */
    private List<Hold> otherHolds(CycleState cycle, NodeState state, Optional<Hold> hold) {
        if (state.neighbours().isEmpty()) {
            return List.of();
        }
        Set<HoldId> used = new HashSet<>();
        Optional<HoldId> next = hold.map(Hold::id);
        while (next.isPresent() && used.add(next.get())) {
            next = ledger.holdState(next.get()).flatMap(known -> known.draws().source());
        }
        List<Hold> others = new ArrayList<>();
        for (Hold neighbour : state.neighbours()) {
            Pod standIn = neighbour.neighbour().orElseThrow();
            boolean counts = !standIn.uid().equals(cycle.pod().uid())
                    && !used.contains(neighbour.id())
                    && !(cycle.ignoresReservations() && neighbour.isReservation());
            if (counts && !standIn.volumes().isEmpty()) {
                others.add(neighbour);
            }
        }
        return others;
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
