package dev.berth.core.ledger;

import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.resource.Resources;
import java.util.List;
import java.util.Optional;

/**
 * The account of one hold at one moment. Immutable.
 *
 * @param nodeName the node it is on; empty while no node of its UID is known, when it keeps nothing
 * @param outstanding what it keeps beyond what claims and backers already use, in the dimensions of its size
 * @param allocated what its claims ask for in the dimensions of its size; may exceed the size
 * @param claims who uses it, confirmed ones first; at most one where it is for once
 */
public record HoldState(
        Hold hold, Optional<String> nodeName, Resources outstanding, Resources allocated, List<Claim> claims) {

    /** Whether a confirmed claim has used it up: a hold for once keeps nothing after that. */
    public boolean spent() {
        return hold.once() && !claims.isEmpty() && claims.get(0).confirmed();
    }

    /** Whether one more pod may use it. */
    public boolean claimable() {
        return nodeName.isPresent() && !(hold.once() && !claims.isEmpty());
    }
}
