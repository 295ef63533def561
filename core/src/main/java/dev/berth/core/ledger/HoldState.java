package dev.berth.core.ledger;

import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Optional;

/**
 * The account of one hold at one moment. Immutable.
 *
 * @param nodeName the node it is on; empty while no node of its UID is known, when it keeps nothing
 * @param outstanding what it keeps beyond what claims, backers and draws already have, in the dimensions of its size
 * @param allocated what its claims ask for in the dimensions of its size; may exceed the size
 * @param claims who uses it, confirmed ones first; where it is for once, one at
 *     most, or those that were made while it was shared
 */
public record HoldState(
        Hold hold,
        Optional<String> nodeName,
        Resources outstanding,
        Resources allocated,
        List<Claim> claims,
        Draws draws) {

    /**
     * What is drawn on the hold, and what it draws itself.
     *
     * @param drawers how many holds draw on it
     * @param given what they draw together, in the dimensions of its size
     * @param on the hold that it draws on; empty when that hold is gone, is not for the owner, is for once and used by a
     *     pod that does not back this hold, or cannot give all of a resource that it restricts
     * @param taken what it draws there, in the dimensions of that hold
     */
    public record Draws(int drawers, Resources given, Optional<HoldId> on, Resources taken) {
        public static final Draws NONE = new Draws(0, Resources.NONE, Optional.empty(), Resources.NONE);
    }

    /**
     * Whether a confirmed claim has used it up, because it is for once. What the claim leaves over stays kept until the
     * door removes the hold: its object may still promise all of it.
     */
    public boolean spent() {
        return hold.once() && !claims.isEmpty() && claims.get(0).confirmed();
    }

    /** Whether one more pod may use it. A hold for once is promised to the pod that another hold draws on it for. */
    public boolean claimable() {
        boolean taken = !claims.isEmpty() || draws.drawers() > 0;
        return nodeName.isPresent() && !(hold.once() && taken);
    }
}
