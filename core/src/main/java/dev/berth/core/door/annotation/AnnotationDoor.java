package dev.berth.core.door.annotation;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Keeps what nodes' annotations say for the pods of the object that they name. The annotation keeps the hold: it ends
 * when somebody takes it away, or with the node. Pods of the named object use it as long as something is left of it, and
 * give it back when they go.
 */
public final class AnnotationDoor implements Door.HearsNodes {
    private static final Effect.Announce.Kind NOT_UNDERSTOOD =
            Effect.Announce.Kind.warning("MalformedReserve", "Reserving");

    private final Map<NodeUid, Set<HoldId>> holds = new HashMap<>();
    /** What each node's author is to be told, and was. */
    private final Map<NodeUid, NodeReserves> untold = new LinkedHashMap<>();

    private final Map<NodeUid, List<String>> told = new HashMap<>();
    private final ReserveCheck check = new ReserveCheck();

    @Override
    public Origin.Door name() {
        return Origin.Door.NODE_ANNOTATION;
    }

    @Override
    public void learn(Fact.OfDoor fact, Desk desk) {
        if (fact instanceof NodeReserves reserves) {
            Set<HoldId> present = new TreeSet<>();
            reserves.kept().keySet().forEach(owner -> {
                Hold hold = hold(reserves, owner, desk);
                present.add(hold.id());
                desk.hold(hold);
            });
            Set<HoldId> gone = new TreeSet<>(holds.getOrDefault(reserves.node(), Set.of()));
            gone.removeAll(present);
            gone.forEach(desk::release);
            remember(reserves, present);
            check.changed(reserves, desk.now());
        }
    }

    private void remember(NodeReserves reserves, Set<HoldId> present) {
        if (present.isEmpty()) {
            holds.remove(reserves.node());
        } else {
            holds.put(reserves.node(), present);
        }
        if (reserves.problems().isEmpty()) {
            untold.remove(reserves.node());
            told.remove(reserves.node());
        } else {
            untold.put(reserves.node(), reserves);
        }
    }

    @Override
    public void nodeGone(Node node, Desk desk) {
        holds.remove(node.uid());
        untold.remove(node.uid());
        told.remove(node.uid());
        check.gone(node.uid());
    }

    @Override
    public Optional<Instant> nextWake() {
        return check.nextWake();
    }

    @Override
    public void settle(Desk desk) {
        for (NodeReserves reserves : new ArrayList<>(untold.values())) {
            Set<String> news = new HashSet<>(reserves.problems());
            news.removeAll(told.getOrDefault(reserves.node(), List.of()));
            news.stream().sorted().forEach(problem -> desk.write(said(reserves, problem)));
            told.put(reserves.node(), reserves.problems());
            untold.remove(reserves.node());
            if (desk.timeIsUp()) {
                return;
            }
        }
        check.settle(desk).forEach(reserves -> rename(reserves, desk));
    }

    /** The owner of an annotation may be seen later than the node. */
    private void rename(NodeReserves reserves, Desk desk) {
        for (String owner : reserves.kept().keySet()) {
            Hold hold = hold(reserves, owner, desk);
            boolean renamed = desk.ledger()
                    .hold(hold.id())
                    .filter(known -> !known.origin().equals(hold.origin()))
                    .isPresent();
            if (renamed) {
                desk.hold(hold);
            }
        }
    }

    private static Effect said(NodeReserves reserves, String problem) {
        return new Effect.Announce(reserves.subject(), NOT_UNDERSTOOD, problem);
    }

    private static Hold hold(NodeReserves reserves, String owner, Desk desk) {
        HoldId id = new HoldId("node-annotation/%s/%s".formatted(reserves.node().value(), owner));
        String name = desk.ledger().workload(owner).map(Workload::toString).orElse("owner " + owner);
        Origin origin = new Origin(
                Origin.Door.NODE_ANNOTATION, "annotation of node %s for %s".formatted(reserves.nodeName(), name));
        Owner.ControllerMatch controller = new Owner.ControllerMatch(
                Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(owner));
        return Hold.builder(id, reserves.node(), origin)
                .size(reserves.kept().getOrDefault(owner, Resources.NONE))
                .owners(List.of(new Owner(Optional.empty(), Optional.of(controller), Optional.empty())))
                .build();
    }
}
