package dev.berth.core.placement.equivalence;

import dev.berth.core.cache.LruCache;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.placement.interpodaffinity.HiddenHolds;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.resource.Resources;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The {@link HoldRanking}s of the latest classes. Each ranking is for pods of one class that the same rules admit. */
public final class HoldRankings {
    private static final int MAX_RANKINGS = 64;

    private final NodeTable table;
    private final NodeRankings nodeRankings;
    private final long weight;
    private final LruCache<HoldRankingKey, HoldRanking> rankings;

    private record HoldRankingKey(NodeRankings.NodeRankingKey pods, Set<OwnerRule> rules, boolean required) {}

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

    /** @param weight the weight of the fill score */
    public HoldRankings(NodeTable table, NodeRankings classes, long weight) {
        this.table = table;
        this.nodeRankings = classes;
        this.weight = weight;
        this.rankings = new LruCache<>(MAX_RANKINGS, Long.MAX_VALUE, (key, ranking) -> nodeRankings.unpin(key.pods));
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
        HoldRankingKey key = new HoldRankingKey(nodeRankings.keyOf(pod, hidden), Set.copyOf(rules), required);
        HoldRanking ranking = rankings.get(key);
        if (ranking == null) {
            nodeRankings.pin(key.pods);
            ranking = new HoldRanking(table, nodeRankings.scorer(key.pods), weight);
            rankings.put(key, ranking, 0);
        }
        return ranking.refresh(holdLookup, timeIsUp) ? Optional.of(ranking) : Optional.empty();
    }
}
