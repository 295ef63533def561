package dev.berth.core.placement;

import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.Placement.Refused;
import dev.berth.core.placement.filter.BlockingHold;
import dev.berth.core.placement.filter.BlockingHoldSummary;
import dev.berth.core.placement.filter.ClusterEventKind;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.table.ChangeCursor;
import dev.berth.core.placement.table.NodeTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The vetoes of all nodes against equivalent pods, cached between refusals: only nodes that changed since are filtered
 * again. The result equals that of {@link Diagnosis} for the same vetoes, and vetoes can be removed again. Valid only
 * for pods whose vetoes depend on each node alone.
 */
final class IncrementalDiagnosis {
    /**
     * The vetoes of one node.
     *
     * @param resolvingEvents the events that can make the node feasible, if holds there match the pod; else none
     */
    record NodeRefusal(String node, List<Veto> vetoes, Set<ClusterEventKind> resolvingEvents) {
        boolean isResolvable() {
            return vetoes.stream().allMatch(Veto::isResolvable);
        }
    }

    /** Filters one node. */
    interface NodeQuery {
        NodeRefusal filter(NodeState state);
    }

    private record NodeVeto(String node, Veto veto) {}

    private static final class SortedVetoes {
        private static final Comparator<NodeVeto> NEAREST_FIRST = Comparator.comparing(
                        (NodeVeto nodeVeto) -> !nodeVeto.veto.isResolvable())
                .thenComparingLong(nodeVeto -> nodeVeto.veto.shortfall())
                .thenComparing(NodeVeto::node);

        private final TreeSet<NodeVeto> vetoes = new TreeSet<>(NEAREST_FIRST);
        private final NavigableSet<BlockingHold> blockingHolds = BlockingHoldSummary.newSortedSet();

        RefusalReason toReason() {
            NodeVeto nearest = vetoes.first();
            return new RefusalReason(
                    vetoes.size(), nearest.node, nearest.veto, BlockingHoldSummary.ofSorted(blockingHolds));
        }
    }

    private final NodeTable table;
    /** Every change of a node is in this log: its pods, holds, labels and taints. */
    private final ChangeCursor changes;

    private final Map<Diagnosis.ReasonKey, SortedVetoes> vetoesByReason = new HashMap<>();
    private final Map<ClusterEventKind, Integer> resolvingEvents = new EnumMap<>(ClusterEventKind.class);
    private @Nullable NodeRefusal[] refusals = new NodeRefusal[0];
    /** Nodes that changed and that were not filtered since. */
    private final BitSet dirty = new BitSet();

    private int resolvableNodes;
    private int weight;

    IncrementalDiagnosis(NodeTable table) {
        this.table = table;
        this.changes = new ChangeCursor(table.resourceChanges());
    }

    /**
     * Filters the nodes that changed.
     *
     * @param timeIsUp called after each node; once it returns true, the next call continues where this one stopped
     * @return whether all of them were filtered
     */
    boolean refresh(NodeQuery nodeQuery, BooleanSupplier timeIsUp) {
        collectDirty();
        for (int slot = dirty.nextSetBit(0); slot >= 0; slot = dirty.nextSetBit(slot + 1)) {
            replace(slot, table.stateAt(slot).map(nodeQuery::filter));
            dirty.clear(slot);
            if (timeIsUp.getAsBoolean()) {
                break;
            }
        }
        return dirty.isEmpty();
    }

    /** Whether some nodes that changed before the last call were not filtered since. */
    boolean isUnfinished() {
        return !dirty.isEmpty();
    }

    private void collectDirty() {
        BitSet changed = new BitSet();
        if (changes.mustReadAll()) {
            changed.set(0, table.slotBound());
        } else {
            changes.addUnreadTo(changed);
        }
        // All former vetoes are removed first: otherwise a hold that moved would be named for its former node and its
        // new one.
        for (int slot = changed.nextSetBit(0); slot >= 0; slot = changed.nextSetBit(slot + 1)) {
            replace(slot, Optional.empty());
        }
        dirty.or(changed);
        changes.moveToHead();
    }

    /** The number of cached vetoes, and of holds that they name. */
    int weight() {
        return weight;
    }

    Refused refused() {
        List<RefusalReason> reasons = vetoesByReason.values().stream()
                .map(SortedVetoes::toReason)
                .sorted(Diagnosis.BY_MESSAGE)
                .toList();
        return Refused.byNodes(table.nodeCount(), resolvableNodes, reasons);
    }

    /** The same for a pod for which some nodes have different vetoes. */
    Refused refusedWithOverrides(Map<Integer, NodeRefusal> overrides) {
        Map<Integer, Optional<NodeRefusal>> before = new HashMap<>();
        overrides.forEach((slot, nodeRefusal) -> before.put(slot, replace(slot, Optional.of(nodeRefusal))));
        Refused refused = refused();
        before.forEach(this::replace);
        return refused;
    }

    /** The events that can make one of the nodes with matching holds feasible. */
    Set<ClusterEventKind> resolvingEventsAtHolds() {
        Set<ClusterEventKind> found = EnumSet.noneOf(ClusterEventKind.class);
        found.addAll(resolvingEvents.keySet());
        return found;
    }

    /** Returns the former vetoes of the node. */
    private Optional<NodeRefusal> replace(int slot, Optional<NodeRefusal> now) {
        if (slot >= refusals.length) {
            refusals = Arrays.copyOf(refusals, Math.max(slot + 1, table.slotBound() + table.slotBound() / 4));
        }
        Optional<NodeRefusal> before = Optional.ofNullable(refusals[slot]);
        before.ifPresent(this::subtract);
        now.ifPresent(this::add);
        refusals[slot] = now.orElse(null);
        return before;
    }

    private void add(NodeRefusal nodeRefusal) {
        for (Veto veto : nodeRefusal.vetoes) {
            SortedVetoes sortedVetoes =
                    vetoesByReason.computeIfAbsent(Diagnosis.ReasonKey.of(veto), reasonKey -> new SortedVetoes());
            sortedVetoes.vetoes.add(new NodeVeto(nodeRefusal.node, veto));
            sortedVetoes.blockingHolds.addAll(veto.blockingHolds());
        }
        count(nodeRefusal, 1);
    }

    private void subtract(NodeRefusal nodeRefusal) {
        for (Veto veto : nodeRefusal.vetoes) {
            vetoesByReason.computeIfPresent(Diagnosis.ReasonKey.of(veto), (reasonKey, sortedVetoes) -> {
                sortedVetoes.vetoes.remove(new NodeVeto(nodeRefusal.node, veto));
                veto.blockingHolds().forEach(sortedVetoes.blockingHolds::remove);
                return sortedVetoes.vetoes.isEmpty() ? null : sortedVetoes;
            });
        }
        count(nodeRefusal, -1);
    }

    private void count(NodeRefusal nodeRefusal, int delta) {
        resolvableNodes += nodeRefusal.isResolvable() ? delta : 0;
        for (Veto veto : nodeRefusal.vetoes) {
            weight += delta * (1 + veto.blockingHolds().size());
        }
        nodeRefusal.resolvingEvents.forEach(clusterEventKind -> resolvingEvents.merge(
                clusterEventKind, delta, (before, more) -> before + more == 0 ? null : before + more));
    }
}
