package dev.berth.core.placement.equivalence;

import dev.berth.core.cluster.PodSpec;
import dev.berth.core.placement.table.NodeRows;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.resource.ResourceName;

/**
 * The holds of a {@link HoldTable} for pods of one class. Each node with a usable hold has a <em>key</em>: how well the pod
 * fills the hold, then the scores that depend on the node alone, then a part of the tie-break key. The greatest key is the
 * best node.
 */
final class HoldScorer {
    private static final int FILL_SCORES = 101;
    private static final int KEY_BITS = 31;
    private static final int TIE_BREAK_BITS = 63;
    private static final int NONE = -1;

    private final NodeTable table;
    private final ClassScorer classScorer;
    private final HoldTable holds;
    private final boolean required;
    private final long weight;
    private final long cpu;
    private final long memory;
    private final int ownScores;
    private final int tieBreakBits;
    private final int tieBreakMask;

    /**
     * @param required whether holds count that have none of the requested resources
     * @param weight the weight of the fill score
     */
    HoldScorer(NodeTable table, PodSpec spec, ClassScorer classScorer, HoldTable holds, boolean required, long weight) {
        this.table = table;
        this.classScorer = classScorer;
        this.holds = holds;
        this.weight = weight;
        this.cpu = spec.requests().get(ResourceName.CPU);
        this.memory = spec.requests().get(ResourceName.MEMORY);
        this.required = required || spec.requests().isZero();
        this.ownScores = classScorer.maxOwnScore() + 1;
        this.tieBreakBits = tieBreakBits(ownScores);
        this.tieBreakMask = (1 << tieBreakBits) - 1;
    }

    private static int tieBreakBits(long ownScores) {
        return KEY_BITS - (Long.SIZE - Long.numberOfLeadingZeros(FILL_SCORES * ownScores));
    }

    /** Whether pods of the class need nothing that the numbers do not contain, and keys can contain all scores. */
    static boolean appliesTo(PodSpec spec, ClassScorer classScorer) {
        return !spec.reservations().isSelective()
                && classScorer.needsOnlyCpuAndMemory()
                && spec.requests().get(ResourceName.CPU) <= HoldRow.MAX_AMOUNT
                && spec.requests().get(ResourceName.MEMORY) <= HoldRow.MAX_AMOUNT
                && tieBreakBits(classScorer.maxOwnScore() + 1L) >= 0;
    }

    /** The number of the hold that the pod fills best, the first of equal ones; negative if no hold makes the node feasible. */
    int bestHold(int slot) {
        HoldRow row = holds.at(slot);
        int best = NONE;
        int most = NONE;
        for (int hold = 0; hold < row.count(); hold++) {
            if (row.fits(hold, cpu, memory) && (required || row.hasAnyOf(hold, cpu, memory))) {
                int fill = row.fillScore(hold, cpu, memory);
                if (fill > most) {
                    most = fill;
                    best = hold;
                }
            }
        }
        return best < 0 || classScorer.staticFilters().passesStaticFilters(slot) ? best : NONE;
    }

    int fillScore(int slot, int hold) {
        return holds.at(slot).fillScore(hold, cpu, memory);
    }

    int key(int slot) {
        int hold = bestHold(slot);
        return hold < 0 ? 0 : key(slot, hold);
    }

    /** The key of the node if the pod uses this hold there. */
    int key(int slot, int hold) {
        int own = classScorer.refreshedScoreWithHold(
                slot, holds.at(slot).hold(hold).outstanding());
        if (own < 0 || own >= ownScores) {
            throw new IllegalStateException(
                    "score (%d) of slot (%d) is not below (%d)".formatted(own, slot, ownScores));
        }
        long tieBreakKey = table.rows().values()[slot * NodeRows.WIDTH + NodeRows.TIE_BREAK];
        int tieBreak = (int) (tieBreakKey >>> (TIE_BREAK_BITS - tieBreakBits));
        return ((fillScore(slot, hold) * ownScores + own + 1) << tieBreakBits) | (tieBreakMask ^ tieBreak);
    }

    /** The greatest key of any node with this fill score. */
    int maxKey(int fillScore) {
        return ((fillScore * ownScores + ownScores) << tieBreakBits) | tieBreakMask;
    }

    /** The scores within a key, with their weights. */
    long scoreOf(int key) {
        int scores = (key >>> tieBreakBits) - 1;
        return scores % ownScores + weight * (scores / ownScores);
    }
}
