package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;

/**
 * What the API server denied about pods, as by a missing right or a webhook that protects them, until it may be asked
 * again. A pod that has met with it often, or while other victims were deleted for nothing, makes no more room for itself meanwhile.
 */
final class Denials {
    /** How many may be asked to go in vain for one pod. */
    private static final int MOST_TRIES = 3;

    private static final int MOST_NAMED = 3;
    private static final int LONGEST_WORDS = 300;

    /** What was denied. */
    enum Act {
        /** To say on the pod which node is cleared for it. */
        NOMINATION,
        /** To mark or to delete it. */
        EVICTION
    }

    private record Denial(Act act, String words) {}

    /**
     * Tries that came to nothing.
     *
     * @param asked who was to go, whether they did or not
     */
    private record Vain(int tries, Set<PodUid> asked) {}

    private final Map<PodUid, Denial> denials = new TreeMap<>();
    /** Pods that would have been helped if it were otherwise. */
    private final Set<PodUid> waiting = new TreeSet<>();
    /** By those for whom room was to be made. */
    private final Map<PodUid, Vain> vain = new TreeMap<>();

    private long generation;

    boolean isEmpty() {
        return denials.isEmpty();
    }

    /** Grows with every change. */
    long generation() {
        return generation;
    }

    void add(PodUid pod, Act act, String words) {
        generation++;
        String shown = words.length() <= LONGEST_WORDS ? words : words.substring(0, LONGEST_WORDS) + "...";
        denials.put(pod, new Denial(act, shown));
    }

    /** A node was to be cleared of these for the pod, and one of them stayed; of several, others may be gone by now. */
    void inVain(PodUid pod, Set<PodUid> victims) {
        Vain before = vain.getOrDefault(pod, new Vain(0, Set.of()));
        Set<PodUid> asked = new TreeSet<>(before.asked);
        asked.addAll(victims);
        vain.put(pod, new Vain(victims.size() > 1 ? MOST_TRIES : before.tries + 1, asked));
    }

    /** Who was asked to go for the pod, where that is enough for a while; else nobody. */
    Set<PodUid> enoughFor(PodUid pod) {
        Vain known = vain.get(pod);
        return known != null && known.tries >= MOST_TRIES ? known.asked : Set.of();
    }

    /** The words by which it was denied; empty when nothing speaks against another try. */
    Optional<String> words(PodUid pod, Act act) {
        return Optional.ofNullable(denials.get(pod))
                .filter(denial -> denial.act == act)
                .map(Denial::words);
    }

    /** Whether the pod stays where it is, whoever wants its room. */
    boolean keep(Pod pod) {
        return !denials.isEmpty()
                && !pod.terminating()
                && words(pod.uid(), Act.EVICTION).isPresent();
    }

    /** Says who stays and by whose words, as a sentence; empty for nobody. */
    String sentence(Collection<Pod> staying) {
        if (staying.isEmpty()) {
            return "";
        }
        List<String> each = staying.stream()
                .map(pod ->
                        "%s (%s)".formatted(pod, words(pod.uid(), Act.EVICTION).orElse("")))
                .sorted()
                .toList();
        String more = each.size() > MOST_NAMED ? " and %d more".formatted(each.size() - MOST_NAMED) : "";
        return " Sending away was denied: %s%s."
                .formatted(each.stream().limit(MOST_NAMED).collect(Collectors.joining(", ")), more);
    }

    /** The pod is to be told as soon as something denied may be tried again. */
    void await(PodUid pod) {
        waiting.add(pod);
    }

    /** Its going is news of itself to those who wait. */
    void gone(PodUid pod) {
        waiting.remove(pod);
        vain.remove(pod);
        if (denials.remove(pod) != null) {
            generation++;
        }
        if (denials.isEmpty()) {
            waiting.clear();
            vain.clear();
        }
    }

    /**
     * Forgets what may be asked again.
     *
     * @return the pods that waited for that
     */
    Set<PodUid> review(BiPredicate<PodUid, Act> denied) {
        boolean fewer = denials.entrySet().removeIf(entry -> !denied.test(entry.getKey(), entry.getValue().act));
        return fewer ? released() : Set.of();
    }

    private Set<PodUid> released() {
        generation++;
        Set<PodUid> released = new TreeSet<>(waiting);
        waiting.clear();
        vain.clear();
        return released;
    }
}
