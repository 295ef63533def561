package dev.berth.core.volume.filter;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodVolumes;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.filter.Veto.Code;
import dev.berth.core.placement.filter.Volumes;
import dev.berth.core.volume.Storage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What kube-scheduler's plugins VolumeRestrictions, NodeVolumeLimits, VolumeBinding and VolumeZone say, in this order:
 * the first that refuses speaks alone. The pods of other schedulers are not asked about: whoever places them looks after
 * their volumes; but what they mount counts.
 */
public final class VolumeCheck implements Volumes {
    private final LedgerView ledger;
    private final Storage storage;
    private final Assumed assumed;
    private final Mentions mentions;
    private final Set<String> schedulerNames;
    private final ClaimReader reader;
    private final Limits limits;
    private final Planning planning;
    /** The pod asked about last: it is asked about once for each node. */
    private Optional<Memo> memo = Optional.empty();

    private record Memo(Pod pod, Moment moment, PodClaims claims) {}

    private record Moment(long storage, long assumed, long mentions, long ledger) {}

    /** @param schedulerNames whose pods are asked about */
    public VolumeCheck(
            LedgerView ledger, Storage storage, Assumed assumed, Mentions mentions, Set<String> schedulerNames) {
        this.ledger = ledger;
        this.storage = storage;
        this.assumed = assumed;
        this.mentions = mentions;
        this.schedulerNames = Set.copyOf(schedulerNames);
        this.reader = new ClaimReader(storage, assumed, mentions);
        this.limits = new Limits(storage);
        this.planning = new Planning(storage, assumed);
    }

    @Override
    public boolean wantedBy(Pod pod) {
        return !pod.volumes().isEmpty() && schedulerNames.contains(pod.schedulerName());
    }

    @Override
    public Optional<Veto> beforehand(Pod pod) {
        return claims(pod).problem();
    }

    @Override
    public List<Veto> vetoes(Pod pod, NodeState state) {
        PodClaims claims = claims(pod);
        Optional<Veto> veto = claims.problem().or(() -> restriction(pod, claims, state));
        if (veto.isPresent()) {
            return List.of(veto.get());
        }
        List<Veto> unreachable = planning.plan(claims, state.node()).vetoes();
        if (!unreachable.isEmpty()) {
            return unreachable;
        }
        return Zones.met(claims.zones(), state.node()) ? List.of() : List.of(Veto.of(Code.VOLUME_ZONE));
    }

    /** How the pod's claims get their volumes on a node that takes it. */
    public Plan plan(Pod pod, Node node) {
        return planning.plan(claims(pod), node);
    }

    private Optional<Veto> restriction(Pod pod, PodClaims claims, NodeState state) {
        if (diskInUse(pod, state)) {
            return Optional.of(Veto.of(Code.DISK_IN_USE));
        }
        if (claims.rivals().stream().anyMatch(user -> remains(user, state))) {
            return Optional.of(Veto.of(Code.CLAIM_IN_USE));
        }
        return limits.allow(pod, state) ? Optional.empty() : Optional.of(Veto.of(Code.VOLUME_LIMIT));
    }

    /** A node may be asked as it would be without some of its pods. */
    private static boolean remains(Mentions.User user, NodeState state) {
        return !user.node().equals(state.node().name())
                || state.pods().stream().anyMatch(pod -> pod.uid().equals(user.pod()));
    }

    private static boolean diskInUse(Pod pod, NodeState state) {
        List<PodVolumes.Disk> wanted = pod.volumes().disks();
        if (wanted.isEmpty()) {
            return false;
        }
        Map<String, List<PodVolumes.Disk>> byId = wanted.stream().collect(Collectors.groupingBy(PodVolumes.Disk::id));
        return state.pods().stream()
                .flatMap(there -> there.volumes().disks().stream())
                .anyMatch(
                        disk -> byId.getOrDefault(disk.id(), List.of()).stream().anyMatch(disk::conflictsWith));
    }

    private PodClaims claims(Pod pod) {
        Moment moment = new Moment(storage.generation(), assumed.generation(), mentions.generation(), ledger.version());
        Optional<Memo> known = memo.filter(it -> it.pod.equals(pod) && it.moment.equals(moment));
        if (known.isPresent()) {
            return known.get().claims;
        }
        PodClaims claims = reader.read(pod);
        memo = Optional.of(new Memo(pod, moment, claims));
        return claims;
    }
}
