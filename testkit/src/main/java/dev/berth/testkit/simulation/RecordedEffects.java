package dev.berth.testkit.simulation;

import dev.berth.core.cluster.PodUid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What all Berths of a simulation did so far, those that were killed too. */
final class RecordedEffects {
    private final List<String> messages = new ArrayList<>();
    private final Map<PodUid, Integer> bindCounts = new TreeMap<>();
    private final Map<PodUid, Set<PodUid>> victims = new TreeMap<>();
    private final Set<PodUid> unschedulablePods = new TreeSet<>();
    private final List<String> events = new ArrayList<>();
    private final Map<PodUid, Map<String, String>> bindAnnotations = new TreeMap<>();

    void recordMessage(String words) {
        messages.add(words);
    }

    /** A Berth sends an event, whether it arrives or not. */
    void recordEvent(String words) {
        events.add(words);
    }

    List<String> events() {
        return List.copyOf(events);
    }

    /** The API server has taken the condition that says why the pod has no place. */
    void recordUnschedulable(PodUid pod) {
        unschedulablePods.add(pod);
    }

    /** The pods whose conditions say, or have said, why they have no place. */
    Set<PodUid> podsMarkedUnschedulable() {
        return Set.copyOf(unschedulablePods);
    }

    /** The API server has bound the pod, with these records of the holds and devices that it uses. */
    void recordBind(PodUid pod, Map<String, String> annotations) {
        bindCounts.merge(pod, 1, Integer::sum);
        bindAnnotations.put(pod, Map.copyOf(annotations));
    }

    Map<PodUid, Map<String, String>> bindAnnotations() {
        return Map.copyOf(bindAnnotations);
    }

    /** What was said on pods' conditions and in events, in the order of saying. */
    List<String> messages() {
        return List.copyOf(messages);
    }

    /** The API server has taken the deletion of a pod for the sake of another. */
    void recordVictim(PodUid victim, PodUid by) {
        victims.computeIfAbsent(by, any -> new TreeSet<>()).add(victim);
    }

    /** Who was sent away for whom. */
    Map<PodUid, Set<PodUid>> victims() {
        return Map.copyOf(victims);
    }

    List<PodUid> podsBoundTwice() {
        return bindCounts.entrySet().stream()
                .filter(entry -> entry.getValue() > 1)
                .map(Map.Entry::getKey)
                .toList();
    }
}
