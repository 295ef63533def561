package dev.berth.core.decision;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.queue.Happening;
import dev.berth.core.queue.Remedy;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * What a refused pod waits for: an event of a kind that can lift the vetoes it met, on a node that would then take it.
 * A node that changed and still does not take the pod may do so for another reason than before: what can lift that one
 * helps from then on, too.
 */
final class RefusalRemedy implements Remedy {
    private final PodUid pod;
    private final EnumSet<Hint> hints;
    private final Function<NodeState, List<Veto>> vetoes;

    /**
     * @param pod who waits
     * @param hints the kinds of events that can help
     * @param vetoes why the node, as both are now, would not take the pod; empty when it would
     */
    RefusalRemedy(PodUid pod, Set<Hint> hints, Function<NodeState, List<Veto>> vetoes) {
        this.pod = pod;
        this.hints = EnumSet.copyOf(hints);
        this.vetoes = vetoes;
    }

    @Override
    public boolean mayComeFrom(Happening happening) {
        if (happening instanceof Happening.NodeChanged changed) {
            Hint hint = changed.before().isPresent() ? Hint.NODE_UPDATED : Hint.NODE_ADDED;
            return hints.contains(hint) && takesOrSaysWhyNot(changed.after());
        }
        if (happening instanceof Happening.PodLeft left) {
            return hints.contains(Hint.POD_GONE) && takes(left.node());
        }
        if (happening instanceof Happening.HoldChanged changed) {
            return (hints.contains(Hint.HOLD_GONE) || hints.contains(Hint.HOLD_ADDED))
                    && changed.node().filter(this::takes).isPresent();
        }
        if (happening instanceof Happening.StorageChanged changed) {
            return hints.contains(changed.hint()) && changed.concerns(pod);
        }
        return happening instanceof Happening.DoorNews && hints.contains(Hint.DEVICES_CHANGED);
    }

    private boolean takes(NodeState node) {
        return vetoes.apply(node).isEmpty();
    }

    private boolean takesOrSaysWhyNot(NodeState node) {
        List<Veto> present = vetoes.apply(node);
        present.forEach(veto -> hints.addAll(veto.hints()));
        return present.isEmpty();
    }
}
