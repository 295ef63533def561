package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect.PodRef;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.framework.Handle;
import dev.berth.core.preemption.PreemptionWrite.Delete;
import dev.berth.core.preemption.PreemptionWrite.Mark;
import dev.berth.core.reconcile.DesiredWrites;
import dev.berth.core.reconcile.Reconciler;
import dev.berth.core.reconcile.RetryPolicy;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Evicts victims. A victim has one chain of writes, even if several preemptors need it. Nothing is sent for a victim
 * that no preemptor needs any more.
 */
final class Evictions implements DesiredWrites<PodUid, PreemptionWrite> {
    /**
     * The eviction of one victim. All writes name its first preemptor, even if a different pod needs the resources by
     * then.
     */
    private static final class Eviction {
        private final PodRef victim;
        private final Preemptor preemptor;
        private final String node;
        private final Instant since;
        private boolean marked;
        private boolean eventRecorded;

        private Eviction(PodRef victim, Nomination nomination, Instant since) {
            this.victim = victim;
            this.preemptor = nomination.preemptor();
            this.node = nomination.node();
            this.since = since;
        }

        private Delete toDelete() {
            return new Delete(victim, preemptor, node);
        }
    }

    private final Map<PodUid, Eviction> evictions = new HashMap<>();
    private final Reconciler<PodUid, PreemptionWrite> reconciler = new Reconciler<>(this, RetryPolicy.EVICTION);
    /**
     * The number of changes of the labels or annotations of these victims: policies that protect pods usually match
     * them.
     */
    private final Map<PodUid, Integer> metadataChanges = new HashMap<>();

    boolean isEmpty() {
        return evictions.isEmpty() && reconciler.isEmpty();
    }

    /** Starts to evict all victims that do not terminate yet, with the next {@link #reconcile}. */
    void evictVictims(Nomination nomination, Handle handle) {
        for (PodUid uid : new TreeSet<>(nomination.victims())) {
            handle.ledger()
                    .pod(uid)
                    .filter(victim -> !victim.terminating())
                    .ifPresent(victim -> evict(victim, nomination, handle));
        }
    }

    private void evict(Pod victim, Nomination nomination, Handle handle) {
        PodRef ref = new PodRef(
                victim.namespace(),
                victim.name(),
                victim.uid(),
                nomination.pod().schedulerName());
        if (handle.abortBind(
                victim.uid(), "preempted by %s".formatted(nomination.preemptor().target()))) {
            handle.write(new Delete(ref, nomination.preemptor(), nomination.node()).preemptedEvent());
        } else if (!evictions.containsKey(victim.uid())) {
            evictions.put(victim.uid(), new Eviction(ref, nomination, handle.now()));
            reconciler.markDirty(victim.uid());
        }
    }

    /** Sends the next write for every victim, as far as the turn has time. */
    void reconcile(Handle handle) {
        for (PodUid uid : reconciler.due(handle.now())) {
            reconciler.reconcile(uid, handle);
            if (!evictions.containsKey(uid) && !reconciler.isWaiting(uid)) {
                remove(uid);
            }
            if (handle.isOutOfTime()) {
                return;
            }
        }
    }

    int retrying() {
        return reconciler.retryingCount();
    }

    Optional<Instant> nextWake() {
        return reconciler.nextWake();
    }

    /** The result of a {@link Mark} or a {@link Delete}. */
    void onWriteResult(PreemptionWrite write, WriteResult writeResult, Handle handle) {
        reconciler.onResult(write.victim().uid(), write, writeResult, handle);
        Eviction eviction = evictions.get(write.victim().uid());
        if (writeResult.kind() != WriteResult.ResultKind.WRITTEN) {
            return;
        }
        if (write instanceof Delete delete && (eviction == null || !eviction.eventRecorded)) {
            handle.write(delete.preemptedEvent());
        }
        if (eviction != null) {
            eviction.marked = true;
            eviction.eventRecorded |= write instanceof Delete;
        }
    }

    /** The API server's message, while no write for the pod is sent because the last one was denied. */
    Optional<String> denial(PodUid pod) {
        return reconciler.denial(pod);
    }

    void onPodUpsert(Optional<Pod> before, Pod pod) {
        if (isEmpty() || !(evictions.containsKey(pod.uid()) || reconciler.isWaiting(pod.uid()))) {
            return;
        }
        boolean same = before.filter(previous -> previous.labels().equals(pod.labels())
                        && previous.annotations().equals(pod.annotations()))
                .isPresent();
        if (!same) {
            metadataChanges.merge(pod.uid(), 1, Integer::sum);
        }
        reconciler.markDirty(pod.uid());
    }

    void onPodDelete(PodUid pod) {
        evictions.remove(pod);
        remove(pod);
    }

    private void remove(PodUid pod) {
        reconciler.remove(pod);
        metadataChanges.remove(pod);
    }

    /** Forgets victims that no nomination needs any more. Writes in flight and denials stay known. */
    void cancel(Set<PodUid> pods) {
        for (PodUid pod : pods) {
            if (evictions.remove(pod) != null) {
                reconciler.markDirty(pod);
            }
        }
    }

    @Override
    public String observedVersion(PodUid pod) {
        return "labels " + metadataChanges.getOrDefault(pod, 0);
    }

    /** The condition is written before the pod is deleted. */
    @Override
    public Optional<PreemptionWrite> desiredWrite(PodUid uid, Handle handle) {
        Eviction eviction = evictions.get(uid);
        Optional<Pod> victim = handle.ledger().pod(uid).filter(pod -> !pod.terminating());
        if (eviction == null || victim.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                eviction.marked || victim.get().preempted()
                        ? eviction.toDelete()
                        : new Mark(eviction.victim, eviction.preemptor, eviction.since));
    }

    /** Events about denied evictions are on the preemptor. */
    @Override
    public EventTarget eventTarget(PreemptionWrite write) {
        return write.preemptor().target();
    }

    @Override
    public String denialConsequence(PreemptionWrite write) {
        return "Preemption failed: pod %s could not be deleted.".formatted(write.victim());
    }
}
