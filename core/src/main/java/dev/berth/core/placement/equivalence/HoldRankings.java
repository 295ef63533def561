package dev.berth.core.placement.equivalence;

import dev.berth.core.cache.LruCache;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.placement.interpodaffinity.HiddenHolds;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.resource.Resources;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The {@link HoldRanking}s of the latest classes, within a limit of bytes. Each ranking is for pods of one class that the same
 * rules admit.
 */
public final class HoldRankings {
    /** About what one node costs: a cell of a ranking, and its holds in a table. */
    private static final long BYTES_PER_SLOT = 8;

    private static final long BYTES_PER_HOLD_NODE = 400;
    private static final long BYTES_PER_ENTRY = 1_000;
    private static final long BYTES_PER_TABLE = 20_000;

    private final NodeTable table;
    private final LedgerView ledger;
    private final NodeRankings nodeRankings;
    private final long weight;
    private final DirtySlots dirtySlots = new DirtySlots();
    private final LruCache<HoldRankingKey, HoldRanking> rankings;
    private final LruCache<Set<OwnerRule>, HoldTable> tables;

    private record HoldRankingKey(
            NodeRankings.NodeRankingKey pods, Set<OwnerRule> rules, boolean required, Optional<HoldTable> holds) {}

    /**
     * The hold that a pod takes on a node.
     *
     * @param fillScore how well the pod fills it, in hundredths
     * @param order comes before all scores; the smaller is better
     */
    public record BestHold(HoldId hold, Resources outstanding, long fillScore, long order)
            implements Comparable<BestHold> {
        /** The better hold first. */
        @Override
        public int compareTo(BestHold other) {
            return order == other.order ? Long.compare(other.fillScore, fillScore) : Long.compare(order, other.order);
        }
    }

    /** The best node with a hold. */
    public record ScoredHold(int slot, long total, BestHold bestHold) {}

    /** Finds the holds that match a pod. */
    public interface HoldLookup {
        /** The slots of the nodes that may have matching holds. */
        int[] slots();

        /**
         * The hold that the pod fills best on the node of the slot, the first of equal ones; empty if no hold makes the
         * node feasible.
         */
        Optional<BestHold> bestHoldAt(int slot);
    }

    /**
     * @param weight the weight of the fill score
     * @param capacity about how many bytes the rankings may retain, and the tables as well
     */
    public HoldRankings(NodeTable table, LedgerView ledger, NodeRankings classes, long weight, long capacity) {
        this.table = table;
        this.ledger = ledger;
        this.nodeRankings = classes;
        this.weight = weight;
        this.tables = new LruCache<>(Integer.MAX_VALUE, capacity);
        this.rankings = new LruCache<>(Integer.MAX_VALUE, capacity, (key, ranking) -> nodeRankings.unpin(key.pods));
    }

    /**
     * The ranking of the nodes with matching holds, updated for changed nodes. Valid until the ledger changes.
     *
     * @param hidden the holds that the pod does not see as neighbours
     * @param rules the owner rules that admit the pod
     * @param required whether holds count that have none of the requested resources
     * @param timeIsUp called after each node; once it returns true, the next call continues where this one stopped
     * @return empty if time was up before all nodes were evaluated
     */
    public Optional<HoldRanking> rank(
            Pod pod,
            HiddenHolds hidden,
            Collection<OwnerRule> rules,
            boolean required,
            HoldLookup holdLookup,
            BooleanSupplier timeIsUp) {
        NodeRankings.NodeRankingKey pods = nodeRankings.keyOf(pod, hidden);
        Set<OwnerRule> ruleSet = Set.copyOf(rules);
        HoldTable holds = tables.computeIfAbsent(
                ruleSet,
                BYTES_PER_TABLE + BYTES_PER_HOLD_NODE * ledger.countNodesWithClaimableHolds(rules),
                key -> new HoldTable(table, ledger, key));
        if (!holds.refresh(timeIsUp)) {
            return Optional.empty();
        }
        HoldRankingKey key =
                new HoldRankingKey(pods, ruleSet, required, Optional.of(holds).filter(HoldTable::isSufficient));
        HoldRanking ranking = findOrAdd(key);
        if (!ranking.refresh(holdLookup, timeIsUp)) {
            return Optional.empty();
        }
        if (ranking.isUsable()) {
            return Optional.of(ranking);
        }
        HoldRanking filtered = findOrAdd(new HoldRankingKey(pods, ruleSet, required, Optional.empty()));
        return filtered.refresh(holdLookup, timeIsUp) ? Optional.of(filtered) : Optional.empty();
    }

    private HoldRanking findOrAdd(HoldRankingKey key) {
        @Nullable HoldRanking existing = rankings.get(key);
        if (existing != null) {
            return existing;
        }
        nodeRankings.pin(key.pods);
        HoldRanking added = newRanking(key);
        rankings.put(
                key, added, BYTES_PER_ENTRY + key.pods.spec().retainedBytes() + BYTES_PER_SLOT * table.slotBound());
        return added;
    }

    private HoldRanking newRanking(HoldRankingKey key) {
        ClassScorer classScorer = nodeRankings.scorer(key.pods);
        if (key.holds.isEmpty() || !HoldScorer.appliesTo(key.pods.spec(), classScorer)) {
            return new FilteredHoldRanking(table, classScorer, weight);
        }
        HoldScorer holdScorer =
                new HoldScorer(table, key.pods.spec(), classScorer, key.holds.get(), key.required, weight);
        return new NumericHoldRanking(table, key.holds.get(), classScorer, holdScorer, dirtySlots);
    }

    /** The order of the hold; of a hold that draws on a Reservation, the order of that Reservation if it is smaller. */
    public static long orderOf(LedgerView ledger, HoldState state) {
        return state.draws()
                .source()
                .flatMap(ledger::holdState)
                .map(source -> Math.min(state.hold().order(), orderOf(ledger, source)))
                .orElse(state.hold().order());
    }
}
