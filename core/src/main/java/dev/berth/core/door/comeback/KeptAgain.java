package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.door.comeback.PlaceId.PodKey;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;

/** Which places a process that starts would keep although they are over or taken, if no reservation told it so. */
final class KeptAgain {
    private final KeptIndex index;
    private final Petitions petitions;
    private final Checkpoint checkpoint;
    private final Duration usual;

    KeptAgain(KeptIndex index, Petitions petitions, Checkpoint checkpoint, Duration usual) {
        this.index = index;
        this.petitions = petitions;
        this.checkpoint = checkpoint;
        this.usual = usual;
    }

    /** Until when it would keep the place of a pod that is still there. */
    Instant until(Placeholder seen, Desk desk) {
        return seen.pod()
                .flatMap(desk.ledger()::pod)
                .flatMap(pod -> pod.deletion().map(at -> at.plus(petitions.lifetime(pod))))
                .orElse(Instant.MIN);
    }

    /**
     * Whether the reservation keeps it from that: from keeping the place of the pod that left, or that which this pod had
     * taken itself.
     *
     * @param checkpointed whether the checkpoint would bring the place of a pod back
     */
    boolean isPrevented(KeptEntry entry, Predicate<PodUid> checkpointed, Desk desk) {
        Placeholder seen = entry.seen;
        Predicate<PodUid> isThere = pod -> desk.ledger()
                .pod(pod)
                .filter(it -> it.terminating() && isKept(it, entry, desk.now()))
                .isPresent();
        Predicate<PodUid> leaves = checkpointed.or(isThere);
        return seen.pod().filter(leaves).isPresent()
                || seen.takenFrom()
                        .filter(pod -> isUnmarked(pod) || leaves.test(pod.uid()))
                        .isPresent();
    }

    /** The place of a pod that finished is kept for the rest of its time only, as a process that starts counts it. */
    private boolean isKept(Pod pod, KeptEntry entry, Instant now) {
        return (pod.phase().terminal() && pod.deletion().isPresent())
                ? !petitions.remaining(pod, now).isZero()
                : !entry.isLate(usual, now);
    }

    /** Whether a process that knows of no taker would keep the place that the pod left. */
    boolean isPossible(PodKey podKey) {
        return isUnmarked(podKey) || checkpoint.has(podKey.uid());
    }

    /** Whether a reservation of the pod is there and does not say that it was taken. */
    private boolean isUnmarked(PodKey podKey) {
        return index.ofPod(podKey)
                .filter(entry -> !entry.seen.matched() && !entry.seen.terminating())
                .isPresent();
    }
}
