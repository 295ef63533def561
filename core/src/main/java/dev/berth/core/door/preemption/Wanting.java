package dev.berth.core.door.preemption;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.placement.filter.Veto;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Pods that somebody nominated a node for which has no room for them yet. A node that refused one is asked again when it
 * has changed; where it was for others' sake that it refused, when anything has; and every time where it was for what
 * the ledger does not know of, such as volumes.
 */
final class Wanting {
    /** What only a change of the node itself can remedy. */
    private static final Set<Veto.Code> LOCAL = EnumSet.of(
            Veto.Code.UNSCHEDULABLE,
            Veto.Code.TAINTS,
            Veto.Code.NODE_AFFINITY,
            Veto.Code.ADDED_AFFINITY,
            Veto.Code.NOT_NAMED,
            Veto.Code.FEATURES,
            Veto.Code.EXCESS,
            Veto.Code.PORTS,
            Veto.Code.PORTS_HELD,
            Veto.Code.POD_SLOTS,
            Veto.Code.RESOURCE,
            Veto.Code.RESOURCE_HELD);

    /** What depends on pods anywhere. */
    private static final Set<Veto.Code> NEIGHBOURS = EnumSet.of(
            Veto.Code.SPREAD,
            Veto.Code.SPREAD_LABEL,
            Veto.Code.POD_AFFINITY,
            Veto.Code.POD_ANTI_AFFINITY,
            Veto.Code.EXISTING_ANTI_AFFINITY);

    /** When a pod that was refused is worth asking for again. */
    private enum Again {
        WHEN_NODE_CHANGED,
        WHEN_ANYTHING_CHANGED,
        ALWAYS
    }

    /** @param node which was nominated when the pod was last asked for */
    private record Refusal(Again again, String node) {}

    private static final Refusal NEVER_ASKED = new Refusal(Again.ALWAYS, "");

    private final Map<PodUid, Refusal> refusals = new HashMap<>();

    private final Map<String, TreeSet<PodUid>> byNode = new HashMap<>();
    private final Set<PodUid> byAnything = new HashSet<>();
    private final Set<PodUid> always = new HashSet<>();
    private final Agenda agenda = new Agenda();

    boolean isEmpty() {
        return refusals.isEmpty();
    }

    /** The pod is new here, or not what it was: its node is asked at the next opportunity. */
    void add(PodUid pod) {
        remove(pod);
        refusals.put(pod, NEVER_ASKED);
        agenda.touch(pod);
    }

    /** The second time changes nothing. */
    void remove(PodUid pod) {
        @Nullable Refusal known = refusals.remove(pod);
        if (known == null) {
            return;
        }
        agenda.remove(pod);
        byAnything.remove(pod);
        always.remove(pod);
        byNode.computeIfPresent(known.node, (same, pods) -> pods.remove(pod) && pods.isEmpty() ? null : pods);
    }

    /**
     * The pods whose nodes may answer otherwise than when they were last asked must be asked for again.
     *
     * @param nodes which changed; empty when all may have
     * @param anything whether anything changed
     */
    void touch(Optional<Set<String>> nodes, boolean anything) {
        if (nodes.isEmpty()) {
            byNode.values().forEach(agenda::touchAll);
        } else {
            nodes.get().forEach(node -> agenda.touchAll(byNode.getOrDefault(node, new TreeSet<>())));
        }
        if (anything) {
            agenda.touchAll(byAnything);
        }
        // Else a round that takes more than a turn would never end.
        if (agenda.isDone()) {
            agenda.touchAll(always);
        }
    }

    /** Looks at those that must be asked for, as far as the turn has time. */
    void work(Desk desk, Consumer<PodUid> look) {
        agenda.work(desk, look);
    }

    /** The nominated node is not there, or refused the pod. */
    void refused(PodUid pod, String node, List<Veto> vetoes) {
        Again again = any(LOCAL, vetoes)
                ? Again.WHEN_NODE_CHANGED
                : any(NEIGHBOURS, vetoes) ? Again.WHEN_ANYTHING_CHANGED : Again.ALWAYS;
        wait(pod, new Refusal(again, node));
    }

    /** There is no such node. */
    void missing(PodUid pod, String node) {
        wait(pod, new Refusal(Again.WHEN_NODE_CHANGED, node));
    }

    /** As things are the node cannot be asked about the pod. */
    void notNow(PodUid pod) {
        wait(pod, new Refusal(Again.ALWAYS, ""));
    }

    private void wait(PodUid pod, Refusal refusal) {
        remove(pod);
        refusals.put(pod, refusal);
        byNode.computeIfAbsent(refusal.node, same -> new TreeSet<>()).add(pod);
        switch (refusal.again) {
            case WHEN_NODE_CHANGED -> {}
            case WHEN_ANYTHING_CHANGED -> byAnything.add(pod);
            case ALWAYS -> always.add(pod);
        }
    }

    private static boolean any(Set<Veto.Code> codes, List<Veto> vetoes) {
        return vetoes.stream().map(Veto::code).anyMatch(codes::contains);
    }
}
