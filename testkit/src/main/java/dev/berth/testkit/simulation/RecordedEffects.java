package dev.berth.testkit.simulation;

import dev.berth.core.cluster.PodUid;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The effects of all Berths of a simulation so far, including killed ones. */
final class RecordedEffects {
    private final List<String> messages = new ArrayList<>();
    private final Map<PodUid, Integer> bindCounts = new TreeMap<>();
    private final Map<PodUid, Set<PodUid>> victims = new TreeMap<>();
    private final Set<PodUid> unschedulablePods = new TreeSet<>();
    private final List<String> events = new ArrayList<>();
    private final Map<PodUid, Map<String, String>> bindAnnotations = new TreeMap<>();

    void recordMessage(String message) {
        messages.add(message);
    }

    /** A Berth sends an event, even if it gets lost. */
    void recordEvent(String message) {
        events.add(message);
    }

    List<String> events() {
        return List.copyOf(events);
    }

    /** The API server accepted the condition that says why the pod is unschedulable. */
    void recordUnschedulable(PodUid pod) {
        unschedulablePods.add(pod);
    }

    /** The pods that have or had a condition that they are unschedulable. */
    Set<PodUid> podsMarkedUnschedulable() {
        return Set.copyOf(unschedulablePods);
    }

    /** The API server bound the pod, with these records of holds and devices. */
    void recordBind(PodUid pod, Map<String, String> annotations) {
        bindCounts.merge(pod, 1, Integer::sum);
        bindAnnotations.put(pod, Map.copyOf(annotations));
    }

    Map<PodUid, Map<String, String>> bindAnnotations() {
        return Map.copyOf(bindAnnotations);
    }

    /** The messages of conditions and events, in order. */
    List<String> messages() {
        return List.copyOf(messages);
    }

    /** The API server accepted the eviction of a victim for a preemptor. */
    void recordVictim(PodUid victim, PodUid by) {
        victims.computeIfAbsent(by, any -> new TreeSet<>()).add(victim);
    }

    /** The victims of each preemptor. */
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
