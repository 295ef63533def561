package dev.berth.core.preemption;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.framework.Handle;
import dev.berth.core.placement.filter.Veto;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pods that somebody nominated a node for which has no room for them yet. A node that refused one is asked again when it
 * has changed; where it was for others' sake that it refused, when anything has; and every time where it was for what
 * the ledger does not know of, such as volumes.
 */
final class PendingNominations {
    /** What only a change of the node itself can remedy. */
    private static final Set<Veto.Code> NODE_LOCAL = EnumSet.of(
            Veto.Code.UNSCHEDULABLE,
            Veto.Code.TAINTS,
            Veto.Code.NODE_AFFINITY,
            Veto.Code.ADDED_AFFINITY,
            Veto.Code.NOT_IN_REQUIRED_NODE_NAMES,
            Veto.Code.DECLARED_FEATURES,
            Veto.Code.TOO_MANY_TERMS,
            Veto.Code.PORTS,
            Veto.Code.PORTS_HELD,
            Veto.Code.POD_SLOTS,
            Veto.Code.RESOURCE,
            Veto.Code.RESOURCE_HELD);

    /** What depends on pods anywhere. */
    private static final Set<Veto.Code> INTER_POD = EnumSet.of(
            Veto.Code.TOPOLOGY_SPREAD,
            Veto.Code.TOPOLOGY_LABEL_MISSING,
            Veto.Code.POD_AFFINITY,
            Veto.Code.POD_ANTI_AFFINITY,
            Veto.Code.EXISTING_ANTI_AFFINITY);

    /** When a pod that was refused is worth asking for again. */
    private enum RetryWhen {
        NODE_CHANGED,
        ANYTHING_CHANGED,
        ALWAYS
    }

    /** @param node which was nominated when the pod was last asked for */
    private record RetryCondition(RetryWhen retryWhen, String node) {}

    private static final RetryCondition NOT_YET_TRIED = new RetryCondition(RetryWhen.ALWAYS, "");

    private final Map<PodUid, RetryCondition> retryConditions = new HashMap<>();

    private final Map<String, TreeSet<PodUid>> byNode = new HashMap<>();
    private final Set<PodUid> retriedOnAnyChange = new HashSet<>();
    private final Set<PodUid> alwaysRetried = new HashSet<>();
    private final PodWorkQueue workQueue = new PodWorkQueue();

    boolean isEmpty() {
        return retryConditions.isEmpty();
    }

    /** The pod is new here, or not what it was: its node is asked at the next opportunity. */
    void add(PodUid pod) {
        remove(pod);
        retryConditions.put(pod, NOT_YET_TRIED);
        workQueue.add(pod);
    }

    /** The second time changes nothing. */
    void remove(PodUid pod) {
        @Nullable RetryCondition known = retryConditions.remove(pod);
        if (known == null) {
            return;
        }
        workQueue.remove(pod);
        retriedOnAnyChange.remove(pod);
        alwaysRetried.remove(pod);
        byNode.computeIfPresent(known.node, (same, pods) -> pods.remove(pod) && pods.isEmpty() ? null : pods);
    }

    /**
     * The pods whose nodes may answer otherwise than when they were last asked must be asked for again.
     *
     * @param nodes which changed; empty when all may have
     * @param anything whether anything changed
     */
    void requeue(Optional<Set<String>> nodes, boolean anything) {
        if (nodes.isEmpty()) {
            byNode.values().forEach(workQueue::addAll);
        } else {
            nodes.get().forEach(node -> workQueue.addAll(byNode.getOrDefault(node, new TreeSet<>())));
        }
        if (anything) {
            workQueue.addAll(retriedOnAnyChange);
        }
        // Else a round that takes more than a turn would never end.
        if (workQueue.isRoundComplete()) {
            workQueue.addAll(alwaysRetried);
        }
    }

    /** Looks at those that must be asked for, as far as the turn has time. */
    void process(Handle handle, Consumer<PodUid> look) {
        workQueue.process(handle, look);
    }

    /** The nominated node is not there, or refused the pod. */
    void onRefused(PodUid pod, String node, List<Veto> vetoes) {
        RetryWhen retryWhen = any(NODE_LOCAL, vetoes)
                ? RetryWhen.NODE_CHANGED
                : any(INTER_POD, vetoes) ? RetryWhen.ANYTHING_CHANGED : RetryWhen.ALWAYS;
        put(pod, new RetryCondition(retryWhen, node));
    }

    /** There is no such node. */
    void onNodeMissing(PodUid pod, String node) {
        put(pod, new RetryCondition(RetryWhen.NODE_CHANGED, node));
    }

    /** As things are the node cannot be asked about the pod. */
    void postpone(PodUid pod) {
        put(pod, new RetryCondition(RetryWhen.ALWAYS, ""));
    }

    private void put(PodUid pod, RetryCondition retryCondition) {
        remove(pod);
        retryConditions.put(pod, retryCondition);
        byNode.computeIfAbsent(retryCondition.node, same -> new TreeSet<>()).add(pod);
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
