package dev.berth.core.door.preemption;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Veto;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Pods that somebody nominated a node for which has no room for them yet. A node that refused one is asked again when it
 * has changed; where it was for others' sake that it refused, when anything has; and every time where it was for what
 * the ledger does not know of, such as volumes.
 */
final class Wanting {
    /** What only a change of the node itself can remedy. */
    private static final Set<Veto.Code> LOCAL = EnumSet.of(
            Veto.Code.UNSCHEDULABLE,
            Veto.Code.TAINTS,
            Veto.Code.NODE_AFFINITY,
            Veto.Code.ADDED_AFFINITY,
            Veto.Code.NOT_NAMED,
            Veto.Code.FEATURES,
            Veto.Code.PORTS,
            Veto.Code.PORTS_HELD,
            Veto.Code.POD_SLOTS,
            Veto.Code.RESOURCE,
            Veto.Code.RESOURCE_HELD);

    /** What depends on pods anywhere. */
    private static final Set<Veto.Code> NEIGHBOURS = EnumSet.of(
            Veto.Code.SPREAD,
            Veto.Code.SPREAD_LABEL,
            Veto.Code.POD_AFFINITY,
            Veto.Code.POD_ANTI_AFFINITY,
            Veto.Code.EXISTING_ANTI_AFFINITY);

    private static final Refusal NEVER_ASKED = new Refusal(-1, -1);

    /** As of when a node refused: its own generation, or the ledger's version where that matters. */
    private record Refusal(long node, long ledger) {
        boolean holds(NodeState state, LedgerView view) {
            return node == state.generation() && (ledger < 0 || ledger == view.version());
        }
    }

    private final Map<PodUid, Refusal> refusals = new TreeMap<>();

    boolean isEmpty() {
        return refusals.isEmpty();
    }

    /** The pod is new here, or not what it was: its node is asked at the next opportunity. */
    void add(PodUid pod) {
        refusals.put(pod, NEVER_ASKED);
    }

    /** The second time changes nothing. */
    void remove(PodUid pod) {
        refusals.remove(pod);
    }

    List<PodUid> all() {
        return List.copyOf(refusals.keySet());
    }

    /** Whether the node may answer otherwise than when it was last asked. */
    boolean worthAsking(PodUid pod, NodeState node, LedgerView ledger) {
        Refusal last = refusals.getOrDefault(pod, NEVER_ASKED);
        return !last.holds(node, ledger);
    }

    void refused(PodUid pod, NodeState node, List<Veto> vetoes, LedgerView ledger) {
        if (any(LOCAL, vetoes)) {
            refusals.put(pod, new Refusal(node.generation(), -1));
        } else if (any(NEIGHBOURS, vetoes)) {
            refusals.put(pod, new Refusal(node.generation(), ledger.version()));
        } else {
            refusals.put(pod, NEVER_ASKED);
        }
    }

    private static boolean any(Set<Veto.Code> codes, List<Veto> vetoes) {
        return vetoes.stream().map(Veto::code).anyMatch(codes::contains);
    }
}
