package dev.berth.core.decision;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.NamedPods;
import dev.berth.core.hold.OwnerRule;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.queue.Happening;
import dev.berth.core.queue.Remedy;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What refused pods wait for: an event of a kind that can lift the vetoes they met, on a node that would then take them, or
 * where others would now have to give way to them.
 * A node that came, or that another pod or hold left, may not take them for a reason that they did not meet yet: what can
 * lift that one helps from then on, too. A node that changed so that it refuses them for another reason wakes them, for
 * what they were told is no longer true. Shared by pods of one kin.
 */
final class RefusalRemedy implements Remedy {
    private final EnumSet<Hint> hints;
    private final Questions questions;
    /** Those who wait for this. */
    private final NamedPods members = new NamedPods();

    /** What must be known to say whether an event helps a pod, as things are when it is asked. */
    interface Questions {
        /** Why the node would not take the pod; empty when it would. */
        List<Veto> vetoes(PodUid pod, NodeState node);

        /** What could be done for the pod about the node, which does not take it now. */
        Help help(PodUid pod, NodeState node);

        /** The kinds of events that can have the node take the pod, which it does not take now. */
        Set<Hint> lifting(PodUid pod, NodeState node);

        /** Whether it matters to where the pod may be where the other one is. */
        boolean concerns(PodUid pod, Pod other);

        /** The rules of the holds on the node. */
        Collection<OwnerRule> rulesOn(NodeState node);

        /** The pod itself; empty when it no longer waits. */
        Optional<Pod> pod(PodUid pod);
    }

    /** @param hints the kinds of events that can help */
    RefusalRemedy(Set<Hint> hints, Questions questions) {
        this.hints = EnumSet.copyOf(hints);
        this.questions = questions;
    }

    /** Another of the kin was refused. */
    void add(Set<Hint> more) {
        hints.addAll(more);
    }

    /** The pod waits for this. */
    void joined(Pod pod) {
        members.add(pod);
    }

    @Override
    public void left(PodUid pod) {
        members.remove(pod);
    }

    @Override
    public Set<Hint> hints() {
        return hints;
    }

    /** What happens on one node may open another where pods demand something of each other: there the kind has to do. */
    @Override
    public boolean mayComeFrom(Happening happening, PodUid pod) {
        return mayComeFromNode(happening, pod)
                || (hints.contains(Hint.NEIGHBOURS_CHANGED) && mayComeFromNeighbours(happening, pod));
    }

    private boolean mayComeFromNeighbours(Happening happening, PodUid pod) {
        if (happening instanceof Happening.PodLeft left) {
            return questions.concerns(pod, left.pod());
        }
        if (happening instanceof Happening.PodArrived arrived) {
            return questions.concerns(pod, arrived.pod());
        }
        if (happening instanceof Happening.PodChanged changed) {
            return questions.concerns(pod, changed.before()) || questions.concerns(pod, changed.after());
        }
        if (happening instanceof Happening.NodeChanged changed) {
            return changed.before()
                    .map(before -> isElsewhere(before.node(), changed.after().node()))
                    .orElseGet(() -> hints.contains(Hint.DOMAIN_ADDED) || bringsAlong(changed.after(), pod));
        }
        return happening instanceof Happening.NodeGone || happening instanceof Happening.NamespacesChanged;
    }

    /** Pods may show before the node that they are on: they are near to others only when it does. */
    private boolean bringsAlong(NodeState node, PodUid pod) {
        return node.pods().stream().anyMatch(there -> questions.concerns(pod, there));
    }

    /** Whether those on the node are near to others than before, or the node counts where it did not. */
    private static boolean isElsewhere(Node before, Node after) {
        return !before.labels().equals(after.labels()) || !before.taints().equals(after.taints());
    }

    private boolean mayComeFromNode(Happening happening, PodUid pod) {
        if (happening instanceof Happening.NodeChanged changed) {
            return takesOrSaysWhyNot(changed.after(), pod)
                    || changed.before()
                            .filter(before -> saysOther(before, changed.after(), pod))
                            .isPresent();
        }
        if (happening instanceof Happening.PodLeft left) {
            return hints.contains(Hint.POD_GONE) && takesOrSaysWhyNot(left.node(), pod);
        }
        if (happening instanceof Happening.HoldChanged changed) {
            return changed.node().filter(node -> takesOrSaysWhyNot(node, pod)).isPresent();
        }
        if (happening instanceof Happening.StorageChanged changed) {
            return changed.concerns(pod);
        }
        if (happening instanceof Happening.ClaimsFreed freed) {
            return questions.pod(pod).filter(freed::concerns).isPresent();
        }
        return happening instanceof Happening.DoorNews;
    }

    @Override
    public Remedy apart() {
        return new RefusalRemedy(hints, questions);
    }

    /** Pods of one kin differ in nothing but their holds. */
    @Override
    public Optional<Set<PodUid>> exceptions(Happening happening) {
        if (happening instanceof Happening.NodeChanged changed) {
            return named(changed.after());
        }
        if (happening instanceof Happening.PodLeft left) {
            return named(left.node());
        }
        if (happening instanceof Happening.HoldChanged changed) {
            return changed.node().map(this::named).orElse(Optional.of(Set.of()));
        }
        return happening instanceof Happening.StorageChanged || happening instanceof Happening.ClaimsFreed
                ? Optional.empty()
                : Optional.of(Set.of());
    }

    /** The pods that a hold of the node names: the others it admits by what they have in common, or not at all. */
    private Optional<Set<PodUid>> named(NodeState node) {
        if (node.holds().size() > members.size()) {
            return Optional.empty();
        }
        Set<PodUid> named = new HashSet<>();
        for (OwnerRule rule : questions.rulesOn(node)) {
            Optional<Set<PodUid>> more = members.namedBy(rule);
            if (more.isEmpty()) {
                return Optional.empty();
            }
            named.addAll(more.get());
        }
        return Optional.of(named);
    }

    private boolean takesOrSaysWhyNot(NodeState node, PodUid pod) {
        if (questions.vetoes(pod, node).isEmpty()) {
            return true;
        }
        Help help = questions.help(pod, node);
        hints.addAll(help.later());
        hints.addAll(questions.lifting(pod, node));
        return help.now();
    }

    /** An older node of the same name is another: nobody knows any more what it kept for whom. */
    private boolean saysOther(NodeState before, NodeState after, PodUid pod) {
        return before.node().uid().equals(after.node().uid())
                && !words(before, pod).equals(words(after, pod));
    }

    private Set<String> words(NodeState node, PodUid pod) {
        return questions.vetoes(pod, node).stream().map(Veto::words).collect(Collectors.toSet());
    }
}
