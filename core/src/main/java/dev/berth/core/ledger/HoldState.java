package dev.berth.core.ledger;

import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Optional;

/**
 * A hold with its current use. Immutable.
 *
 * @param nodeName the node of the hold; empty while no node with its UID is known, when the hold holds nothing
 * @param outstanding what the hold still holds in addition to claims, backers and draws, in the dimensions of its size
 * @param allocated what its claims request, in the dimensions of its size; may exceed the size
 * @param claims the pods that use it, confirmed claims first. An allocateOnce hold has one claim at most, or those that were
 *     made while it was not allocateOnce
 */
public record HoldState(
        Hold hold,
        Optional<String> nodeName,
        Resources outstanding,
        Resources allocated,
        List<Claim> claims,
        Draws draws) {

    /**
     * What other holds draw on the hold, and what it draws on its source.
     *
     * @param drawingHolds how many holds draw on it
     * @param given what these holds draw together, in the dimensions of its size
     * @param source the hold that it draws on. Empty when that hold ended, does not admit the owner, is allocateOnce and used
     *     by a pod that does not back this hold, or cannot give all of a resource that it restricts
     * @param taken what it draws on the source, in the dimensions of the source
     */
    public record Draws(int drawingHolds, Resources given, Optional<HoldId> source, Resources taken) {
        public static final Draws NONE = new Draws(0, Resources.NONE, Optional.empty(), Resources.NONE);
    }

    /** What an owner may still use of the hold: the outstanding resources without those that no owner may use. */
    public Resources remaining() {
        return hold.innerReserved().isZero()
                ? outstanding
                : outstanding.minus(hold.innerReserved()).atLeastZero();
    }

    /**
     * Whether a confirmed claim consumed the allocateOnce hold. What the claim does not use stays held until the door removes
     * the hold, because the object of the hold may still promise all of it.
     */
    public boolean spent() {
        return hold.allocateOnce() && !claims.isEmpty() && claims.get(0).confirmed();
    }

    /** Whether one more pod may use it. An allocateOnce hold that another hold draws on is promised to that hold's pod. */
    public boolean claimable() {
        boolean inUse = !claims.isEmpty() || draws.drawingHolds() > 0;
        return nodeName.isPresent() && !(hold.allocateOnce() && inUse);
    }
}
