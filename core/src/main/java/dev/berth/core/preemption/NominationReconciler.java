package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.Hold;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Removals;
import dev.berth.core.metrics.Histogram;
import dev.berth.core.nomination.NominatedNodeListener;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.nomination.SetNominatedNode;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.preemption.Nomination.Stage;
import dev.berth.core.time.Instants;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reconciles nominations: writes the nominated node, evicts the victims, requeues the pod, and ends the hold. {@link
 * NominationAdopter} finds the nominations of other schedulers and of earlier processes.
 */
final class NominationReconciler implements NominatedNodeListener {
    private final Set<String> schedulerNames;
    private final Nominations nominations;
    private final PreemptionDenials denials;
    private final NominatedNodeWriter nominatedNodes;
    private final Evictions evictions = new Evictions();
    private final NominationAdopter adopter;
    private final ChangedNodes changedNodes = new ChangedNodes();
    private final Histogram victimCounts = Histogram.exponential(1, 2, 7);

    /** When a node was nominated that the pod already shows, so that no write and no result follows. */
    private Optional<Instant> alreadyShownAt = Optional.empty();

    NominationReconciler(
            Set<String> schedulerNames,
            Nominations nominations,
            PreemptionDenials denials,
            NominatedNodeWriter nominatedNodes,
            NominationAdopter.NodeSearch nodeSearch) {
        this.schedulerNames = schedulerNames;
        this.nominations = nominations;
        this.denials = denials;
        this.nominatedNodes = nominatedNodes;
        this.adopter = new NominationAdopter(nominations, nominatedNodes, nodeSearch);
    }

    boolean isEmpty() {
        return nominations.isEmpty() && adopter.isEmpty() && evictions.isEmpty();
    }

    /** A copy. */
    Histogram victimCounts() {
        return victimCounts.copy();
    }

    void onPodUpsert(Optional<Pod> before, Pod pod, Handle handle) {
        evictions.onPodUpsert(before, pod);
        nominations.requeue(pod.uid());
        adopter.onPodUpsert(pod, handle);
        if (nominations.isEmpty()) {
            return;
        }
        if (pod.awaitsBinding()) {
            nominations.find(pod.uid()).ifPresent(existing -> onPreemptorUpdate(existing, pod, handle));
        } else {
            end(pod.uid(), handle);
        }
    }

    void onPodDelete(Pod pod, Handle handle) {
        evictions.onPodDelete(pod.uid());
        nominations.requeue(pod.uid());
        denials.onPodDelete(pod.uid());
        if (!nominations.isEmpty() || !adopter.isEmpty()) {
            adopter.remove(pod.uid());
            end(pod.uid(), handle);
        }
    }

    void onRequestUpsert(Pod request, Handle handle) {
        nominations.requeue(request.uid());
        nominations
                .find(request.uid())
                .ifPresentOrElse(
                        existing -> onPreemptorUpdate(existing, request, handle),
                        () -> adopter.onRequestUpsert(request));
    }

    void onRequestEnd(PodUid request, Handle handle) {
        denials.onPodDelete(request);
        adopter.remove(request);
        end(request, handle);
    }

    void onHoldEnded(Hold hold, Handle handle) {
        PodUid uid = new PodUid(hold.id().value().substring(Nomination.PREFIX.length()));
        nominations.remove(uid).ifPresent(nomination -> retract(nomination.pod(), handle));
    }

    void reconcile(Handle handle) {
        alreadyShownAt = Optional.empty();
        requeueChanged(handle.ledger());
        adopter.process(handle, nomination -> adopt(nomination, handle));
        nominations.process(handle, nomination -> reconcile(nomination, handle));
        evictions.cancel(nominations.takeReleasedVictims());
        evictions.reconcile(handle);
        denials.dropLifted(this::isDenied).forEach(handle::requeue);
    }

    private void requeueChanged(LedgerView ledger) {
        if (nominations.isEmpty() && adopter.isEmpty()) {
            changedNodes.skipAll(ledger);
            return;
        }
        boolean anyChange = !changedNodes.isUpToDate(ledger);
        Optional<Set<String>> nodes = changedNodes.takeChanged(ledger);
        nominations.requeueOnNodes(nodes);
        adopter.requeue(nodes, anyChange);
    }

    private void reconcile(Nomination nomination, Handle handle) {
        NominationHolds.refreshDraw(nomination, handle);
        removeDepartedVictims(nomination, handle);
        if (hasProtectedVictim(nomination, handle)) {
            end(nomination.pod().uid(), handle);
            retract(nomination.pod(), handle);
            return;
        }
        if (nomination.stage() == Stage.UNWRITTEN && isShown(nomination, handle)) {
            onNominationWritten(nomination, handle);
        }
        if (nomination.stage() != Stage.UNWRITTEN) {
            evictions.evictVictims(nomination, handle);
            removeDepartedVictims(nomination, handle);
            requeueOnceVictimsAreGone(nomination, handle);
        }
    }

