package dev.berth.core.door.koordinator.preallocation;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The pods that one rule selects, by node, for all requests that have this rule. */
final class Candidates {
    private final TreeSet<PodUid> requests = new TreeSet<>();
    private final SortedMap<String, TreeSet<PodUid>> byNode = new TreeMap<>();
    /** The nodes of the ledger below this slot were read. Pods that changed since then were added by {@link #add}. */
    private int nextSlot;

    void addRequest(PodUid request) {
        requests.add(request);
    }

    /** Returns whether another request has the rule. */
    boolean removeRequest(PodUid request) {
        requests.remove(request);
        return !requests.isEmpty();
    }

    /** The requests that have the rule. */
    Set<PodUid> requests() {
        return requests;
    }

    void add(Pod pod) {
        pod.nodeName()
                .ifPresent(node ->
                        byNode.computeIfAbsent(node, name -> new TreeSet<>()).add(pod.uid()));
    }

    void remove(Pod pod) {
        pod.nodeName()
                .ifPresent(node -> byNode.computeIfPresent(node, (name, pods) -> {
                    pods.remove(pod.uid());
                    return pods.isEmpty() ? null : pods;
                }));
    }

    /** The names of the nodes with candidates, sorted. */
    List<String> nodeNames() {
        return List.copyOf(byNode.keySet());
    }

    Set<PodUid> onNode(String node) {
        return byNode.getOrDefault(node, new TreeSet<>());
    }

    /**
     * Reads the nodes that were not read yet.
     *
     * @return whether all of them are read
     */
    boolean readNodes(LedgerView ledger, Consumer<NodeState> reader, BooleanSupplier timeIsUp) {
        while (nextSlot < ledger.slotBound()) {
            ledger.nodeAt(nextSlot).ifPresent(reader);
            nextSlot++;
            if (timeIsUp.getAsBoolean()) {
                break;
            }
        }
        return nextSlot >= ledger.slotBound();
    }
}
