package dev.berth.core.placement.equivalence;

import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.score.SpreadScore;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.ZoneIds;
import java.util.Arrays;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;

/**
 * The buckets of one class, and the choice among them. Normalized scores depend on a node's bucket alone, so the best
 * node is the best one of some bucket. The cost is O(buckets), not O(nodes).
 */
final class ScoreBuckets {
    private final ClassScorer classScorer;
    private final IntToLongFunction scoreOfKey;
    private ScoreBucket[] buckets = new ScoreBucket[8];
    private int size;
    private int nonEmpty;
    /** An open hash table of bucket numbers plus one, by key. */
    private int[] numbers = new int[16];

    private int feasible;
    private int[] feasibleByDomain = new int[4];
    private int domains;

    private int lastFeasible = -1;
    private double hostWeight;
    private int lastDomains = -1;
    private double zoneWeight;

    ScoreBuckets(ClassScorer classScorer) {
        this(classScorer, classScorer::scoreOf);
    }

    /** @param scoreOfKey the scores of a node that depend on it alone, from its key */
    ScoreBuckets(ClassScorer classScorer, IntToLongFunction scoreOfKey) {
        this.classScorer = classScorer;
        this.scoreOfKey = scoreOfKey;
    }

    ScoreBucket get(int number) {
        return buckets[number];
    }

    /** Whether there are so many empty buckets that a rebuild is cheaper. */
    boolean needsRebuild() {
        return size > 2 * nonEmpty + 16;
    }

    long bytes() {
        long bytes = 16L * numbers.length;
        for (int i = 0; i < size; i++) {
            bytes += buckets[i].bytes();
        }
        return bytes;
    }

    int findOrAdd(long key) {
        int mask = numbers.length - 1;
        int at = hash(key) & mask;
        while (numbers[at] != 0) {
            int number = numbers[at] - 1;
            if (buckets[number].key == key) {
                return number;
            }
            at = (at + 1) & mask;
        }
        return add(key, at);
    }

    private int add(long key, int at) {
        if (size == buckets.length) {
            buckets = Arrays.copyOf(buckets, size * 2);
        }
        buckets[size] = new ScoreBucket(key, classScorer.staticFilters());
        numbers[at] = size + 1;
        size++;
        if (size * 2 > numbers.length) {
            rehash();
        }
        return size - 1;
    }

    private void rehash() {
        numbers = new int[numbers.length * 2];
        int mask = numbers.length - 1;
        for (int number = 0; number < size; number++) {
            int at = hash(buckets[number].key) & mask;
            while (numbers[at] != 0) {
                at = (at + 1) & mask;
            }
            numbers[at] = number + 1;
        }
    }

    private static int hash(long key) {
        long mixed = key * 0x9e3779b97f4a7c15L;
        return (int) (mixed >>> 40);
    }

    void onNodeAdded(ScoreBucket bucket) {
        bucket.count++;
        nonEmpty += bucket.count == 1 ? 1 : 0;
        feasible++;
        int domain = ZoneIds.domainOf(bucket.zone);
        if (domain >= feasibleByDomain.length) {
            feasibleByDomain = Arrays.copyOf(feasibleByDomain, Math.max(domain + 1, feasibleByDomain.length * 2));
        }
        if (feasibleByDomain[domain]++ == 0) {
            domains++;
        }
    }

    void onNodeRemoved(ScoreBucket bucket) {
        bucket.count--;
        nonEmpty -= bucket.count == 0 ? 1 : 0;
        feasible--;
        if (--feasibleByDomain[ZoneIds.domainOf(bucket.zone)] == 0) {
            domains--;
        }
    }

