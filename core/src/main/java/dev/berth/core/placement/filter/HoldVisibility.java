package dev.berth.core.placement.filter;

import dev.berth.core.hold.Hold;
import dev.berth.core.hold.OwnerRule;
import java.util.Collection;

/**
 * Which holds a pod does not see: as neighbours those that it may use, and all Reservations in every respect if it
 * ignores them.
 *
 * @param ownerRules the owner rules that admit the pod. None for a reservation that needs a place: it sees all holds
 * @param ignoresReservations whether the pod is placed as if there were no Reservations
 */
public record HoldVisibility(Collection<OwnerRule> ownerRules, boolean ignoresReservations) {
    /** Whether the pod does not see the hold as a neighbour. No pod may start to use a closed hold, so owners see it. */
    public boolean hides(Hold hold) {
        return (ignoresReservations && hold.isReservation())
                || (!hold.isClosed() && ownerRules.contains(hold.ownerRule()));
    }
}
