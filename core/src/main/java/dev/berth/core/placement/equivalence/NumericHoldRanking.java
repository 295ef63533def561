package dev.berth.core.placement.equivalence;

import dev.berth.core.hold.ReservationInfo;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.placement.equivalence.HoldRankings.BestHold;
import dev.berth.core.placement.equivalence.HoldRankings.HoldLookup;
import dev.berth.core.placement.equivalence.HoldRankings.ScoredHold;
import dev.berth.core.placement.table.ChangeCursor;
import dev.berth.core.placement.table.NodeTable;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;

/**
 * For pods and holds that a {@link HoldTable} describes. A changed node costs a few comparisons of numbers. Most nodes are
 * not listed, because the pod fills their holds less than the best ones, and their other scores are not computed.
 */
final class NumericHoldRanking implements HoldRanking {
    /** The key of a node that is not listed, whatever its scores. */
    private static final int LOWEST_KEY = 1;

    private final NodeTable table;
    private final HoldTable holds;
    private final ClassScorer classScorer;
    private final HoldScorer holdScorer;
    private final ZoneCounts zoneCounts;
    private final IntUnaryOperator podsInDomain;
    private final DirtySlots dirtySlots;
    private final RankedSlots nodes;
    private final ChangeCursor holdChanges;
    private final ChangeCursor resourceChanges;
    private final ChangeCursor staticFilterChanges;
    private final ChangeCursor imageChanges;
    private final ChangeCursor groupChanges;

    NumericHoldRanking(
            NodeTable table, HoldTable holds, ClassScorer classScorer, HoldScorer holdScorer, DirtySlots dirtySlots) {
        this.table = table;
        this.holds = holds;
        this.classScorer = classScorer;
        this.holdScorer = holdScorer;
        this.dirtySlots = dirtySlots;
        this.zoneCounts = new ZoneCounts(table, classScorer);
        this.podsInDomain = zoneCounts::inDomain;
        this.nodes = new RankedSlots(table, classScorer, dirtySlots, holdScorer::key, holdScorer::scoreOf);
        this.holdChanges = new ChangeCursor(holds.changes());
        this.resourceChanges = new ChangeCursor(table.resourceChanges());
        this.staticFilterChanges = new ChangeCursor(classScorer.staticFilters().changes());
        this.imageChanges = new ChangeCursor(classScorer.images().changes());
        this.groupChanges = new ChangeCursor(classScorer.groupChanges());
    }

    @Override
    public boolean isUsable() {
        return nodes.isUsable();
    }

    @Override
    public boolean refresh(HoldLookup holdLookup, BooleanSupplier timeIsUp) {
        if (!holds.refresh(timeIsUp)) {
            return false;
        }
        classScorer.refresh();
        if (needsRebuild()) {
            rebuild();
        } else {
            nodes.ensureCapacity();
            updateZoneCounts();
            updateNodes();
        }
        holdChanges.moveToHead();
        resourceChanges.moveToHead();
        staticFilterChanges.moveToHead();
        imageChanges.moveToHead();
        groupChanges.moveToHead();
        return true;
    }

    private boolean needsRebuild() {
        return holdChanges.mustReadAll()
                || (zoneCounts.hasNodeConstraints() && resourceChanges.mustReadAll())
                || staticFilterChanges.mustReadAll()
                || imageChanges.mustReadAll()
                || groupChanges.mustReadAll()
                || nodes.needsRebuild();
    }

    private void rebuild() {
        nodes.clear();
        zoneCounts.clear();
        for (int slot = 0; slot < table.slotBound() && isUsable(); slot++) {
            zoneCounts.update(slot);
            update(slot);
        }
    }

    /** Pods on nodes without holds count, too. */
    private void updateZoneCounts() {
        if (zoneCounts.hasNodeConstraints()) {
            dirtySlots.reset(table.slotBound());
            dirtySlots.addUnread(resourceChanges);
            dirtySlots.addUnread(staticFilterChanges);
            dirtySlots.addUnread(groupChanges);
            for (int i = 0; i < dirtySlots.count; i++) {
                zoneCounts.update(dirtySlots.slots[i]);
            }
        }
    }

    private void updateNodes() {
        dirtySlots.reset(table.slotBound());
        dirtySlots.addUnread(holdChanges);
        dirtySlots.addUnread(staticFilterChanges);
        dirtySlots.addUnread(imageChanges);
        dirtySlots.addUnread(groupChanges);
        for (int i = 0; i < dirtySlots.count; i++) {
            update(dirtySlots.slots[i]);
        }
    }

    private void update(int slot) {
        int hold = holdScorer.bestHold(slot);
        if (hold < 0) {
            nodes.remove(slot);
            return;
        }
        if (!nodes.put(slot, classScorer.bucketKey(slot))) {
            return;
        }
        boolean couldBeListed = holdScorer.maxKey(holdScorer.fillScore(slot, hold)) >= nodes.thresholdAt(slot);
        nodes.updateListing(slot, couldBeListed ? holdScorer.key(slot, hold) : LOWEST_KEY);
    }

    @Override
    public Optional<ScoredHold> best() {
        return nodes.best(podsInDomain).map(best -> {
            int number = holdScorer.bestHold(best.slot());
            HoldState hold = holds.at(best.slot()).hold(number);
            BestHold bestHold = new BestHold(
                    hold.hold().id(),
                    hold.outstanding(),
                    holdScorer.fillScore(best.slot(), number),
                    ReservationInfo.UNORDERED);
            return new ScoredHold(best.slot(), best.total(), bestHold);
        });
    }
}
