package dev.berth.core.preemption;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.collection.SetMultimap;
import dev.berth.core.framework.Handle;
import dev.berth.core.placement.filter.Veto;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pods whose nominated node is not feasible yet. A pod is tried again when the node changed. If inter-pod constraints
 * refused it, the pod is tried again when anything changed. If the veto depends on state that is not in the ledger,
 * such as volumes, it is tried every time.
 */
final class PendingNominations {
    /** Vetoes that only a change of the node itself can resolve. */
    private static final Set<Veto.Code> NODE_LOCAL = EnumSet.of(
            Veto.Code.UNSCHEDULABLE,
            Veto.Code.TAINTS,
            Veto.Code.NODE_AFFINITY,
            Veto.Code.ADDED_AFFINITY,
            Veto.Code.NOT_IN_REQUIRED_NODE_NAMES,
            Veto.Code.DECLARED_FEATURES,
            Veto.Code.INVALID_POD,
            Veto.Code.PORTS,
            Veto.Code.PORTS_HELD,
            Veto.Code.POD_SLOTS,
            Veto.Code.RESOURCE,
            Veto.Code.RESOURCE_HELD);

    /** Vetoes that depend on pods anywhere. */
    private static final Set<Veto.Code> INTER_POD = EnumSet.of(
            Veto.Code.TOPOLOGY_SPREAD,
            Veto.Code.TOPOLOGY_LABEL_MISSING,
            Veto.Code.POD_AFFINITY,
            Veto.Code.POD_ANTI_AFFINITY,
            Veto.Code.EXISTING_ANTI_AFFINITY);

    /** When a refused pod is tried again. */
    private enum RetryWhen {
        NODE_CHANGED,
        ANYTHING_CHANGED,
        ALWAYS
    }

    /** @param node the nominated node of the last attempt */
    private record RetryCondition(RetryWhen retryWhen, String node) {}

    private static final RetryCondition NOT_YET_TRIED = new RetryCondition(RetryWhen.ALWAYS, "");

    private final Map<PodUid, RetryCondition> retryConditions = new HashMap<>();

    private final SetMultimap<String, PodUid> byNode = SetMultimap.sorted();
    private final Set<PodUid> retriedOnAnyChange = new HashSet<>();
    private final Set<PodUid> alwaysRetried = new HashSet<>();
    private final PodWorkQueue workQueue = new PodWorkQueue();

    boolean isEmpty() {
        return retryConditions.isEmpty();
    }

    /** The pod is new or changed: its node is tried in the next round. */
    void add(PodUid pod) {
        remove(pod);
        retryConditions.put(pod, NOT_YET_TRIED);
        workQueue.add(pod);
    }

    /** Idempotent. */
    void remove(PodUid pod) {
        @Nullable RetryCondition removed = retryConditions.remove(pod);
        if (removed == null) {
            return;
        }
        workQueue.remove(pod);
        retriedOnAnyChange.remove(pod);
        alwaysRetried.remove(pod);
        byNode.remove(removed.node, pod);
    }

    /**
     * Queues the pods for which the result may have changed.
     *
     * @param nodes the nodes that changed; empty if any node may have changed
     * @param anyChange whether anything changed
     */
    void requeue(Optional<Set<String>> nodes, boolean anyChange) {
        if (nodes.isEmpty()) {
            byNode.valueSets().forEach(workQueue::addAll);
        } else {
            nodes.get().forEach(node -> workQueue.addAll(byNode.get(node)));
        }
        if (anyChange) {
            workQueue.addAll(retriedOnAnyChange);
        }
        // Otherwise a round that takes more than one turn would never end.
        if (workQueue.isRoundComplete()) {
            workQueue.addAll(alwaysRetried);
        }
    }

    /** Processes the queued pods, as far as the turn has time. */
    void process(Handle handle, Consumer<PodUid> look) {
        workQueue.process(handle, look);
    }

    /** The nominated node refused the pod. */
    void onRefused(PodUid pod, String node, List<Veto> vetoes) {
        RetryWhen retryWhen = any(NODE_LOCAL, vetoes)
                ? RetryWhen.NODE_CHANGED
                : any(INTER_POD, vetoes) ? RetryWhen.ANYTHING_CHANGED : RetryWhen.ALWAYS;
        put(pod, new RetryCondition(retryWhen, node));
    }

    /** The nominated node does not exist. */
    void onNodeMissing(PodUid pod, String node) {
        put(pod, new RetryCondition(RetryWhen.NODE_CHANGED, node));
    }

    /** The node cannot be tried for the pod now. */
    void postpone(PodUid pod) {
        put(pod, new RetryCondition(RetryWhen.ALWAYS, ""));
    }

    private void put(PodUid pod, RetryCondition retryCondition) {
        remove(pod);
        retryConditions.put(pod, retryCondition);
        byNode.add(retryCondition.node, pod);
        switch (retryCondition.retryWhen) {
            case NODE_CHANGED -> {}
            case ANYTHING_CHANGED -> retriedOnAnyChange.add(pod);
            case ALWAYS -> alwaysRetried.add(pod);
        }
    }

    private static boolean any(Set<Veto.Code> codes, List<Veto> vetoes) {
        return vetoes.stream().map(Veto::code).anyMatch(codes::contains);
    }
}
