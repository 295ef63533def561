package dev.berth.core.decision;

import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.queue.Happening;
import dev.berth.core.queue.Remedy;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What a refused pod waits for: an event of a kind that can lift the vetoes it met, on a node that would then take it.
 *
 * @param hints the kinds of events that can help
 * @param takes whether the node would take the pod as both are now
 */
record RefusalRemedy(Set<Hint> hints, Predicate<NodeState> takes) implements Remedy {
    @Override
    public boolean mayComeFrom(Happening happening) {
        if (happening instanceof Happening.NodeChanged changed) {
            Hint hint = changed.before().isPresent() ? Hint.NODE_UPDATED : Hint.NODE_ADDED;
            return hints.contains(hint) && takes.test(changed.after());
        }
        if (happening instanceof Happening.PodLeft left) {
            return hints.contains(Hint.POD_GONE) && takes.test(left.node());
        }
        if (happening instanceof Happening.HoldChanged) {
            return hints.contains(Hint.HOLD_GONE) || hints.contains(Hint.HOLD_ADDED);
        }
        return false;
    }
}
