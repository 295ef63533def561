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

/** What {@link Settlement} knows of one hold; each part is brought up to date when something that it depends on changed. */
final class HoldEntry {
    private Hold hold;
    private List<Claim> claims = List.of();
    private Resources allocated = Resources.NONE;
    /** The room of its claims that is not credited to a hold that they back, in the dimensions of its size. */
    private Resources used = Resources.NONE;
    /** What its backers bring together, in the dimensions of its size. */
    private Resources backed = Resources.NONE;
    /** The same by backer. */
    private Map<PodUid, Resources> parts = Map.of();

    HoldEntry(Hold hold) {
        this.hold = hold;
    }

    /** The entry of a hold that must be on the node. */
    static HoldEntry of(HoldId id, Map<HoldId, HoldEntry> entries) {
        @Nullable HoldEntry entry = entries.get(id);
        if (entry == null) {
            throw new IllegalStateException("hold (%s) is not on this node".formatted(id));
        }
        return entry;
    }

    Hold hold() {
        return hold;
    }

    /** Those that count, confirmed ones first. */
    List<Claim> claims() {
        return claims;
    }

    Resources backed() {
        return backed;
    }

    Map<PodUid, Resources> parts() {
        return parts;
    }

    /** Whether it is for once and a pod has it that is not about to leave it to the drawing hold. */
    boolean isTakenFrom(Hold drawing) {
        return hold.once()
                && claims.stream().anyMatch(claim -> !drawing.backers().contains(claim.pod()));
    }

    /** The size without what its claims use. */
    Resources left() {
        return hold.size().minus(used);
    }

    /**
     * The hold or its claims are others now.
     *
     * @param believed the claims that are believed, those of ended pods among them
     */
    void refresh(Hold now, Collection<Claim> believed, PackedMap<PodUid, Pod> counting) {
        hold = now;
        // Of a hold for once all of them, those of ended pods too; of a shared one those that still use the node.
        claims = believed.isEmpty()
                ? List.of()
                : believed.stream()
                        .filter(claim -> now.once() || counting.get(claim.pod()).isPresent())
                        .sorted()
                        .toList();
        allocated = Resources.NONE.onlyOf(now.size());
        for (Claim claim : claims) {
            allocated =
                    allocated.plus(Credits.requests(counting.get(claim.pod())).onlyOf(now.size()));
        }
        credit(Resources.NONE.onlyOf(now.size()), Map.of());
    }

    void credit(Resources byAll, Map<PodUid, Resources> byBacker) {
        backed = byAll;
        parts = byBacker;
    }

    /** Sums up what its claims use. */
    void countUse(Credits credits, PackedMap<PodUid, Pod> counting) {
        used = credits.usedBy(this, counting);
    }

    /**
     * The room of one of its claims that is not credited to another hold has changed.
     *
     * @return false when the sum stands at the end of the range and must be counted again
     */
    boolean changeUse(Resources before, Resources after) {
        if (used.isCapped()) {
            return false;
        }
        used = used.minus(before.onlyOf(hold.size())).plus(after.onlyOf(hold.size()));
        return !used.isCapped();
    }

    HoldState state(String nodeName, Draws draws) {
        Resources left = left().minus(backed).minus(draws.given());
        return new HoldState(hold, Optional.of(nodeName), left.atLeastZero(), allocated, claims, draws);
    }
}
