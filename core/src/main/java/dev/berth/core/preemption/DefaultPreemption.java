package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.Handle;
import dev.berth.core.framework.Plugin;
import dev.berth.core.framework.PodListener;
import dev.berth.core.framework.PostFilterPlugin;
import dev.berth.core.framework.PostFilterResult;
import dev.berth.core.framework.PreemptingRequest;
import dev.berth.core.framework.PreemptingRequestListener;
import dev.berth.core.framework.WriteResultListener;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.metrics.Histogram;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.nomination.SetNominatedNode;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The DefaultPreemption plugin: evicts pods of lower priority for a pod that no node is feasible for, as kube-scheduler
 * does. It holds the resources of the victims for the pod. The victims back the hold until they are deleted, so no
 * other pod gets the resources in between. The pod's nominated node is written first: it records the hold.
 * Nominations of other schedulers are held in the same way. The hold ends when the pod is bound or deleted, or when the
 * node does not help the pod any more.
 */
public final class DefaultPreemption
        implements Plugin,
                PodListener<Handle>,
                PreemptingRequestListener<Handle>,
                WriteResultListener<Handle>,
                PostFilterPlugin {
    private final Profiles profiles;
    private final PodDisruptionBudgetIndex podDisruptionBudgetIndex = new PodDisruptionBudgetIndex();
    private final Nominations nominations = new Nominations();
    private final PreemptionDenials denials = new PreemptionDenials();
    private final CandidateCache candidateCache = new CandidateCache();
    private final NominationReconciler nominationReconciler;
    private long attempts;

    /**
     * What preemption did so far.
     *
     * @param attempts how often victims were searched for an unschedulable pod
     * @param victims the number of victims of each preemption
     */
    public record PreemptionStats(long attempts, Histogram victims) {}

    /**
     * With default profiles.
     *
     * @param schedulerNames the schedulers whose pods Berth schedules
     * @param nominatedNodes the writer of nominated nodes, which must be registered as a plugin too
     */
    public DefaultPreemption(Set<String> schedulerNames, NominatedNodeWriter nominatedNodes) {
        this(Profiles.forSchedulers(schedulerNames, Profile.DEFAULT), nominatedNodes);
    }

    /**
     * @param profiles the schedulers whose pods Berth schedules, and which of them may preempt
     * @param nominatedNodes the writer of nominated nodes, which must be registered as a plugin too
     */
    public DefaultPreemption(Profiles profiles, NominatedNodeWriter nominatedNodes) {
        this.profiles = profiles;
        this.nominationReconciler = new NominationReconciler(
                profiles.schedulerNames(), nominations, denials, nominatedNodes, this::findCandidateOn);
        nominatedNodes.setListener(nominationReconciler);
    }

    /** A copy of the counts. Must be called on the thread that owns the ledger. */
    public PreemptionStats stats() {
        return new PreemptionStats(attempts, nominationReconciler.victimCounts());
    }

    @Override
    public Origin.PluginId id() {
        return Origin.PluginId.PREEMPTION;
    }

    @Override
    public void onFact(Fact.ComponentFact fact, Handle handle) {
        if (fact instanceof PreemptionFact.BudgetUpserted upserted) {
            podDisruptionBudgetIndex.put(upserted.budget());
        } else if (fact instanceof PreemptionFact.BudgetDeleted deleted) {
            podDisruptionBudgetIndex.remove(deleted.uid());
        } else {
            throw new IllegalStateException("unknown fact (%s)".formatted(fact));
        }
    }

    @Override
    public boolean ignoresPlainPods() {
        return nominationReconciler.isEmpty() && denials.isEmpty();
    }

    @Override
    public void onPodUpsert(Optional<Pod> before, Pod pod, Optional<HoldId> usedHold, Handle handle) {
        nominationReconciler.onPodUpsert(before, pod, handle);
    }

    @Override
    public void onPodDelete(Pod pod, Optional<HoldId> usedHold, Handle handle) {
        nominationReconciler.onPodDelete(pod, handle);
    }

    @Override
    public void onRequestUpsert(PreemptingRequest request, Handle handle) {
        nominationReconciler.onRequestUpsert(request.pod(), handle);
    }

    @Override
    public void onRequestEnd(PodUid request, Handle handle) {
        nominationReconciler.onRequestEnd(request, handle);
    }

    @Override
    public Optional<HoldId> findHoldFor(PodUid request) {
        return nominations.find(request).map(Nomination::holdId);
    }

    @Override
    public void onHoldEnded(Hold hold, EndReason reason, Handle handle) {
        nominationReconciler.onHoldEnded(hold, handle);
    }

    @Override
    public void onWriteResult(Effect.Write write, WriteResult writeResult, Handle handle) {
        nominationReconciler.onEvictionResult((PreemptionWrite) write, writeResult, handle);
    }

    @Override
    public void onOtherWriteResult(Effect.Write write, WriteResult writeResult, Handle handle) {
        if (write instanceof SetNominatedNode nominatedNode) {
            nominationReconciler.onNominatedNodeResult(nominatedNode, writeResult, handle);
        }
    }

    @Override
    public void reconcile(Handle handle) {
        nominationReconciler.reconcile(handle);
    }

    @Override
    public int retryingWrites() {
        return nominationReconciler.retryingWrites();
    }

    @Override
    public Optional<Instant> nextWake() {
        return nominationReconciler.nextWake();
    }

    @Override
    public PostFilterResult postFilter(Pod pod, Placement.Refused refusal, Handle handle) {
        if (refusal.nodes() == 0) {
            return PostFilterResult.NONE;
        }
        boolean leaving = nominationReconciler.victimsAreLeaving(pod, handle);
        if (!isEnabledFor(pod, handle)) {
            return leaving ? PostFilterResult.NONE : abandonPreemption(pod, "", handle);
        }
        attempts++;
        if (!pod.mayPreempt()) {
            if (!leaving) {
                nominationReconciler.endButKeepNominatedNode(pod, handle);
            }
            return PostFilterResult.impossible("preemption: not eligible due to preemptionPolicy=Never.");
        }
        if (refusal.preFilterMessage().isPresent()) {
            return abandonPreemption(pod, VictimSearch.noCandidatesMessage(refusal.nodes(), 0), handle);
        }
        if (leaving) {
            return PostFilterResult.impossible(
                    "preemption: not eligible due to a terminating pod on the nominated node.");
        }
        OptionalInt lowest = handle.ledger().lowestPriority();
        boolean noVictimPossible =
                refusal.resolvableNodes() == 0 || lowest.isEmpty() || lowest.getAsInt() >= pod.priority();
        if (noVictimPossible && !nominations.mayYieldTo(pod)) {
            return abandonPreemption(
                    pod, VictimSearch.noCandidatesMessage(refusal.nodes(), refusal.resolvableNodes()), handle);
        }
        return preempt(pod, handle);
    }

    /** A profile configures preemption by pods. A door configures preemption by its placement requests. */
    private boolean isEnabledFor(Pod pod, Handle handle) {
        return handle.findPreemptingRequest(pod.uid()).isPresent()
                || profiles.get(pod.schedulerName())
                        .preemptionAndVolumeSettings()
                        .preemptionEnabled();
    }

    private boolean isDenied(Pod pod) {
        return denials.message(pod.uid(), PreemptionDenials.DeniedAction.NOMINATION)
                        .isPresent()
                || !denials.victimsOfExhaustedAttempts(pod.uid()).isEmpty();
    }

    private Optional<PreemptionCandidate> findCandidateOn(NodeState node, Pod pod, Handle handle) {
        return pod.mayPreempt() && !isDenied(pod)
                ? newVictimSearch(pod, Optional.empty(), handle).findOn(node)
                : Optional.empty();
    }

    private PostFilterResult preempt(Pod pod, Handle handle) {
        Optional<String> denied = denials.message(pod.uid(), PreemptionDenials.DeniedAction.NOMINATION);
        if (denied.isPresent()) {
            denials.addWaitingPreemptor(pod.uid());
            return abandonPreemption(
                    pod, "preemption: no node could be nominated: %s.".formatted(denied.get()), handle);
        }
        Set<PodUid> exhausted = denials.victimsOfExhaustedAttempts(pod.uid());
        if (!exhausted.isEmpty()) {
            denials.addWaitingPreemptor(pod.uid());
            return abandonPreemption(
                    pod,
                    "preemption: Berth deletes no more victims for now." + deniedEvictionsMessage(exhausted, handle),
                    handle);
        }
        VictimSearch search = newVictimSearch(pod, findCached(pod, handle), handle);
        Optional<PreemptionCandidate> best = search.findBest();
        if (best.isEmpty()) {
            if (search.isDenied()) {
                denials.addWaitingPreemptor(pod.uid());
            }
            return new PostFilterResult(
                    false, abandonPreemption(pod, search.message(), handle).message(), search.resolvingEvents());
        }
        nominationReconciler.nominate(pod, best.get(), handle);
        return PostFilterResult.POSSIBLE_NOW;
    }

    private String deniedEvictionsMessage(Set<PodUid> victims, Handle handle) {
        return denials.describe(victims.stream()
                .flatMap(uid -> handle.ledger().pod(uid).stream())
                .filter(denials::isEvictionDenied)
                .toList());
    }

    /** The nominated node, if there is one, does not help the pod any more. */
    private PostFilterResult abandonPreemption(Pod pod, String message, Handle handle) {
        nominationReconciler.abandon(pod, handle);
        return PostFilterResult.impossible(message);
    }

    /** While the pod's victims leave, no other pod has to be evicted for it. */
    @Override
    public PostFilterResult previewPostFilter(NodeState node, Pod pod, Handle handle) {
        boolean waits = nominations
                .find(pod.uid())
                .filter(own -> !own.areVictimsGone(handle.ledger()))
                .isPresent();
        if (waits || isDenied(pod) || !pod.mayPreempt() || !isEnabledFor(pod, handle)) {
            return PostFilterResult.NONE;
        }
        return newVictimSearch(pod, Optional.empty(), handle).evaluateNode(node);
    }

    VictimSearch newVictimSearch(Pod pod, Optional<CandidateCache.CachedCandidates> cachedCandidates, Handle handle) {
        return new VictimSearch(
                handle,
                new VictimSearch.EvictionRules(podDisruptionBudgetIndex, nominations, denials),
                pod,
                cachedCandidates);
    }

    /** The candidates of equivalent pods. Not used where default constraints apply: then pods on other nodes count too. */
    Optional<CandidateCache.CachedCandidates> findCached(Pod pod, Handle handle) {
        return nominations.find(pod.uid()).isPresent()
                        || profiles.get(pod.schedulerName()).spreadDefaults().hasRequired()
                ? Optional.empty()
                : candidateCache.find(
                        pod,
                        handle.findPreemptingRequest(pod.uid()).isPresent(),
                        handle.ledger(),
                        podDisruptionBudgetIndex,
                        denials.generation());
    }
}
