package dev.berth.kubernetes.effects;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.kubernetes.informer.PodObserver;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.ObservedPod.UnscheduledCondition;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The PodScheduled conditions of unschedulable pods, so that an equal condition is not written again. Safe from any
 * thread.
 */
public final class ConditionDeduplicator implements PodObserver {
    private record ObservedCondition(long generation, Optional<UnscheduledCondition> unscheduledCondition) {
        private static final ObservedCondition NONE = new ObservedCondition(0, Optional.empty());
    }

    private final Map<PodUid, ObservedCondition> conditionsByPod = new ConcurrentHashMap<>();

    @Override
    public void onUpsert(ObservedPod observed) {
        Pod pod = observed.pod();
        if (pod.nodeName().isPresent() || pod.phase().isTerminal()) {
            conditionsByPod.remove(pod.uid());
        } else {
            conditionsByPod.put(
                    pod.uid(), new ObservedCondition(observed.generation(), observed.unscheduledCondition()));
        }
    }

    @Override
    public void onDelete(PodUid uid) {
        conditionsByPod.remove(uid);
    }

    /** Whether the pod's status has the same condition. */
    boolean isAlreadyWritten(Effect.MarkUnscheduled mark) {
        return observed(mark)
                .unscheduledCondition
                .filter(condition -> condition.reason().equals(mark.reason().text())
                        && condition.message().equals(mark.message()))
                .isPresent();
    }

    long generation(Effect.MarkUnscheduled mark) {
        return observed(mark).generation;
    }

    /** Since when the pod has been unscheduled. A different reason does not change that. */
    Instant lastTransition(Effect.MarkUnscheduled mark, Instant now) {
        return observed(mark)
                .unscheduledCondition
                .map(condition -> Instant.ofEpochMilli(condition.lastTransitionMillis()))
                .orElse(now);
    }

    /** The condition was written; the watch will show it later. */
    void recordWritten(Effect.MarkUnscheduled mark, Instant since) {
        UnscheduledCondition condition =
                new UnscheduledCondition(mark.reason().text(), mark.message(), since.toEpochMilli());
        conditionsByPod.computeIfPresent(
                mark.pod().uid(),
                (uid, observed) -> new ObservedCondition(observed.generation, Optional.of(condition)));
    }

    private ObservedCondition observed(Effect.MarkUnscheduled mark) {
        return conditionsByPod.getOrDefault(mark.pod().uid(), ObservedCondition.NONE);
    }
}
