package dev.berth.core.door.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.hold.HoldId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that are being cleared, by the pods that they are cleared for, with those that must be looked at again: their
 * pod, their node or one of their victims changed, or what was written of them was answered.
 */
final class Nominations {
    private final Map<PodUid, Nomination> byPod = new HashMap<>();
    private final Map<String, SortedSet<PodUid>> byNode = new HashMap<>();
    private final Map<PodUid, SortedSet<PodUid>> byVictim = new HashMap<>();
    /** How many pods of each priority have one. */
    private final TreeMap<Integer, Integer> priorities = new TreeMap<>();

    private final Agenda agenda = new Agenda();
    /** Victims that some nomination no longer needs to go. */
    private final Set<PodUid> spared = new HashSet<>();

    boolean isEmpty() {
        return byPod.isEmpty();
    }

    Optional<Nomination> of(PodUid pod) {
        return Optional.ofNullable(byPod.get(pod));
    }

    void put(Nomination nomination) {
        PodUid pod = nomination.pod().uid();
        remove(pod);
        byPod.put(pod, nomination);
        add(byNode, nomination.node(), pod);
        nomination.victims().forEach(victim -> add(byVictim, victim, pod));
        priorities.merge(nomination.pod().priority(), 1, Integer::sum);
        agenda.touch(pod);
    }

    Optional<Nomination> remove(PodUid pod) {
        @Nullable Nomination known = byPod.remove(pod);
        if (known == null) {
            return Optional.empty();
        }
        take(byNode, known.node(), pod);
        known.victims().forEach(victim -> take(byVictim, victim, pod));
        spared.addAll(known.victims());
        priorities.computeIfPresent(known.pod().priority(), (same, count) -> count == 1 ? null : count - 1);
        agenda.remove(pod);
        return Optional.of(known);
    }

    /**
     * Lets those victims stay that need not go any more.
     *
     * @return whether there were any
     */
    boolean spare(Nomination nomination, Predicate<PodUid> victims) {
        Set<PodUid> before = nomination.victims();
        if (!nomination.spare(victims)) {
            return false;
        }
        for (PodUid victim : before) {
            if (!nomination.victims().contains(victim)) {
                take(byVictim, victim, nomination.pod().uid());
                spared.add(victim);
            }
        }
        return true;
    }

    /** Victims that no nomination needs to go any more, since this was last asked. */
    Set<PodUid> takeSpared() {
        spared.removeIf(byVictim::containsKey);
        Set<PodUid> taken = Set.copyOf(spared);
        spared.clear();
        return taken;
    }

    /** Something about the pod changed: its own nomination and those that it is a victim of must be looked at. */
    void touch(PodUid pod) {
        if (byPod.containsKey(pod)) {
            agenda.touch(pod);
        }
        agenda.touchAll(byVictim.getOrDefault(pod, new TreeSet<>()));
    }

    /** @param nodes which changed; empty when all may have */
    void touchOn(Optional<Set<String>> nodes) {
        if (nodes.isEmpty()) {
            agenda.touchAll(byPod.keySet());
            return;
        }
        for (String node : nodes.get()) {
            agenda.touchAll(byNode.getOrDefault(node, new TreeSet<>()));
        }
    }

    /** Looks at those that must be looked at, as far as the turn has time. */
    void work(Desk desk, Consumer<Nomination> look) {
        agenda.work(desk, pod -> of(pod).ifPresent(look));
    }

    /** Those that the pod is a victim of. */
    List<Nomination> withVictim(PodUid pod) {
        return find(byVictim.getOrDefault(pod, new TreeSet<>()));
    }

    /** Whether some pod of less priority than this one has a nomination, or the pod itself. */
    boolean concern(Pod pod) {
        return byPod.containsKey(pod.uid()) || (!priorities.isEmpty() && priorities.firstKey() < pod.priority());
    }

    /** Those on the node for pods of less priority. */
    List<Nomination> below(Pod pod, String node) {
        List<Nomination> there = find(byNode.getOrDefault(node, new TreeSet<>()));
        there.removeIf(nomination -> nomination.pod().priority() >= pod.priority());
        return there;
    }

    /** The holds on the node that do not stand in the pod's way: its own, and those for pods of less priority. */
    Set<HoldId> yieldingTo(Pod pod, String node) {
        Set<HoldId> yielding = new HashSet<>();
        below(pod, node).forEach(nomination -> yielding.add(nomination.hold()));
        of(pod.uid()).filter(own -> own.node().equals(node)).ifPresent(own -> yielding.add(own.hold()));
        return yielding;
    }

    private List<Nomination> find(Collection<PodUid> pods) {
        List<Nomination> found = new ArrayList<>(pods.size());
        pods.forEach(pod -> of(pod).ifPresent(found::add));
        return found;
    }

    private static <K> void add(Map<K, SortedSet<PodUid>> index, K key, PodUid pod) {
        index.computeIfAbsent(key, same -> new TreeSet<>()).add(pod);
    }

    private static <K> void take(Map<K, SortedSet<PodUid>> index, K key, PodUid pod) {
        index.computeIfPresent(key, (same, pods) -> pods.remove(pod) && pods.isEmpty() ? null : pods);
    }
}
