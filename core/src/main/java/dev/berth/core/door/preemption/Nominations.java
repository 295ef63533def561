package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.HoldId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The nodes that are being cleared, by the pods that they are cleared for. */
final class Nominations {
    private final Map<PodUid, Nomination> byPod = new TreeMap<>();

    boolean isEmpty() {
        return byPod.isEmpty();
    }

    Optional<Nomination> of(PodUid pod) {
        return Optional.ofNullable(byPod.get(pod));
    }

    void put(Nomination nomination) {
        byPod.put(nomination.pod().uid(), nomination);
    }

    Optional<Nomination> remove(PodUid pod) {
        return Optional.ofNullable(byPod.remove(pod));
    }

    List<Nomination> all() {
        return List.copyOf(byPod.values());
    }

    /** Whether some pod of less priority than this one has a nomination, or the pod itself. */
    boolean concern(Pod pod) {
        return byPod.containsKey(pod.uid())
                || byPod.values().stream()
                        .anyMatch(nomination -> nomination.pod().priority() < pod.priority());
    }

    /** All whose room is being cleared. */
    Set<PodUid> victims() {
        Set<PodUid> victims = new HashSet<>();
        byPod.values().forEach(nomination -> victims.addAll(nomination.victims()));
        return victims;
    }

    /** Those on the node for pods of less priority. */
    List<Nomination> below(Pod pod, String node) {
        List<Nomination> below = new ArrayList<>();
        for (Nomination nomination : byPod.values()) {
            if (nomination.node().equals(node) && nomination.pod().priority() < pod.priority()) {
                below.add(nomination);
            }
        }
        return below;
    }

    /** The holds on the node that do not stand in the pod's way: its own, and those for pods of less priority. */
    Set<HoldId> yieldingTo(Pod pod, String node) {
        Set<HoldId> yielding = new HashSet<>();
        below(pod, node).forEach(nomination -> yielding.add(nomination.hold()));
        of(pod.uid()).filter(own -> own.node().equals(node)).ifPresent(own -> yielding.add(own.hold()));
        return yielding;
    }
}
