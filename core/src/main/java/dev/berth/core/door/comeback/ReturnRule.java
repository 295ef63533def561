package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Desk;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Decides whether a pod leaves a place when it goes: one rule for pods that go and for the checkpoint. A pod that asked
 * leaves one when it is deleted. It leaves none when it ends by itself, or when it goes because of a preemption.
 */
final class ReturnRule {
    /**
     * Schedulers delete a victim right after they mark it. A pod that is deleted later than that, and that backs no
     * nomination, goes for another reason: the preemption came to nothing, and such a mark is not removed at once.
     */
    private static final Duration PROMPT = Duration.ofSeconds(10);

    private final Petitions petitions;
    /** By node, the highest priority of pods that it is nominated for; until their nominations are in the ledger. */
    private final Map<String, Integer> nominated = new HashMap<>();

    ReturnRule(Petitions petitions) {
        this.petitions = petitions;
    }

    /** A pod is listed. Its nomination, if it has one, comes into the ledger after everything was listed. */
    void listed(Pod pod) {
        pod.nominatedNode()
                .filter(node -> pod.waits())
                .ifPresent(node -> nominated.merge(node, pod.priority(), Math::max));
    }

    /** Nominations are in the ledger from now on. */
    void begun() {
        nominated.clear();
    }

    /**
     * Whether the pod, as it looks now, leaves a place when it is gone.
     *
     * @param leaving whether it was deleted before it ended
     */
    boolean leavesPlace(Pod pod, boolean leaving, Instant now) {
        return pod.nodeName().isPresent()
                && petitions.asks(pod)
                && !endedByItself(pod, leaving)
                && !(pod.terminating() && isDeletedByPreemption(pod, now));
    }

    /** @param leaving whether it was deleted before it ended */
    static boolean endedByItself(Pod pod, boolean leaving) {
        return pod.phase().terminal() && !leaving;
    }

    /** In words, why the pod goes because of a preemption; empty where it does not. */
    Optional<String> preemption(Pod pod, Desk desk) {
        Optional<String> nomination = pod.nodeName().flatMap(node -> promised(pod, node, desk));
        if (nomination.isPresent()) {
            return nomination.map("the pod was preempted and its room is kept for %s"::formatted);
        }
        boolean nominatedTo = pod.preempted()
                && pod.terminating()
                && pod.nodeName()
                        .filter(node -> nominated.getOrDefault(node, Integer.MIN_VALUE) > pod.priority())
                        .isPresent();
        return nominatedTo || isDeletedByPreemption(pod, desk.now())
                ? Optional.of("the pod was preempted and its room is for the pod that preempted it")
                : Optional.empty();
    }

    /**
     * The room of a pod that was chosen to make room belongs to the nominated pod, also if a user deletes the pod before
     * the API server shows why it goes.
     */
    private static Optional<String> promised(Pod pod, String node, Desk desk) {
        return desk.ledger().backedBy(pod.uid(), node).stream()
                .filter(id -> !PlaceId.isPlace(id))
                .findFirst()
                .map(id -> Drawn.name(id, desk));
    }

    private static boolean isDeletedByPreemption(Pod pod, Instant now) {
        Instant requested = pod.deletionRequested().orElse(now);
        return pod.preempted()
                && pod.preemptedAt()
                        .filter(marked -> requested.isAfter(marked.plus(PROMPT)))
                        .isEmpty();
    }
}
