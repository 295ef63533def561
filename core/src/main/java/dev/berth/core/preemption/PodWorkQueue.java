package dev.berth.core.preemption;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.framework.Handle;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A work queue of pods that changed. A round processes the pods that were queued before it started, sorted by UID. Pods
 * for which the turn has no time come first in the next turn.
 */
final class PodWorkQueue {
    private final TreeSet<PodUid> queued = new TreeSet<>();
    private final LinkedHashSet<PodUid> round = new LinkedHashSet<>();

    void add(PodUid pod) {
        queued.add(pod);
    }

    void addAll(Collection<PodUid> pods) {
        queued.addAll(pods);
    }

    void remove(PodUid pod) {
        queued.remove(pod);
        round.remove(pod);
    }

    /** Whether the last round is complete. */
    boolean isRoundComplete() {
        return round.isEmpty();
    }

    /** Processes each pod once, at least one of them, as far as the turn has time. */
    void process(Handle handle, Consumer<PodUid> look) {
        round.addAll(queued);
        queued.clear();
        while (!round.isEmpty()) {
            Iterator<PodUid> first = round.iterator();
            PodUid pod = first.next();
            first.remove();
            look.accept(pod);
            if (!round.isEmpty() && handle.isOutOfTime()) {
                return;
            }
        }
    }
}
