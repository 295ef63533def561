package dev.berth.core.door.preemption;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The pods that must be looked at because something about them changed. A round takes those that were touched before it, in
 * the order of their UIDs; what a turn has no time for is taken first in the next turn.
 */
final class Agenda {
    private final TreeSet<PodUid> touched = new TreeSet<>();
    private final LinkedHashSet<PodUid> round = new LinkedHashSet<>();

    void touch(PodUid pod) {
        touched.add(pod);
    }

    void touchAll(Collection<PodUid> pods) {
        touched.addAll(pods);
    }

    void remove(PodUid pod) {
        touched.remove(pod);
        round.remove(pod);
    }

    /** Whether the last round was done to its end. */
    boolean isDone() {
        return round.isEmpty();
    }

    /** Looks at each of them once, at least at one, as far as the turn has time. */
    void work(Desk desk, Consumer<PodUid> look) {
        round.addAll(touched);
        touched.clear();
        while (!round.isEmpty()) {
            Iterator<PodUid> first = round.iterator();
            PodUid pod = first.next();
            first.remove();
            look.accept(pod);
            if (!round.isEmpty() && desk.timeIsUp()) {
                return;
            }
        }
    }
}
