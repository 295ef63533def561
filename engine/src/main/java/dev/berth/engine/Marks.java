package dev.berth.engine;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Effect;
import dev.berth.core.reconcile.Policy;
import dev.berth.engine.Reports.Report;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The conditions that are to be written: of each pod the newest alone, and never two at once, so that an older one can
 * neither overtake nor outlive a newer. Bounded by the number of pods.
 */
final class Marks implements Reports.Line {
    private final Map<PodUid, Report> ready = new LinkedHashMap<>();
    /** Pods of which one is on its way or put off. */
    private final Set<PodUid> busy = new HashSet<>();

    private final Map<PodUid, Report> putOff = new HashMap<>();
    /** Busy pods whose latest was denied. */
    private final Set<PodUid> denied = new HashSet<>();
    /** The newest of busy pods. */
    private final Map<PodUid, Report> next = new HashMap<>();

    @Override
    public void add(Report report) {
        (busy.contains(pod(report)) ? next : ready).put(pod(report), report);
    }

    @Override
    public Optional<Report> first() {
        return ready.values().stream().findFirst();
    }

    @Override
    public void sent(Report report) {
        ready.remove(pod(report));
        busy.add(pod(report));
    }

    @Override
    public Policy policy() {
        return Policy.CONDITION;
    }

    /** There are never more than pods, so that none need be given up. */
    @Override
    public boolean givesUp() {
        return false;
    }

    /** A newer one, which would be denied as well, waits with it. */
    @Override
    public void deny(Report report) {
        denied.add(pod(report));
    }

    @Override
    public void putOff(Report report) {
        putOff.put(pod(report), report);
    }

    /** What the server was too busy for is written later, unless there is a newer one by then. */
    @Override
    public void resume(Report report) {
        putOff.remove(pod(report));
        denied.remove(pod(report));
        next.merge(pod(report), report, (newer, older) -> newer.after(older));
        ended(report);
    }

    @Override
    public void ended(Report report) {
        busy.remove(pod(report));
        Optional.ofNullable(next.remove(pod(report))).ifPresent(this::add);
    }

    @Override
    public int size() {
        long waiting = denied.isEmpty()
                ? next.size()
                : next.keySet().stream().filter(pod -> !denied.contains(pod)).count();
        return ready.size() + putOff.size() + (int) waiting;
    }

    private static PodUid pod(Report report) {
        return ((Effect.MarkUnscheduled) report.effect()).pod().uid();
    }
}
