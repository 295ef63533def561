package dev.berth.core.volumebinding.prebind;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.Handle;
import dev.berth.core.framework.NodeListener;
import dev.berth.core.framework.Plugin;
import dev.berth.core.framework.PodListener;
import dev.berth.core.framework.PreBindPlugin;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.CycleState;
import dev.berth.core.placement.filter.FilterPlugin;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.time.Instants;
import dev.berth.core.volumebinding.PersistentVolume;
import dev.berth.core.volumebinding.PersistentVolume.ClaimRef;
import dev.berth.core.volumebinding.PersistentVolumeClaim;
import dev.berth.core.volumebinding.PersistentVolumeClaimKey;
import dev.berth.core.volumebinding.StorageIndex;
import dev.berth.core.volumebinding.StorageObject;
import dev.berth.core.volumebinding.VolumeAttachment;
import dev.berth.core.volumebinding.VolumeFact;
import dev.berth.core.volumebinding.VolumeWrite;
import dev.berth.core.volumebinding.filter.VolumeBindingPlan;
import dev.berth.core.volumebinding.filter.VolumeClaimUsers;
import dev.berth.core.volumebinding.filter.VolumePlugins;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The VolumeBinding plugin. It rejects nodes that cannot use the volumes of a pod or of a placement request. For a request it
 * writes nothing: only pods get their volumes bound. Claims with
 * WaitForFirstConsumer are bound or provisioned in PreBind, while the pod is assumed and no other pod gets the volumes.
 * The objects show what was written, so a restarted Berth places the pod where its volumes are.
 */
