package dev.berth.testkit.simulation;

import dev.berth.core.cluster.PodUid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What all Berths of a simulation did so far, those that were killed too. */
final class Journal {
    private final List<String> told = new ArrayList<>();
    private final Map<PodUid, Integer> bound = new TreeMap<>();
    private final Map<PodUid, Set<PodUid>> victims = new TreeMap<>();
    private final Set<PodUid> marked = new TreeSet<>();
    private final List<String> announced = new ArrayList<>();
    private final Map<PodUid, Map<String, String>> records = new TreeMap<>();

    void tell(String words) {
        told.add(words);
    }

    /** A Berth sends an event, whether it arrives or not. */
    void announced(String words) {
        announced.add(words);
    }

    List<String> announced() {
        return List.copyOf(announced);
    }

    /** The API server has taken the condition that says why the pod has no place. */
    void marked(PodUid pod) {
        marked.add(pod);
    }

    /** The pods whose conditions say, or have said, why they have no place. */
    Set<PodUid> marked() {
        return Set.copyOf(marked);
    }

    /** The API server has bound the pod, with these records of the holds and devices that it uses. */
    void bound(PodUid pod, Map<String, String> annotations) {
        bound.merge(pod, 1, Integer::sum);
        records.put(pod, Map.copyOf(annotations));
    }

    Map<PodUid, Map<String, String>> records() {
        return Map.copyOf(records);
    }

    /** What was said on pods' conditions and in events, in the order of saying. */
    List<String> told() {
        return List.copyOf(told);
    }

    /** The API server has taken the deletion of a pod for the sake of another. */
    void sentAway(PodUid victim, PodUid by) {
        victims.computeIfAbsent(by, any -> new TreeSet<>()).add(victim);
    }

    /** Who was sent away for whom. */
    Map<PodUid, Set<PodUid>> victims() {
        return Map.copyOf(victims);
    }

    List<PodUid> boundTwice() {
        return bound.entrySet().stream()
                .filter(entry -> entry.getValue() > 1)
                .map(Map.Entry::getKey)
                .toList();
    }
}
