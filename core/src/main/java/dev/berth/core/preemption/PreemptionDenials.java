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
 * Writes that the API server denied, because of a missing permission or a webhook that protects pods, until they may be
 * tried again. After several failed attempts, or after one in which other victims were deleted for nothing, a preemptor
 * makes no further attempt until then.
 */
final class PreemptionDenials {
    /** The number of failed attempts after which a preemptor waits. */
    private static final int MAX_ATTEMPTS = 3;

    private static final int MAX_NAMED = 3;
    private static final int MAX_MESSAGE_LENGTH = 300;

    enum DeniedAction {
        /** Writing the nominated node of the pod. */
        NOMINATION,
        /** Writing the condition of the victim, or deleting it. */
        EVICTION
    }

    private record Denial(DeniedAction action, String message) {}

    /**
     * Failed attempts.
     *
     * @param victims the intended victims, deleted or not
     */
    private record FailedAttempts(int count, Set<PodUid> victims) {}

    private final Map<PodUid, Denial> denials = new TreeMap<>();
    /** Preemptors that could have preempted without the denials. */
    private final Set<PodUid> waitingPreemptors = new TreeSet<>();
    /** By preemptor. */
    private final Map<PodUid, FailedAttempts> failedAttempts = new TreeMap<>();

    private long generation;

    boolean isEmpty() {
        return denials.isEmpty();
    }

    /** Grows with every change. */
    long generation() {
        return generation;
    }

    void add(PodUid pod, DeniedAction deniedAction, String message) {
        generation++;
        denials.put(pod, new Denial(deniedAction, ForeignText.truncate(message, MAX_MESSAGE_LENGTH)));
    }

    /**
     * A preemption of these victims failed because one of them could not be evicted; the others may be deleted by now.
     */
    void recordFailedAttempt(PodUid pod, Set<PodUid> victims) {
        FailedAttempts before = failedAttempts.getOrDefault(pod, new FailedAttempts(0, Set.of()));
        Set<PodUid> all = new TreeSet<>(before.victims);
        all.addAll(victims);
        failedAttempts.put(pod, new FailedAttempts(victims.size() > 1 ? MAX_ATTEMPTS : before.count + 1, all));
    }

    /** The victims of failed attempts, if the preemptor must make no further attempt for now; else none. */
    Set<PodUid> victimsOfExhaustedAttempts(PodUid pod) {
        FailedAttempts existing = failedAttempts.get(pod);
        return existing != null && existing.count >= MAX_ATTEMPTS ? existing.victims : Set.of();
    }

    /** The message of the denial; empty if the write may be tried. */
    Optional<String> message(PodUid pod, DeniedAction deniedAction) {
        return Optional.ofNullable(denials.get(pod))
                .filter(denial -> denial.action == deniedAction)
                .map(Denial::message);
    }

    /** Whether the pod cannot be evicted for now. */
    boolean isEvictionDenied(Pod pod) {
        return !denials.isEmpty()
                && !pod.terminating()
                && message(pod.uid(), DeniedAction.EVICTION).isPresent();
    }

    /**
     * A sentence that names the pods that cannot be evicted, with the API server's messages; empty if there are none.
     */
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
        return " The API server denied the deletion: %s.".formatted(NameList.first(MAX_NAMED, each));
    }

    /** The pod is requeued as soon as a denied write may be tried again. */
    void addWaitingPreemptor(PodUid pod) {
        waitingPreemptors.add(pod);
    }

    /** The deletion of the pod is an event of its own, so waiting preemptors need no further notification. */
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
     * Forgets denials of writes that may be tried again.
     *
     * @return the preemptors that waited for that
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
