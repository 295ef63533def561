package dev.berth.core.placement.equivalence;

import dev.berth.core.cache.LruCache;
import dev.berth.core.cluster.Pod;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.resource.Resources;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The {@link HoldRanking}s of the classes that came last. Each is about what pods of one class get by the same rules. */
public final class HoldRankings {
    private static final int MAX_RANKINGS = 64;

    private final NodeTable table;
    private final NodeRankings nodeRankings;
    private final long weight;
    private final LruCache<HoldRankingKey, HoldRanking> rankings;

    private record HoldRankingKey(NodeRankings.NodeRankingKey pods, Set<OwnerRule> rules, boolean required) {}

    /**
     * The hold that a pod fills best on a node.
     *
     * @param fillScore how well, in hundredths
     */
    public record BestHold(HoldId hold, Resources outstanding, long fillScore) {}

    /** The best node by a hold. */
    public record ScoredHold(int slot, long total, BestHold bestHold) {}

    /** Where the pod's holds are and what they are to it. */
    public interface HoldLookup {
        /** The slots of the nodes where it may have holds. */
        int[] slots();

        /** The hold that it fills best on the node of the slot, the first of equals; empty when none there is of use. */
        Optional<BestHold> bestHoldAt(int slot);
    }

    /** @param weight how much it counts how well a pod fills a hold */
    public HoldRankings(NodeTable table, NodeRankings classes, long weight) {
        this.table = table;
        this.nodeRankings = classes;
        this.weight = weight;
        this.rankings = new LruCache<>(MAX_RANKINGS, Long.MAX_VALUE, (key, ranking) -> nodeRankings.unpin(key.pods));
    }

    /**
     * The nodes where the pod has holds, looked at again as far as they changed. Valid as long as the ledger stays as it is.
     *
     * @param rules by which the pod is admitted to its holds
     * @param required whether holds count that keep nothing of what the pod asks for
     * @param timeIsUp asked after each node; after a yes, the next call goes on where this one stopped
     * @return empty when time was up before all nodes were looked at
     */
    public Optional<HoldRanking> rank(
            Pod pod, Collection<OwnerRule> rules, boolean required, HoldLookup holdLookup, BooleanSupplier timeIsUp) {
        HoldRankingKey key = new HoldRankingKey(nodeRankings.keyOf(pod), Set.copyOf(rules), required);
        HoldRanking ranking = rankings.get(key);
        if (ranking == null) {
            nodeRankings.pin(key.pods);
            ranking = new HoldRanking(table, nodeRankings.scorer(key.pods), weight);
            rankings.put(key, ranking, 0);
        }
        return ranking.refresh(holdLookup, timeIsUp) ? Optional.of(ranking) : Optional.empty();
    }
}
