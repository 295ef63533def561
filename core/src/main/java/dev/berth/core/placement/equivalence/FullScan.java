package dev.berth.core.placement.equivalence;

import dev.berth.core.placement.table.NodeTable;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Scores all nodes once, for a pod whose class has no cached ranking. The result equals that of a {@link NodeRanking}.
 */
final class FullScan {
    private final NodeTable table;
    private final ClassScorer classScorer;
    private final ScoreBuckets buckets;

    FullScan(NodeTable table, ClassScorer classScorer) {
        this.table = table;
        this.classScorer = classScorer;
        this.buckets = new ScoreBuckets(classScorer);
        classScorer.refresh();
        ZoneCounts zoneCounts = new ZoneCounts(table, classScorer);
        for (int slot = 0; slot < table.slotBound(); slot++) {
            zoneCounts.update(slot);
            int key = classScorer.key(slot);
            if (key != 0) {
                ScoreBucket bucket = buckets.get(buckets.findOrAdd(classScorer.bucketKey(slot)));
                buckets.onNodeAdded(bucket);
                bucket.keepIfBest(slot, key);
            }
        }
        buckets.normalize(zoneCounts::inDomain);
    }

    Optional<ScoredNode> best() {
        long best = buckets.bestTotal();
        return best < 0 ? Optional.empty() : Optional.of(new ScoredNode(buckets.bestSlot(best, table), best));
    }

    /** The total score of one node; empty if the node is not feasible. */
    OptionalLong total(int slot) {
        int key = classScorer.key(slot);
        if (key == 0) {
            return OptionalLong.empty();
        }
        ScoreBucket bucket = buckets.get(buckets.findOrAdd(classScorer.bucketKey(slot)));
        return OptionalLong.of(bucket.total(classScorer.scoreOf(key)));
    }
}
