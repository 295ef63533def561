package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.text.ForeignText;
import dev.berth.core.text.NameList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;

/**
 * What the API server denied about pods, as by a missing right or a webhook that protects them, until it may be asked
 * again. A pod that has met with it often, or while other victims were deleted for nothing, makes no more room for itself meanwhile.
 */
final class PreemptionDenials {
    /** How many may be asked to go in vain for one pod. */
    private static final int MAX_ATTEMPTS = 3;

    private static final int MAX_NAMED = 3;
    private static final int MAX_MESSAGE_LENGTH = 300;

    /** What was denied. */
    enum DeniedAction {
        /** To say on the pod which node is cleared for it. */
        NOMINATION,
        /** To mark or to delete it. */
        EVICTION
    }

    private record Denial(DeniedAction action, String message) {}

    /**
     * Tries that came to nothing.
     *
     * @param victims who was to go, whether they did or not
     */
    private record FailedAttempts(int count, Set<PodUid> victims) {}

    private final Map<PodUid, Denial> denials = new TreeMap<>();
    /** Pods that would have been helped if it were otherwise. */
    private final Set<PodUid> waitingPreemptors = new TreeSet<>();
    /** By those for whom room was to be made. */
    private final Map<PodUid, FailedAttempts> failedAttempts = new TreeMap<>();

    private long generation;

    boolean isEmpty() {
        return denials.isEmpty();
    }

    /** Grows with every change. */
    long generation() {
        return generation;
    }

    void add(PodUid pod, DeniedAction deniedAction, String words) {
        generation++;
        denials.put(pod, new Denial(deniedAction, ForeignText.truncate(words, MAX_MESSAGE_LENGTH)));
    }

    /** A node was to be cleared of these for the pod, and one of them stayed; of several, others may be gone by now. */
    void recordFailedAttempt(PodUid pod, Set<PodUid> victims) {
        FailedAttempts before = failedAttempts.getOrDefault(pod, new FailedAttempts(0, Set.of()));
        Set<PodUid> asked = new TreeSet<>(before.victims);
        asked.addAll(victims);
        failedAttempts.put(pod, new FailedAttempts(victims.size() > 1 ? MAX_ATTEMPTS : before.count + 1, asked));
    }

    /** Who was asked to go for the pod, where that is enough for a while; else nobody. */
    Set<PodUid> victimsOfExhaustedAttempts(PodUid pod) {
        FailedAttempts known = failedAttempts.get(pod);
        return known != null && known.count >= MAX_ATTEMPTS ? known.victims : Set.of();
    }

    /** The words by which it was denied; empty when nothing speaks against another try. */
    Optional<String> message(PodUid pod, DeniedAction deniedAction) {
        return Optional.ofNullable(denials.get(pod))
                .filter(denial -> denial.action == deniedAction)
                .map(Denial::message);
    }

    /** Whether the pod stays where it is, whoever wants its room. */
    boolean isEvictionDenied(Pod pod) {
        return !denials.isEmpty()
                && !pod.terminating()
                && message(pod.uid(), DeniedAction.EVICTION).isPresent();
    }

    /** Says who stays and by whose words, as a sentence; empty for nobody. */
    String describe(Collection<Pod> staying) {
        if (staying.isEmpty()) {
            return "";
        }
        List<String> each = staying.stream()
                .map(pod -> "%s (%s)"
                        .formatted(
                                pod, message(pod.uid(), DeniedAction.EVICTION).orElse("")))
                .sorted()
                .toList();
        return " Sending away was denied: %s.".formatted(NameList.first(MAX_NAMED, each));
    }

    /** The pod is to be told as soon as something denied may be tried again. */
    void addWaitingPreemptor(PodUid pod) {
        waitingPreemptors.add(pod);
    }

    /** Its going is news of itself to those who wait. */
    void onPodDelete(PodUid pod) {
        waitingPreemptors.remove(pod);
        failedAttempts.remove(pod);
        if (denials.remove(pod) != null) {
            generation++;
        }
        if (denials.isEmpty()) {
            waitingPreemptors.clear();
            failedAttempts.clear();
        }
    }

    /**
     * Forgets what may be asked again.
     *
     * @return the pods that waited for that
     */
    Set<PodUid> dropLifted(BiPredicate<PodUid, DeniedAction> denied) {
        boolean fewer = denials.entrySet().removeIf(entry -> !denied.test(entry.getKey(), entry.getValue().action));
        return fewer ? releaseWaiting() : Set.of();
    }

    private Set<PodUid> releaseWaiting() {
        generation++;
        Set<PodUid> released = new TreeSet<>(waitingPreemptors);
        waitingPreemptors.clear();
        failedAttempts.clear();
        return released;
    }
}
