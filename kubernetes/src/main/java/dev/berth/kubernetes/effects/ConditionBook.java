package dev.berth.kubernetes.effects;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Effect;
import dev.berth.kubernetes.feed.PodObserver;
import dev.berth.kubernetes.projection.ObservedPod;
import dev.berth.kubernetes.projection.ObservedPod.Unscheduled;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the status of the pods that wait for a place says about it, so that nothing is written that stands there
 * already. Safe from any thread.
 */
public final class ConditionBook implements PodObserver {
    private record Page(long generation, Optional<Unscheduled> unscheduled) {
        private static final Page BLANK = new Page(0, Optional.empty());
    }

    private final Map<PodUid, Page> pages = new ConcurrentHashMap<>();

    @Override
    public void seen(ObservedPod observed) {
        Pod pod = observed.pod();
        if (pod.nodeName().isPresent() || pod.phase().terminal()) {
            pages.remove(pod.uid());
        } else {
            pages.put(pod.uid(), new Page(observed.generation(), observed.unscheduled()));
        }
    }

    @Override
    public void gone(PodUid uid) {
        pages.remove(uid);
    }

    /** Whether the pod's status says the very same. */
    boolean says(Effect.MarkUnscheduled mark) {
        return page(mark)
                .unscheduled
                .filter(said -> said.reason().equals(mark.reason().word())
                        && said.message().equals(mark.message()))
                .isPresent();
    }

    long generation(Effect.MarkUnscheduled mark) {
        return page(mark).generation;
    }

    /** Since when the pod has been unscheduled: another reason is no change of that. */
    Instant since(Effect.MarkUnscheduled mark, Instant now) {
        return page(mark)
                .unscheduled
                .map(said -> Instant.ofEpochMilli(said.sinceMillis()))
                .orElse(now);
    }

    /** It has been written; the watch will say so too, later. */
    void written(Effect.MarkUnscheduled mark, Instant since) {
        Unscheduled said = new Unscheduled(mark.reason().word(), mark.message(), since.toEpochMilli());
        pages.computeIfPresent(mark.pod().uid(), (uid, page) -> new Page(page.generation, Optional.of(said)));
    }

    private Page page(Effect.MarkUnscheduled mark) {
        return pages.getOrDefault(mark.pod().uid(), Page.BLANK);
    }
}
