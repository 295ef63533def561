package dev.berth.core.placement.equivalence;

import dev.berth.core.placement.interpodaffinity.InterPodConstraints;
import dev.berth.core.placement.table.NodeTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Scores all nodes once, for a pod with inter-pod constraints. */
final class AffinityScan {
    private final NodeTable table;
    private final ClassScorer classScorer;
    private final List<ScoreBucket> bucketOf = new ArrayList<>();
    private final int[] slots;
    private final int[] keys;
    private final long[] interPodScores;
    private int count;

    AffinityScan(NodeTable table, ClassScorer classScorer, InterPodConstraints interPodConstraints) {
        this.table = table;
        this.classScorer = classScorer;
        this.slots = new int[table.slotBound()];
        this.keys = new int[table.slotBound()];
        ScoreBuckets buckets = new ScoreBuckets(classScorer);
        classScorer.refresh();
        ZoneCounts zoneCounts = new ZoneCounts(table, classScorer);
        for (int slot = 0; slot < table.slotBound(); slot++) {
            zoneCounts.update(slot);
            int key = classScorer.key(slot);
            if (key != 0 && interPodConstraints.veto(slot).isEmpty()) {
                ScoreBucket bucket = buckets.get(buckets.findOrAdd(classScorer.bucketKey(slot)));
                buckets.onNodeAdded(bucket);
                bucketOf.add(bucket);
                slots[count] = slot;
                keys[count++] = key;
            }
        }
        buckets.normalize(zoneCounts::inDomain);
        interPodScores = interPodConstraints.scores(slots, count, classScorer.weights());
    }

    Optional<ScoredNode> best() {
        int best = -1;
        long bestTotal = 0;
        for (int i = 0; i < count; i++) {
            long total = totalAt(i);
            if (best < 0 || total > bestTotal || (total == bestTotal && table.winsTie(slots[i], slots[best]))) {
                best = i;
                bestTotal = total;
            }
        }
        return best < 0 ? Optional.empty() : Optional.of(new ScoredNode(slots[best], bestTotal));
    }

    private long totalAt(int place) {
        return bucketOf.get(place).total(classScorer.scoreOf(keys[place])) + interPodScores[place];
    }

    /** The total score of one node; empty if the node is not feasible. */
    OptionalLong total(int slot) {
        int place = Arrays.binarySearch(slots, 0, count, slot);
        return place < 0 ? OptionalLong.empty() : OptionalLong.of(totalAt(place));
    }
}