    /** A victim may be protected from placement requests after it was chosen and before it is deleted. */
    private static boolean hasProtectedVictim(Nomination nomination, Handle handle) {
        return handle.findPreemptingRequest(nomination.pod().uid())
                .filter(request -> nomination.victims().stream()
                        .flatMap(victim -> handle.ledger().pod(victim).stream())
                        .anyMatch(victim ->
                                !victim.terminating() && !request.preemptible().test(victim)))
                .isPresent();
    }

    private boolean isDenied(PodUid pod, PreemptionDenials.DeniedAction deniedAction) {
        return switch (deniedAction) {
            case NOMINATION -> nominatedNodes.denial(pod).isPresent();
            case EVICTION -> evictions.denial(pod).isPresent();
        };
    }

    int retryingWrites() {
        return evictions.retrying();
    }

    Optional<Instant> nextWake() {
        return Instants.earliest(alreadyShownAt, evictions.nextWake());
    }

    /** A victim that finished, or whose bind failed or was aborted, is no longer on the node. */
    private void removeDepartedVictims(Nomination nomination, Handle handle) {
        LedgerView ledger = handle.ledger();
        boolean fewer = nominations.removeVictims(
                nomination, victim -> ledger.pod(victim).isPresent() && !nomination.awaitsVictim(victim, ledger));
        if (fewer) {
            ledger.hold(nomination.holdId())
                    .ifPresent(hold -> handle.putHold(
                            hold.toBuilder().backers(nomination.victims()).build()));
        }
    }

    /** Another scheduler may have taken the resources: once all victims are gone, the pod is scheduled again. */
    private static void requeueOnceVictimsAreGone(Nomination nomination, Handle handle) {
        LedgerView ledger = handle.ledger();
        if (nomination.areVictimsGone(ledger)
                && ledger.node(nomination.node())
                        .filter(nomination::nodeChanged)
                        .isPresent()) {
            handle.requeue(nomination.pod().uid());
        }
    }

    /** A changed pod is scheduled again. If another scheduler changed the nominated node, the new node is used. */
    private void onPreemptorUpdate(Nomination existing, Pod pod, Handle handle) {
        boolean sameNode = pod.nominatedNodeName().equals(Optional.of(existing.node()));
        boolean samePod = existing.isOfSamePod(pod);
        existing.invalidateDraw();
        if (sameNode && existing.stage() == Stage.WRITTEN) {
            existing.setStage(Stage.SHOWN);
        }
        if (!samePod) {
            end(pod.uid(), handle);
            retract(pod, handle);
        } else if (!sameNode && existing.stage() == Stage.SHOWN) {
            end(pod.uid(), handle);
            if (pod.nominatedNodeName().isPresent()) {
                adopter.add(pod.uid());
            }
            handle.requeue(pod.uid());
        }
    }

    /**
     * Whether the pod's nominated node will be feasible once victims that terminate or are about to be evicted are
     * gone.
     */
    boolean victimsAreLeaving(Pod pod, Handle handle) {
        Optional<Nomination> existing = nominations.find(pod.uid());
        Optional<NodeState> node =
                existing.map(Nomination::node).or(pod::nominatedNodeName).flatMap(handle.ledger()::node);
        if (node.isEmpty() || !isResolvable(pod, node.get().node().name(), handle)) {
            return false;
        }
        Set<PodUid> leaving = NominationAdopter.terminatingVictims(pod, node.get());
        if (existing.isPresent()) {
            return !leaving.isEmpty()
                    || node.get().pods().stream()
                            .anyMatch(there -> existing.get().victims().contains(there.uid()));
        }
        Removals absent = new Removals(leaving, Set.of());
        return !leaving.isEmpty()
                && handle.vetoesWithout(pod, node.get().node().name(), absent).isEmpty();
    }

    private static boolean isResolvable(Pod pod, String node, Handle handle) {
        return handle.vetoes(pod, node, handle.holdUse(pod.uid())).stream().allMatch(Veto::isResolvable);
    }

    void nominate(Pod pod, PreemptionCandidate preemptionCandidate, Handle handle) {
        displaceLowerPriority(pod, preemptionCandidate.node(), handle);
        end(pod.uid(), handle);
        adopter.remove(pod.uid());
        Nomination nomination = Nomination.of(preemptionCandidate, pod, Preemptor.of(pod, handle), Stage.UNWRITTEN);
        add(nomination, handle);
        if (!nomination.isForRequest()) {
            nominatedNodes.setNominatedNode(pod.uid(), preemptionCandidate.node(), handle);
        }
        if (isShown(nomination, handle)) {
            alreadyShownAt = Optional.of(handle.now());
        }
    }

    private void adopt(Nomination nomination, Handle handle) {
        if (nomination.isForRequest()) {
            displaceLowerPriority(nomination.pod(), nomination.node(), handle);
        }
        add(nomination, handle);
    }

    private void displaceLowerPriority(Pod pod, String node, Handle handle) {
        nominations.lowerPriorityThan(pod, node).forEach(nomination -> {
            end(nomination.pod().uid(), handle);
            retract(nomination.pod(), handle);
        });
    }