    /**
     * Computes the common score of each bucket from the present minimum and maximum.
     *
     * @param podsInDomain the number of pods in each zone that the pod is spread from
     */
    void normalize(IntUnaryOperator podsInDomain) {
        int mostTaints = 0;
        int maxPreferenceWeight = 0;
        for (int i = 0; i < size; i++) {
            ScoreBucket bucket = buckets[i];
            if (bucket.count > 0) {
                mostTaints = Math.max(mostTaints, bucket.avoidedTaints);
                maxPreferenceWeight = Math.max(maxPreferenceWeight, bucket.preferenceWeight);
            }
        }
        ScoreWeights weights = classScorer.weights();
        long same = 100L * weights.taintToleration();
        for (int i = 0; i < size; i++) {
            ScoreBucket bucket = buckets[i];
            bucket.sharedScore = same;
            if (mostTaints > 0) {
                bucket.sharedScore -= weights.taintToleration() * (100L * bucket.avoidedTaints / mostTaints);
            }
            if (maxPreferenceWeight > 0) {
                bucket.sharedScore += weights.nodeAffinity() * (100L * bucket.preferenceWeight / maxPreferenceWeight);
            }
        }
        if (classScorer.hasSpreadGroup()) {
            normalizeSpread(podsInDomain);
        }
    }

    private void normalizeSpread(IntUnaryOperator podsInDomain) {
        if (lastFeasible != feasible) {
            lastFeasible = feasible;
            hostWeight = SpreadScore.topologyWeight(feasible);
        }
        if (lastDomains != domains) {
            lastDomains = domains;
            zoneWeight = SpreadScore.topologyWeight(domains);
        }
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int i = 0; i < size; i++) {
            ScoreBucket bucket = buckets[i];
            if (bucket.count > 0) {
                double host = bucket.hasHostname ? SpreadScore.hostScore(bucket.pods, hostWeight) : 0;
                double zone = bucket.zone == ZoneIds.NONE
                        ? 0
                        : SpreadScore.zoneScore(podsInDomain.applyAsInt(ZoneIds.domainOf(bucket.zone)), zoneWeight);
                bucket.rawSpreadScore = SpreadScore.rawScore(host, zone);
                least = Math.min(least, bucket.rawSpreadScore);
                most = Math.max(most, bucket.rawSpreadScore);
            }
        }
        for (int i = 0; i < size; i++) {
            ScoreBucket bucket = buckets[i];
            if (bucket.count > 0) {
                bucket.sharedScore += classScorer.weights().podTopologySpread()
                        * SpreadScore.normalize(bucket.rawSpreadScore, least, most);
            }
        }
    }

    /** The total of the bucket's best listed node. Negative if none is listed. */
    long bestTotal(ScoreBucket bucket) {
        int key = bucket.bestKey();
        return key == 0 ? -1 : bucket.total(scoreOfKey.applyAsLong(key));
    }

    /** The greatest total of all listed nodes. Negative if none is listed. */
    long bestTotal() {
        long best = -1;
        for (int i = 0; i < size; i++) {
            best = Math.max(best, bestTotal(buckets[i]));
        }
        return best;
    }

    /** Whether none of the bucket's nodes is listed although one could reach this total. */
    boolean unlistedCouldReach(ScoreBucket bucket, long total) {
        return bucket.listedCount() == 0
                && bucket.count > 0
                && (bucket.threshold == ScoreBucket.NO_THRESHOLD
                        || bucket.total(scoreOfKey.applyAsLong(bucket.threshold)) >= total);
    }

    /** The slot of the node with this total, which is the greatest. Equal totals are decided by the tie-break key. */
    int bestSlot(long total, NodeTable table) {
        int winner = -1;
        for (int i = 0; i < size; i++) {
            ScoreBucket bucket = buckets[i];
            if (bestTotal(bucket) == total) {
                int key = bucket.bestKey();
                for (int place = 0; place < bucket.listedCount(); place++) {
                    // A key contains only a part of the tie-break key: two nodes may have the same key.
                    if (bucket.keyAt(place) == key && (winner < 0 || table.winsTie(bucket.slotAt(place), winner))) {
                        winner = bucket.slotAt(place);
                    }
                }
            }
        }
        return winner;
    }

    int size() {
        return size;
    }
}
