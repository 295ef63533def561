package dev.berth.core.placement.filter;

import dev.berth.core.hold.ComponentId;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * A hold that blocks a pod, and where the hold came from.
 *
 * @param amount what it holds of the insufficient resource; 0 if the veto is not about an amount
 * @param deadline when the hold ends at the latest; empty if it ends with an API object
 */
public record BlockingHold(HoldId hold, Origin origin, long amount, Optional<Instant> deadline) {
    /** The order in messages: the holds with the largest amounts come first. */
    static final Comparator<BlockingHold> LARGEST_FIRST = Comparator.comparingLong(BlockingHold::amount)
            .reversed()
            .thenComparing(blockingHold -> blockingHold.origin().displayName())
            .thenComparing(keeper -> keeper.origin().component(), ComponentId.ORDER)
            .thenComparing(BlockingHold::hold);

    public static BlockingHold of(Hold hold) {
        return of(hold, 0);
    }

    public static BlockingHold of(Hold hold, long amount) {
        return new BlockingHold(hold.id(), hold.origin(), amount, hold.deadline());
    }
}
