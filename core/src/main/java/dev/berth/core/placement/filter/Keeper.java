package dev.berth.core.placement.filter;

import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * A hold that stands in a pod's way, and where it came from.
 *
 * @param amount what it holds of the resource that is short; 0 where what is short is no amount
 * @param until when the hold ends at the latest; empty where an API object keeps it without an end
 */
public record Keeper(HoldId hold, Origin origin, long amount, Optional<Instant> until) {
    /** The order in which a message names holds: those that have the most of what is short come first. */
    static final Comparator<Keeper> BY_AMOUNT = Comparator.comparingLong(Keeper::amount)
            .reversed()
            .thenComparing(keeper -> keeper.origin().words())
            .thenComparing(keeper -> keeper.origin().door())
            .thenComparing(Keeper::hold);

    public static Keeper of(Hold hold) {
        return of(hold, 0);
    }

    public static Keeper of(Hold hold, long amount) {
        return new Keeper(hold.id(), hold.origin(), amount, hold.deadline());
    }
}
