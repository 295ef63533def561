package dev.berth.engine;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.reconcile.RetryPolicy;
import dev.berth.engine.ReportDispatcher.Report;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Conditions to write: only the newest one of each pod, and never two at once, so that an older condition never
 * overwrites a newer one. Bounded by the number of pods.
 */
final class ConditionQueue implements ReportDispatcher.ReportQueue {
    private final Map<PodUid, Report> ready = new LinkedHashMap<>();
    /** Pods with a condition in flight or postponed. */
    private final Set<PodUid> busy = new HashSet<>();

    private final Map<PodUid, Report> postponed = new HashMap<>();
    /** Busy pods whose latest condition was denied. */
    private final Set<PodUid> denied = new HashSet<>();
    /** The newest condition of each busy pod. */
    private final Map<PodUid, Report> next = new HashMap<>();

    @Override
    public void add(Report report) {
        (busy.contains(pod(report)) ? next : ready).put(pod(report), report);
    }

    @Override
    public Optional<Report> peek() {
        return ready.values().stream().findFirst();
    }

    @Override
    public void markSent(Report report) {
        ready.remove(pod(report));
        busy.add(pod(report));
    }

    @Override
    public RetryPolicy retryPolicy() {
        return RetryPolicy.CONDITION;
    }

    /** There are never more conditions than pods, so none has to be dropped. */
    @Override
    public boolean mayDrop() {
        return false;
    }

    /** A newer condition waits, too: the API server would deny it as well. */
    @Override
    public void postponeDenied(Report report) {
        denied.add(pod(report));
    }

    @Override
    public void postpone(Report report) {
        postponed.put(pod(report), report);
    }

    /** Sends the postponed condition, or a newer one that has arrived since. */
    @Override
    public void resume(Report report) {
        postponed.remove(pod(report));
        denied.remove(pod(report));
        next.merge(pod(report), report, (newer, older) -> newer.withCountsOf(older));
        complete(report);
    }

    @Override
    public void complete(Report report) {
        busy.remove(pod(report));
        Optional.ofNullable(next.remove(pod(report))).ifPresent(this::add);
    }

    @Override
    public int size() {
        long waiting = denied.isEmpty()
                ? next.size()
                : next.keySet().stream().filter(pod -> !denied.contains(pod)).count();
        return ready.size() + postponed.size() + (int) waiting;
    }

    private static PodUid pod(Report report) {
        return ((Effect.MarkUnscheduled) report.effect()).pod().uid();
    }
}