public final class VolumeBinding
        implements Plugin, PodListener<Handle>, NodeListener<Handle>, FilterPlugin, PreBindPlugin {
    private static final String MESSAGE_PREFIX = "running PreBind plugin \"VolumeBinding\": binding volumes: ";

    private final LedgerView ledger;
    private final Profiles profiles;
    private final StorageIndex storageIndex = new StorageIndex();
    private final VolumeClaimUsers claimUsers;
    private final PendingVolumeBindings pending = new PendingVolumeBindings();
    private final PendingVolumeWrites writes = new PendingVolumeWrites(storageIndex);
    private final VolumeDecisionChecker decisionChecker = new VolumeDecisionChecker(storageIndex, writes);
    private final StorageEventMapper storageEvents = new StorageEventMapper();
    private final VolumePlugins volumePlugins;
    private final NominatedNodeWriter nominatedNodes;

    /**
     * @param profiles the schedulers whose pods' volumes are bound, with the timeout of each
     * @param nominatedNodes the writer of nominated nodes, which must be registered as a plugin too
     */
    public VolumeBinding(LedgerView ledger, Profiles profiles, NominatedNodeWriter nominatedNodes) {
        this.ledger = ledger;
        this.nominatedNodes = nominatedNodes;
        this.profiles = profiles;
        this.claimUsers = new VolumeClaimUsers(ledger);
        this.volumePlugins = new VolumePlugins(ledger, storageIndex, pending, claimUsers, profiles.schedulerNames());
    }

    @Override
    public boolean appliesTo(Pod pod) {
        return volumePlugins.appliesTo(pod);
    }

    @Override
    public Optional<Veto> preFilter(Pod pod) {
        return volumePlugins.preFilter(pod);
    }

    @Override
    public List<Veto> filter(CycleState cycle, NodeState state, Optional<Hold> hold) {
        return volumePlugins.vetoes(cycle, state, hold);
    }

    @Override
    public Origin.PluginId id() {
        return Origin.PluginId.VOLUME_BINDING;
    }

    @Override
    public void onFact(Fact.ComponentFact fact, Handle handle) {
        if (fact instanceof VolumeFact.Upserted upserted) {
            Optional<StorageObject> before = storageIndex.put(upserted.object());
            requeueAffected(upserted.object());
            Set<PodUid> affected = upserted.object() instanceof PersistentVolumeClaim claim
                    ? podsAndRequestsUsing(claim.key(), handle)
                    : Set.of();
            boolean unused = upserted.object() instanceof PersistentVolumeClaim && affected.isEmpty();
            if (!unused) {
                storageEvents
                        .eventsFor(before, upserted.object())
                        .forEach(clusterEventKind -> handle.notifyStorageChanged(clusterEventKind, affected));
            }
        } else if (fact instanceof VolumeFact.Deleted deleted) {
            storageIndex.remove(deleted.uid()).ifPresent(object -> {
                requeueAffected(object);
                remove(object);
                if (object instanceof VolumeAttachment) {
                    handle.notifyStorageChanged(ClusterEventKind.VOLUME_DETACHED, Set.of());
                }
            });
        } else {
            throw new IllegalStateException("unknown fact (%s)".formatted(fact));
        }
    }

    private Set<PodUid> podsAndRequestsUsing(PersistentVolumeClaimKey claim, Handle handle) {
        Set<PodUid> pods = claimUsers.podsUsing(claim);
        Set<PodUid> requests = handle.requestsMounting(claim.namespace(), claim.name());
        if (requests.isEmpty()) {
            return pods;
        }
        Set<PodUid> all = new HashSet<>(pods);
        all.addAll(requests);
        return all;
    }

    private void requeueAffected(StorageObject object) {
        if (object instanceof PersistentVolumeClaim claim) {
            pending.requeueForClaim(claim.key());
        } else if (object instanceof PersistentVolume volume) {
            pending.requeueForVolume(volume.name());
            volume.state().claimRef().map(ClaimRef::key).ifPresent(pending::requeueForClaim);
        }
    }

    private void remove(StorageObject object) {
        if (object instanceof PersistentVolumeClaim claim) {
            writes.remove(VolumeDecision.WriteTarget.claim(claim.key()));
        } else if (object instanceof PersistentVolume volume) {
            writes.remove(VolumeDecision.WriteTarget.volume(volume.name()));
        }
    }

    @Override
    public boolean ignoresPlainPods() {
        return pending.isEmpty();
    }

    @Override
    public void onPodUpsert(Optional<Pod> before, Pod pod, Optional<HoldId> usedHold, Handle handle) {
        claimUsers.add(pod);
        if (!pod.awaitsBinding() && pending.find(pod.uid()).isPresent()) {
            failBinding(pod.uid(), Optional.empty(), handle);
        }
    }

    @Override
    public void onPodDelete(Pod pod, Optional<HoldId> usedHold, Handle handle) {
        claimUsers.remove(pod);
        if (pending.find(pod.uid()).isPresent()) {
            failBinding(pod.uid(), Optional.empty(), handle);
        }
    }

    @Override
    public void onNodeDelete(Node node, Handle handle) {
        for (PendingVolumeBinding pendingVolumeBinding : pending.onNode(node.name())) {
            failBinding(
                    pendingVolumeBinding.pod(),
                    Optional.of("failed to get node \"%s\"".formatted(node.name())),
                    handle);
        }
    }

    @Override
    public boolean preBind(Pod pod, Placement.Placed place, Handle handle) {
        if (!volumePlugins.appliesTo(pod)) {
            return false;
        }
        NodeState state = ledger.node(place.nodeName())
                .orElseThrow(() ->
                        new IllegalStateException("pod (%s): node (%s) is not known".formatted(pod, place.nodeName())));
        VolumeBindingPlan plan = volumePlugins.plan(pod, state.node());
        if (plan.isFullyBound()) {
            return false;
        }
        List<VolumeDecision> volumeDecisions = new ArrayList<>();
        plan.staticBindings()
                .forEach(match -> volumeDecisions.add(new VolumeDecision.StaticBinding(
                        match.volume().name(), match.claim().toClaimRef())));
        plan.dynamicProvisions()
                .forEach(claim -> volumeDecisions.add(
                        new VolumeDecision.DynamicProvisioning(claim.toClaimRef(), place.nodeName())));
        Duration timeout =
                profiles.get(pod.schedulerName()).preemptionAndVolumeSettings().volumeBindTimeout();
        pending.add(new PendingVolumeBinding(
                pod.uid(), place.nodeName(), handle.now().plus(timeout), volumeDecisions));
        // It shows other schedulers and autoscalers that the resources are not free.
        nominatedNodes.setNominatedNode(pod.uid(), place.nodeName(), handle);
        return true;
    }

    @Override
    public void onBindAborted(PodUid pod, Handle handle) {
        if (pending.find(pod).isPresent()) {
            failBinding(pod, Optional.empty(), handle);
        }
    }

    @Override
    public void onWriteResult(Effect.Write write, WriteResult writeResult, Handle handle) {
        VolumeWrite volumeWrite = (VolumeWrite) write;
        writes.onWriteResult(volumeWrite, writeResult, handle);
        pending.requeue(VolumeDecision.WriteTarget.of(volumeWrite));
    }

    @Override
    public void reconcile(Handle handle) {
        if (writes.forEachDue(handle, target -> reconcileTarget(target, handle))) {
            reconcileDue(handle);
        }
    }

    /** The pending bindings first: they decide what is written to the object. */
    private void reconcileTarget(VolumeDecision.WriteTarget target, Handle handle) {
        pending.waitingFor(target).forEach(pendingVolumeBinding -> process(pendingVolumeBinding, handle));
        writes.reconcile(target, handle);
    }

    private void reconcileDue(Handle handle) {
        for (PendingVolumeBinding pendingVolumeBinding : pending.due(handle.now())) {
            process(pendingVolumeBinding, handle);
            if (handle.isOutOfTime()) {
                return;
            }
        }
    }

    private void process(PendingVolumeBinding pendingVolumeBinding, Handle handle) {
        pending.markProcessed(pendingVolumeBinding);
        reconcile(pendingVolumeBinding, handle);
    }

    private void reconcile(PendingVolumeBinding pendingVolumeBinding, Handle handle) {
        Optional<NodeState> state = ledger.node(pendingVolumeBinding.node());
        if (state.isEmpty() || ledger.assumption(pendingVolumeBinding.pod()).isEmpty()) {
            failBinding(pendingVolumeBinding.pod(), Optional.empty(), handle);
            return;
        }
        boolean allDone = true;
        for (VolumeDecision volumeDecision : pendingVolumeBinding.decisions()) {
            VolumeBindingProgress progress =
                    decisionChecker.check(volumeDecision, state.get().node());
            if (progress instanceof VolumeBindingProgress.Failed failed) {
                failBinding(pendingVolumeBinding.pod(), Optional.of(failed.reason()), handle);
                return;
            }
            if (progress instanceof VolumeBindingProgress.WriteNeeded next) {
                writes.write(volumeDecision.target(), next.write(), handle);
            }
            allDone &= progress instanceof VolumeBindingProgress.Done;
        }
        if (allDone) {
            removePending(pendingVolumeBinding.pod());
            handle.releaseBind(pendingVolumeBinding.pod());
        } else if (!pendingVolumeBinding.deadline().isAfter(handle.now())) {
            failBinding(pendingVolumeBinding.pod(), Optional.of("context deadline exceeded"), handle);
        }
    }

    /**
     * The writes to volumes and claims stay: the next placement of the pod follows them. The nominated node is cleared.
     */
    private void failBinding(PodUid pod, Optional<String> why, Handle handle) {
        removePending(pod);
        handle.failBind(pod, why.map(MESSAGE_PREFIX::concat));
        nominatedNodes.setNominatedNode(pod, "", handle);
        handle.notifyStorageChanged(ClusterEventKind.VOLUME_CHANGED, Set.of());
    }

    private void removePending(PodUid pod) {
        pending.remove(pod).forEach(volumeDecision -> writes.cancel(volumeDecision.target()));
    }

    @Override
    public int retryingWrites() {
        return writes.retrying();
    }

    @Override
    public Optional<Instant> nextWake() {
        return Instants.earliest(pending.nextDeadline(), writes.nextWake());
    }
}
