package dev.berth.core.ledger;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.HoldState.Draws;
import dev.berth.core.persistent.PackedMap;
import dev.berth.core.resource.Resources;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What {@link HoldAccounting} knows of one hold. Each field is recomputed when something that it depends on changed. */
final class HoldBalance {
    private Hold hold;
    private List<Claim> claims = List.of();
    private Resources allocated = Resources.NONE;
    /**
     * What its claims use of the hold, in the dimensions of its size. Requests that are credited to a hold that the claiming pod
     * backs do not count.
     */
    private Resources used = Resources.NONE;
    /** What its backers are credited with together, in the dimensions of its size. */
    private Resources backed = Resources.NONE;
    /** The same by backer. */
    private Map<PodUid, Resources> creditByBacker = Map.of();

    HoldBalance(Hold hold) {
        this.hold = hold;
    }

    /** The balance of a hold that must be on the node. */
    static HoldBalance require(HoldId id, Map<HoldId, HoldBalance> entries) {
        @Nullable HoldBalance entry = entries.get(id);
        if (entry == null) {
            throw new IllegalStateException("hold (%s) is not on this node".formatted(id));
        }
        return entry;
    }

    Hold hold() {
        return hold;
    }

    /** The claims that count, confirmed claims first. */
    List<Claim> claims() {
        return claims;
    }

    Resources backed() {
        return backed;
    }

    Map<PodUid, Resources> creditByBacker() {
        return creditByBacker;
    }

    /** Whether the hold is allocateOnce and claimed by a pod that does not back the drawing hold. */
    boolean isClaimedByNonBackerOf(Hold drawing) {
        return hold.allocateOnce()
                && claims.stream().anyMatch(claim -> !drawing.backers().contains(claim.pod()));
    }

    /** The size minus what the claims use. What owners may not use is never used up. */
    Resources remaining() {
        return remaining(used);
    }

    private Resources remaining(Resources use) {
        Resources innerReserved = hold.innerReserved();
        return innerReserved.isZero()
                ? hold.size().minus(use)
                : hold.size().minus(innerReserved).minus(use).atLeastZero().plus(innerReserved);
    }

    /** What of the hold is not used before the holds with backers are credited. */
    Resources unused(BackerCredits credits, PackedMap<PodUid, Pod> activePods) {
        return remaining(credits.usedBy(this, activePods)).atLeastZero();
    }

    /** What other holds may draw on: the rest that owners may use. */
    Resources drawable() {
        return remaining().minus(hold.innerReserved()).atLeastZero();
    }

    /**
     * The hold or its claims changed.
     *
     * @param trusted the trusted claims, including those of finished pods
     */
    void refresh(Hold now, Collection<Claim> trusted, PackedMap<PodUid, Pod> activePods) {
        hold = now;
        // A finished pod still consumes an allocateOnce hold. A shared hold counts the claims of active pods alone.
        claims = trusted.isEmpty()
                ? List.of()
                : trusted.stream()
                        .filter(claim -> now.allocateOnce()
                                || activePods.get(claim.pod()).isPresent())
                        .sorted()
                        .toList();
        allocated = Resources.NONE.inDimensionsOf(now.size());
        for (Claim claim : claims) {
            allocated = allocated.plus(
                    BackerCredits.requests(activePods.get(claim.pod())).inDimensionsOf(now.size()));
        }
        setCredit(Resources.NONE.inDimensionsOf(now.size()), Map.of());
    }

    void setCredit(Resources total, Map<PodUid, Resources> byBacker) {
        backed = total;
        creditByBacker = byBacker;
    }

    /** Sums up what its claims use. */
    void recomputeUse(BackerCredits credits, PackedMap<PodUid, Pod> activePods) {
        used = credits.usedBy(this, activePods);
    }

    /**
     * Replaces what one of its claims uses.
     *
     * @return false when the sum is at the end of the range of a long: then {@link #recomputeUse} is necessary
     */
    boolean adjustUse(Resources before, Resources after) {
        if (used.isCapped()) {
            return false;
        }
        used = used.minus(before.inDimensionsOf(hold.size())).plus(after.inDimensionsOf(hold.size()));
        return !used.isCapped();
    }

    HoldState state(String nodeName, Draws draws) {
        Resources left = remaining().minus(backed).minus(draws.given());
        return new HoldState(hold, Optional.of(nodeName), left.atLeastZero(), allocated, claims, draws);
    }
}
