package dev.berth.core.decision;

import dev.berth.core.placement.Placement;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.queue.Happening;
import dev.berth.core.queue.Remedy;
import java.util.EnumSet;
import java.util.Set;

/** What a refused pod waits for: the kinds of events that can lift the vetoes it met. */
final class RefusalRemedy implements Remedy {
    private final Set<Hint> hints;

    RefusalRemedy(Placement.Refused refused) {
        this.hints = refused.hints();
    }

    @Override
    public boolean mayComeFrom(Happening happening) {
        return meanings(happening).stream().anyMatch(hints::contains);
    }

    private static Set<Hint> meanings(Happening happening) {
        if (happening instanceof Happening.NodeChanged node) {
            return EnumSet.of(node.before().isPresent() ? Hint.NODE_UPDATED : Hint.NODE_ADDED);
        }
        if (happening instanceof Happening.PodLeft) {
            return EnumSet.of(Hint.POD_GONE);
        }
        if (happening instanceof Happening.HoldChanged) {
            return EnumSet.of(Hint.HOLD_GONE, Hint.HOLD_ADDED);
        }
        return EnumSet.noneOf(Hint.class);
    }
}
