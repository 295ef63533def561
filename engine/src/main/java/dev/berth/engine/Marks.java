package dev.berth.engine;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Effect;
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
    public void putOff(Report report) {
        putOff.put(pod(report), report);
    }

    /** What the server was too busy for is written later, unless there is a newer one by then. */
    @Override
    public void resume(Report report) {
        putOff.remove(pod(report));
        next.putIfAbsent(pod(report), report);
        ended(report);
    }

    @Override
    public void ended(Report report) {
        busy.remove(pod(report));
        Optional.ofNullable(next.remove(pod(report))).ifPresent(this::add);
    }

    @Override
    public int size() {
        return ready.size() + putOff.size() + next.size();
    }

    private static PodUid pod(Report report) {
        return ((Effect.MarkUnscheduled) report.effect()).pod().uid();
    }
}
