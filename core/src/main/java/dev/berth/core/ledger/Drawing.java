package dev.berth.core.ledger;

import dev.berth.core.hold.Draw;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.HoldPolicy;
import dev.berth.core.ledger.HoldState.Draws;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.HashMap;
import java.util.Map;

/**
 * What the holds of one node draw on each other, in the order of their ids: draw(n, h) = min(size(n) − what backers of n
 * bring that claim no room of h, size(h) − claims of h that stay − earlier draws on h), in every resource of h. As long as
 * backers are there, their room is not drawn a second time: should n end before they leave, h needs all of its own.
 */
final class Drawing {
    private final Map<HoldId, Draws> draws = new HashMap<>();

    /** The hold that is drawn on, and what its claims that stay leave of it. */
    record Source(Hold hold, boolean taken, Resources left) {}

    /**
     * Notes what the hold draws on the source, if it may.
     *
     * @param wanted what the hold has from no backer but those that leave it room of the source
     */
    void draw(Hold drawing, Draw draw, Resources wanted, Source source) {
        if (source.taken || !source.hold.admits(draw.owner())) {
            return;
        }
        HoldId on = source.hold.id();
        Resources left = source.left.minus(draws(on).given()).atLeastZero();
        if (fits(drawing, source.hold, left)) {
            Resources amount = wanted.onlyOf(source.hold.size()).atLeastZero().min(left);
            draws.put(on, draws(on).plus(amount));
            draws.put(drawing.id(), draws(drawing.id()).drawing(on, amount));
        }
    }

    /** Of what a hold restricts, its owner gets all from the hold or cannot use the hold. */
    private static boolean fits(Hold drawing, Hold source, Resources left) {
        if (source.policy() instanceof HoldPolicy.Restricted restricted) {
            for (ResourceName name : restricted.resources()) {
                if (source.size().has(name) && drawing.size().get(name) > left.get(name)) {
                    return false;
                }
            }
        }
        return true;
    }

    Draws draws(HoldId id) {
        return draws.getOrDefault(id, Draws.NONE);
    }
}