    private void add(Nomination nomination, Handle handle) {
        NodeState node = handle.ledger().node(nomination.node()).orElseThrow();
        nominations.put(nomination);
        handle.putHold(NominationHolds.create(nomination, node, handle));
        if (nomination.isForRequest()) {
            handle.setNominatedNode(nomination.pod().uid(), nomination.node(), nomination.victimsIn(handle.ledger()));
        }
    }

    @Override
    public void onReconciled(PodUid pod) {
        nominations.requeue(pod);
    }

    /** The nominated node of a pod was written or denied. */
    void onNominatedNodeResult(SetNominatedNode write, WriteResult writeResult, Handle handle) {
        nominations
                .find(write.pod().uid())
                .filter(nomination -> nomination.node().equals(write.node()))
                .ifPresent(nomination -> onNominationResult(nomination, writeResult, handle));
    }

    /** After a conflict the hold stays: an earlier write whose response was lost may have nominated the node. */
    private void onNominationResult(Nomination nomination, WriteResult writeResult, Handle handle) {
        PodUid pod = nomination.pod().uid();
        switch (writeResult.kind()) {
            case WRITTEN -> onNominationWritten(nomination, handle);
            case CONFLICT -> {}
            case NOT_FOUND -> {
                end(pod, handle);
                handle.requeue(pod);
            }
            case DENIED -> {
                denials.add(pod, PreemptionDenials.DeniedAction.NOMINATION, writeResult.message());
                end(pod, handle);
                handle.requeue(pod);
            }
        }
    }

    /** The victims are evicted only now. Without victims the pod can be scheduled at once. */
    private void onNominationWritten(Nomination nomination, Handle handle) {
        if (nomination.stage() == Stage.UNWRITTEN) {
            victimCounts.observe(nomination.victims().size());
            nomination.setStage(isShown(nomination, handle) ? Stage.SHOWN : Stage.WRITTEN);
        }
        if (nomination.areVictimsGone(handle.ledger())) {
            handle.requeue(nomination.pod().uid());
        }
    }

    /** The watch may be faster than the result of the write. */
    private boolean isShown(Nomination nomination, Handle handle) {
        return Preemptor.find(nomination.pod().uid(), handle)
                .filter(pod -> nominatedNodes.isShown(pod, nomination.node()))
                .isPresent();
    }

    void onEvictionResult(PreemptionWrite write, WriteResult writeResult, Handle handle) {
        evictions.onWriteResult(write, writeResult, handle);
        if (writeResult.kind() == WriteResult.ResultKind.DENIED) {
            onEvictionDenied(write.victim(), writeResult.message(), handle);
        }
    }

    /** The pods that need the victim are scheduled again. For a while the victim is no candidate. */
    private void onEvictionDenied(PodRef victim, String message, Handle handle) {
        if (handle.ledger().pod(victim.uid()).isPresent()) {
            denials.add(victim.uid(), PreemptionDenials.DeniedAction.EVICTION, message);
        }
        for (Nomination nomination : nominations.findByVictim(victim.uid())) {
            denials.recordFailedAttempt(nomination.pod().uid(), nomination.victims());
            end(nomination.pod().uid(), handle);
            retract(nomination.pod(), handle);
        }
    }

    /** The nominated node, if there is one, does not help the pod any more. */
    void abandon(Pod pod, Handle handle) {
        if (end(pod.uid(), handle).isPresent() || pod.nominatedNodeName().isPresent()) {
            retract(pod, handle);
        }
    }

    /**
     * A pod that may not preempt keeps the node that another scheduler nominated, and uses it once the resources are
     * free. The node of a placement request was nominated by Berth, before an edit forbade preemption.
     */
    void endButKeepNominatedNode(Pod pod, Handle handle) {
        if (handle.findPreemptingRequest(pod.uid()).isPresent()) {
            abandon(pod, handle);
        } else if (end(pod.uid(), handle).isPresent()) {
            adopter.add(pod.uid());
        }
    }

    private Optional<Nomination> end(PodUid pod, Handle handle) {
        Optional<Nomination> ended = nominations.remove(pod);
        ended.ifPresent(nomination -> {
            handle.releaseHold(nomination.holdId());
            if (nomination.isForRequest()) {
                handle.cancelNominatedNode(pod);
            } else {
                nominatedNodes.cancel(pod);
            }
        });
        return ended;
    }

    /** Clears the nominated node and requeues the pod. Pods of other schedulers are not changed. */
    private void retract(Pod pod, Handle handle) {
        if (handle.findPreemptingRequest(pod.uid()).isPresent()) {
            handle.setNominatedNode(pod.uid(), "", List.of());
            handle.requeue(pod.uid());
        } else if (schedulerNames.contains(pod.schedulerName())) {
            nominatedNodes.setNominatedNode(pod.uid(), "", handle);
            handle.requeue(pod.uid());
        }
    }
}
