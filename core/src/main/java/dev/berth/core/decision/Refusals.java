package dev.berth.core.decision;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Has those who were refused wait for what can help them. */
final class Refusals {
    private final Office office;
    private final Seekers seekers;

    Refusals(Office office, Seekers seekers) {
        this.office = office;
        this.seekers = seekers;
    }

    /** The pod is asked for when something happened: it may have changed since it was refused. */
    void await(Pod pod, Placement.Refused refused, HoldUse use, Instant now) {
        PodUid uid = pod.uid();
        RefusalRemedy remedy = new RefusalRemedy(
                uid,
                refused.hints(),
                node -> waiting(uid)
                        .map(it -> office.placer().vetoes(it, node, use))
                        .orElse(List.of()));
        office.queue().refused(uid, remedy, now);
    }

    private Optional<Pod> waiting(PodUid uid) {
        return seekers.find(uid).or(() -> office.ledger().pod(uid));
    }
}
