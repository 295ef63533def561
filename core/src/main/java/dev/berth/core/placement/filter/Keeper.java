package dev.berth.core.placement.filter;

import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;

/** A hold that stands in a pod's way, and where it came from. */
public record Keeper(HoldId hold, Origin origin) {
    public static Keeper of(Hold hold) {
        return new Keeper(hold.id(), hold.origin());
    }
}
