package dev.berth.core.preemption;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.collection.SetMultimap;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.HoldId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The nominations by pod, and a work queue of those to process: their pod, their node or one of their victims changed,
 * or a write has a result.
 */
final class Nominations {
    private final Map<PodUid, Nomination> byPod = new HashMap<>();
    private final SetMultimap<String, PodUid> byNode = SetMultimap.sorted();
    private final SetMultimap<PodUid, PodUid> byVictim = SetMultimap.sorted();
    /** The number of nominated pods by priority. */
    private final TreeMap<Integer, Integer> priorities = new TreeMap<>();

    private final PodWorkQueue workQueue = new PodWorkQueue();
    /** Victims that some nomination no longer needs. */
    private final Set<PodUid> releasedVictims = new HashSet<>();

    boolean isEmpty() {
        return byPod.isEmpty();
    }

    Optional<Nomination> find(PodUid pod) {
        return Optional.ofNullable(byPod.get(pod));
    }

    void put(Nomination nomination) {
        PodUid pod = nomination.pod().uid();
        remove(pod);
        byPod.put(pod, nomination);
        byNode.add(nomination.node(), pod);
        nomination.victims().forEach(victim -> byVictim.add(victim, pod));
        priorities.merge(nomination.pod().priority(), 1, Integer::sum);
        workQueue.add(pod);
    }

    Optional<Nomination> remove(PodUid pod) {
        @Nullable Nomination removed = byPod.remove(pod);
        if (removed == null) {
            return Optional.empty();
        }
        byNode.remove(removed.node(), pod);
        removed.victims().forEach(victim -> byVictim.remove(victim, pod));
        releasedVictims.addAll(removed.victims());
        priorities.computeIfPresent(removed.pod().priority(), (same, count) -> count == 1 ? null : count - 1);
        workQueue.remove(pod);
        return Optional.of(removed);
    }

    /**
     * Removes victims that need not be evicted any more.
     *
     * @return whether there were any
     */
    boolean removeVictims(Nomination nomination, Predicate<PodUid> victims) {
        Set<PodUid> before = nomination.victims();
        if (!nomination.removeVictims(victims)) {
            return false;
        }
        for (PodUid victim : before) {
            if (!nomination.victims().contains(victim)) {
                byVictim.remove(victim, nomination.pod().uid());
                releasedVictims.add(victim);
            }
        }
        return true;
    }

    /** Removes and returns the victims that no nomination needs any more. */
    Set<PodUid> takeReleasedVictims() {
        releasedVictims.removeIf(byVictim::containsKey);
        Set<PodUid> taken = Set.copyOf(releasedVictims);
        releasedVictims.clear();
        return taken;
    }

    /** The pod changed: its own nomination and those that have it as a victim are processed again. */
    void requeue(PodUid pod) {
        if (byPod.containsKey(pod)) {
            workQueue.add(pod);
        }
        workQueue.addAll(byVictim.get(pod));
    }

    /** @param nodes the nodes that changed; empty if any node may have changed */
    void requeueOnNodes(Optional<Set<String>> nodes) {
        if (nodes.isEmpty()) {
            workQueue.addAll(byPod.keySet());
            return;
        }
        for (String node : nodes.get()) {
            workQueue.addAll(byNode.get(node));
        }
    }

    /** Processes the queued nominations, as far as the turn has time. */
    void process(Handle handle, Consumer<Nomination> look) {
        workQueue.process(handle, pod -> find(pod).ifPresent(look));
    }

    /** The nominations that have the pod as a victim. */
    List<Nomination> findByVictim(PodUid pod) {
        return findAll(byVictim.get(pod));
    }

    /** Whether the pod has a nomination, or a pod of lower priority has one. */
    boolean mayYieldTo(Pod pod) {
        return byPod.containsKey(pod.uid()) || (!priorities.isEmpty() && priorities.firstKey() < pod.priority());
    }

    /** The nominations on the node for pods of lower priority. */
    List<Nomination> lowerPriorityThan(Pod pod, String node) {
        List<Nomination> there = findAll(byNode.get(node));
        there.removeIf(nomination -> nomination.pod().priority() >= pod.priority());
        return there;
    }

    /** The holds on the node that do not block the pod: its own, and those for pods of lower priority. */
    Set<HoldId> holdsYieldingTo(Pod pod, String node) {
        Set<HoldId> yielding = new HashSet<>();
        lowerPriorityThan(pod, node).forEach(nomination -> yielding.add(nomination.holdId()));
        find(pod.uid()).filter(own -> own.node().equals(node)).ifPresent(own -> yielding.add(own.holdId()));
        return yielding;
    }

    private List<Nomination> findAll(Collection<PodUid> pods) {
        List<Nomination> found = new ArrayList<>(pods.size());
        pods.forEach(pod -> find(pod).ifPresent(found::add));
        return found;
    }
}
