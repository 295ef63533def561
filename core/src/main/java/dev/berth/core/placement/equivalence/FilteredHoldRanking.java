package dev.berth.core.placement.equivalence;

import dev.berth.core.placement.equivalence.HoldRankings.BestHold;
import dev.berth.core.placement.equivalence.HoldRankings.HoldLookup;
import dev.berth.core.placement.table.ChangeCursor;
import dev.berth.core.placement.table.NodeTable;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * For pods and holds that a {@link HoldTable} does not describe: each node that changed is filtered as for a single pod. The
 * choice is one pass over numbers, one for each node with a usable hold.
 */
final class FilteredHoldRanking implements HoldRanking {
    private static final int ABSENT = -1;
    private static final int MIN_REBUILD_CHANGES = 64;

    private final NodeTable table;
    private final ClassScorer classScorer;
    private final ZoneCounts zoneCounts;
    private final long weight;
    private ScoreBuckets buckets;
    private int[] positionOf = new int[0];
    /** The following arrays are by position: the nodes with a usable hold, without gaps. */
    private int[] slots = new int[16];

    private int[] bucketOf = new int[16];
    private long[] scores = new long[16];
    private long[] orders = new long[16];
    private @Nullable BestHold[] bestHolds = new BestHold[16];
    private int count;

    /** Nodes that changed, or were found by a rebuild, and that were not evaluated yet. */
    private final BitSet dirty = new BitSet();

    /** Every change of a node is in this log: its pods, holds, labels and taints. */
    private final ChangeCursor nodeChanges;

    private final ChangeCursor imageChanges;

    FilteredHoldRanking(NodeTable table, ClassScorer classScorer, long weight) {
        this.table = table;
        this.classScorer = classScorer;
        this.zoneCounts = new ZoneCounts(table, classScorer);
        this.weight = weight;
        this.buckets = new ScoreBuckets(classScorer);
        this.nodeChanges = new ChangeCursor(table.resourceChanges());
        this.imageChanges = new ChangeCursor(classScorer.images().changes());
    }

    @Override
    public boolean refresh(HoldLookup holdLookup, BooleanSupplier timeIsUp) {
        classScorer.refresh();
        if (positionOf.length < table.slotBound()) {
            int known = positionOf.length;
            positionOf = Arrays.copyOf(positionOf, table.slotBound() + table.slotBound() / 4);
            Arrays.fill(positionOf, known, positionOf.length, ABSENT);
        }
        if (needsRebuild()) {
            rebuild(holdLookup);
        } else {
            collectDirty();
        }
        for (int slot = dirty.nextSetBit(0); slot >= 0; slot = dirty.nextSetBit(slot + 1)) {
            update(slot, holdLookup);
            dirty.clear(slot);
            if (timeIsUp.getAsBoolean()) {
                break;
            }
        }
        return dirty.isEmpty();
    }

    @Override
    public boolean isUsable() {
        return true;
    }

    private boolean needsRebuild() {
        boolean mostChanged = dirty.isEmpty() && nodeChanges.unreadCount() > count + MIN_REBUILD_CHANGES;
        return mostChanged || nodeChanges.mustReadAll() || imageChanges.mustReadAll() || buckets.needsRebuild();
    }

    private void rebuild(HoldLookup holdLookup) {
        buckets = new ScoreBuckets(classScorer);
        Arrays.fill(positionOf, ABSENT);
        count = 0;
        zoneCounts.clear();
        for (int slot = 0; zoneCounts.hasNodeConstraints() && slot < table.slotBound(); slot++) {
            zoneCounts.update(slot);
        }
        dirty.clear();
        for (int slot : holdLookup.slots()) {
            dirty.set(slot);
        }
        nodeChanges.moveToHead();
        imageChanges.moveToHead();
    }

    private void collectDirty() {
        nodeChanges.addUnreadTo(dirty);
        imageChanges.addUnreadTo(dirty);
        nodeChanges.moveToHead();
        imageChanges.moveToHead();
    }

    private void update(int slot, HoldLookup holdLookup) {
        zoneCounts.update(slot);
        remove(slot);
        if (table.stateAt(slot).isPresent()) {
            holdLookup.bestHoldAt(slot).ifPresent(bestHold -> insert(slot, bestHold));
        }
    }

    private void insert(int slot, BestHold bestHold) {
        if (count == slots.length) {
            slots = Arrays.copyOf(slots, 2 * count);
            bucketOf = Arrays.copyOf(bucketOf, 2 * count);
            scores = Arrays.copyOf(scores, 2 * count);
            orders = Arrays.copyOf(orders, 2 * count);
            bestHolds = Arrays.copyOf(bestHolds, 2 * count);
        }
        int preferenceClass = classScorer
                .staticFilters()
                .preferenceClassOf(table.stateAt(slot).orElseThrow().node());
        int bucket = buckets.findOrAdd(classScorer.bucketKey(slot, preferenceClass));
        buckets.onNodeAdded(buckets.get(bucket));
        positionOf[slot] = count;
        slots[count] = slot;
        bucketOf[count] = bucket;
        scores[count] = classScorer.scoreWithHold(slot, bestHold.outstanding()) + weight * bestHold.fillScore();
        orders[count] = bestHold.order();
        bestHolds[count] = bestHold;
        count++;
    }

    private void remove(int slot) {
        int place = positionOf[slot];
        if (place == ABSENT) {
            return;
        }
        buckets.onNodeRemoved(buckets.get(bucketOf[place]));
        positionOf[slot] = ABSENT;
        count--;
        if (place != count) {
            slots[place] = slots[count];
            bucketOf[place] = bucketOf[count];
            scores[place] = scores[count];
            orders[place] = orders[count];
            bestHolds[place] = bestHolds[count];
            positionOf[slots[place]] = place;
        }
        bestHolds[count] = null;
    }

    @Override
    public Optional<HoldRankings.ScoredHold> best() {
        buckets.normalize(zoneCounts::inDomain);
        int best = -1;
        long most = -1;
        long first = Long.MAX_VALUE;
        for (int place = 0; place < count; place++) {
            long order = orders[place];
            if (order > first) {
                continue;
            }
            long total = buckets.get(bucketOf[place]).total(scores[place]);
            if (order < first || total > most || (total == most && table.winsTie(slots[place], slots[best]))) {
                best = place;
                most = total;
                first = order;
            }
        }
        @Nullable BestHold bestHold = best < 0 ? null : bestHolds[best];
        return bestHold == null
                ? Optional.empty()
                : Optional.of(new HoldRankings.ScoredHold(slots[best], most, bestHold));
    }
}
