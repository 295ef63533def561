package dev.berth.core.placement.equivalence;

import dev.berth.core.placement.equivalence.HoldRankings.HoldLookup;
import dev.berth.core.placement.equivalence.HoldRankings.ScoredHold;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The nodes where pods of one class may use a hold, cached between pods: only nodes that changed since are evaluated again.
 */
public interface HoldRanking {
    /**
     * Applies all changes.
     *
     * @param timeIsUp called after each node that is read; once it returns true, the next call continues where this one
     *     stopped
     * @return whether all changes are applied
     */
    boolean refresh(HoldLookup holdLookup, BooleanSupplier timeIsUp);

    /** Whether {@link #best} can answer: whether so many nodes and different scores can be represented. */
    boolean isUsable();

    /** The best node and its hold. The order comes before the totals. Equal totals are decided by the tie-break key. */
    Optional<ScoredHold> best();
}
