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
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * What refused pods wait for: an event of a kind that can lift the vetoes they met, on a node that would then take them.
 * A node that came and does not take them may do so for a reason that they did not meet yet: what can lift that one helps
 * from then on, too. A node that changed so that it refuses them for another reason wakes them, for what they were told is
 * no longer true. Shared by pods of one kin.
 */
final class RefusalRemedy implements Remedy {
    private final EnumSet<Hint> hints;
    private final BiFunction<PodUid, NodeState, List<Veto>> vetoes;

    /**
     * @param hints the kinds of events that can help
     * @param vetoes why the node would not take the pod as it is now; empty when it would
     */
    RefusalRemedy(Set<Hint> hints, BiFunction<PodUid, NodeState, List<Veto>> vetoes) {
        this.hints = EnumSet.copyOf(hints);
        this.vetoes = vetoes;
    }

    /** Another of the kin was refused. */
    void add(Set<Hint> more) {
        hints.addAll(more);
    }

    @Override
    public Set<Hint> hints() {
        return hints;
    }

    @Override
    public boolean mayComeFrom(Happening happening, PodUid pod) {
        if (happening instanceof Happening.NodeChanged changed) {
            return takesOrSaysWhyNot(changed.after(), pod)
                    || changed.before()
                            .filter(before -> saysOther(before, changed.after(), pod))
                            .isPresent();
        }
        if (happening instanceof Happening.PodLeft left) {
            return takes(left.node(), pod);
        }
        if (happening instanceof Happening.HoldChanged changed) {
            return changed.node().filter(node -> takes(node, pod)).isPresent();
        }
        if (happening instanceof Happening.StorageChanged changed) {
            return changed.concerns(pod);
        }
        return happening instanceof Happening.DoorNews;
    }

    /** Pods of one kin differ in nothing but their holds. */
    @Override
    public boolean sameForAll(Happening happening) {
        if (happening instanceof Happening.NodeChanged changed) {
            return changed.after().holds().isEmpty()
                    && changed.before().map(NodeState::holds).orElse(List.of()).isEmpty();
        }
        if (happening instanceof Happening.PodLeft left) {
            return left.node().holds().isEmpty();
        }
        if (happening instanceof Happening.HoldChanged changed) {
            return changed.node().map(NodeState::holds).orElse(List.of()).isEmpty();
        }
        return happening instanceof Happening.DoorNews;
    }

    private boolean takes(NodeState node, PodUid pod) {
        return vetoes.apply(pod, node).isEmpty();
    }

    private boolean takesOrSaysWhyNot(NodeState node, PodUid pod) {
        List<Veto> present = vetoes.apply(pod, node);
        present.forEach(veto -> hints.addAll(veto.hints()));
        return present.isEmpty();
    }

    /** An older node of the same name is another: nobody knows any more what it kept for whom. */
    private boolean saysOther(NodeState before, NodeState after, PodUid pod) {
        return before.node().uid().equals(after.node().uid())
                && !words(before, pod).equals(words(after, pod));
    }

    private Set<String> words(NodeState node, PodUid pod) {
        return vetoes.apply(pod, node).stream().map(Veto::words).collect(Collectors.toSet());
    }
}
