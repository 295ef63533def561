package dev.berth.core.door.annotation;

import static java.util.Objects.requireNonNull;

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
import org.jspecify.annotations.Nullable;

/**
 * Keeps what nodes' annotations say for the pods of the object that they name. The annotation keeps the hold: it ends
 * when somebody takes it away, or with the node. Pods of the named object use it as long as something is left of it, and
 * give it back when they go.
 */
public final class AnnotationDoor implements Door.HearsNodes {
    private static final Effect.Announce.Kind NOT_UNDERSTOOD =
            Effect.Announce.Kind.warning("MalformedReserve", "Reserving");

    /** What nodes keep; a node whose annotations keep nothing is not here. */
    private final Map<NodeUid, NodeReserves> keeping = new HashMap<>();

    private final NamedOwners owners = new NamedOwners();
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
            Set<String> gone = new TreeSet<>(keptOn(reserves.node()));
            gone.removeAll(reserves.kept().keySet());
            for (String owner : gone) {
                owners.remove(owner, reserves.node());
                desk.release(id(reserves.node(), owner));
            }
            for (String owner : reserves.kept().keySet()) {
                owners.add(owner, reserves.node());
                desk.hold(hold(reserves, owner, desk));
            }
            remember(reserves);
            check.changed(reserves, desk.now());
        }
    }

    private Set<String> keptOn(NodeUid node) {
        @Nullable NodeReserves reserves = keeping.get(node);
        return reserves == null ? Set.of() : reserves.kept().keySet();
    }

    private void remember(NodeReserves reserves) {
        if (reserves.kept().isEmpty()) {
            keeping.remove(reserves.node());
        } else {
            keeping.put(reserves.node(), reserves);
        }
        if (reserves.problems().isEmpty()) {
            untold.remove(reserves.node());
            told.remove(reserves.node());
        } else {
            untold.put(reserves.node(), reserves);
        }
    }

    /** The owner of an annotation may be seen later than the node. From then on its namespace counts. */
    @Override
    public void workloadSeen(Workload workload, Desk desk) {
        ownerChanged(workload.uid(), desk);
    }

    @Override
    public void workloadGone(Workload.Key key, Desk desk) {
        ownerChanged(owners.gone(key), desk);
    }

    private void ownerChanged(String owner, Desk desk) {
        for (NodeUid node : owners.naming(owner)) {
            Hold hold = hold(requireNonNull(keeping.get(node)), owner, desk);
            if (!desk.ledger().hold(hold.id()).equals(Optional.of(hold))) {
                desk.hold(hold);
            }
        }
    }

    @Override
    public void nodeGone(Node node, Desk desk) {
        keptOn(node.uid()).forEach(owner -> owners.remove(owner, node.uid()));
        keeping.remove(node.uid());
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
        check.settle(desk);
    }

    private static Effect said(NodeReserves reserves, String problem) {
        return new Effect.Announce(reserves.subject(), NOT_UNDERSTOOD, problem);
    }

    private static HoldId id(NodeUid node, String owner) {
        return new HoldId("node-annotation/%s/%s".formatted(node.value(), owner));
    }

    private Hold hold(NodeReserves reserves, String owner, Desk desk) {
        Optional<Workload> workload = desk.ledger().workload(owner);
        workload.ifPresent(owners::found);
        Origin origin = new Origin(
                Origin.Door.NODE_ANNOTATION,
                "annotation of node %s for %s"
                        .formatted(
                                reserves.nodeName(),
                                workload.map(Workload::toString).orElse("owner " + owner)));
        // A pod's author can write any UID as that of its controller, but the pod stays in its own namespace.
        Owner.ControllerMatch controller = new Owner.ControllerMatch(
                Optional.empty(),
                Optional.empty(),
                workload.map(Workload::namespace),
                Optional.empty(),
                Optional.of(owner));
        return Hold.builder(id(reserves.node(), owner), reserves.node(), origin)
                .size(reserves.kept().getOrDefault(owner, Resources.NONE))
                .owners(List.of(new Owner(Optional.empty(), Optional.of(controller), Optional.empty())))
                .build();
    }
}
