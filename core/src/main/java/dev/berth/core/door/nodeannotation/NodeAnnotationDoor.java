package dev.berth.core.door.nodeannotation;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.door.Door;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.NodeListener;
import dev.berth.core.framework.WorkloadListener;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Owner;
import dev.berth.core.reconcile.ObjectController;
import dev.berth.core.reconcile.ObjectHandler;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Holds what the annotations of nodes reserve for the pods of the object that they name. The hold lasts as long as the
 * annotation: until a user removes the annotation, or the node is deleted. Pods of the named object use the hold while
 * something of it is free, and give it back when they are deleted.
 */
public final class NodeAnnotationDoor implements Door, NodeListener<DoorHandle>, WorkloadListener<DoorHandle> {
    private static final Effect.RecordEvent.EventTemplate MALFORMED =
            Effect.RecordEvent.EventTemplate.warning("InvalidAnnotation", "Reserving");

    private final NodesByOwner nodesByOwner = new NodesByOwner();
    /** The nodes with annotations that reserve something or are malformed. The door writes nothing but events. */
    private final ObjectController<NodeUid, NodeReservedResources, Effect.Write> nodes =
            new ObjectController<>(new NodeHandler());

    private final IneffectiveReserveCheck ineffectiveReserves = new IneffectiveReserveCheck(nodes);

    @Override
    public Origin.DoorId id() {
        return Origin.DoorId.NODE_ANNOTATION;
    }

    @Override
    public void onFact(Fact.ComponentFact fact, DoorHandle handle) {
        NodeReservedResources reserves = (NodeReservedResources) fact;
        Optional<NodeReservedResources> before = nodes.find(reserves.node());
        for (String owner : before.map(NodeReservedResources::owners).orElse(Set.of())) {
            if (!reserves.owners().contains(owner)) {
                nodesByOwner.remove(owner, reserves.node());
            }
        }
        reserves.owners().forEach(owner -> nodesByOwner.add(owner, reserves.node()));
        if (reserves.owners().isEmpty() && reserves.problems().isEmpty()) {
            nodes.remove(reserves.node(), handle);
        } else {
            nodes.upsert(reserves.node(), reserves, handle);
            ineffectiveReserves.onUpsert(before, reserves, handle.now());
        }
    }

    /** The watch may show the owner later than the node. From then on the hold is only for pods of the owner's namespace. */
    @Override
    public void onWorkloadUpsert(Workload workload, DoorHandle handle) {
        syncHoldsFor(workload.uid(), handle);
    }

    @Override
    public void onWorkloadDelete(Workload.WorkloadKey key, DoorHandle handle) {
        syncHoldsFor(nodesByOwner.onWorkloadDelete(key), handle);
    }

    private void syncHoldsFor(String owner, DoorHandle handle) {
        nodesByOwner.findNodes(owner).forEach(node -> nodes.syncHolds(node, handle));
    }

    @Override
    public void onNodeDelete(Node node, DoorHandle handle) {
        nodes.remove(node.uid(), handle)
                .ifPresent(reserves -> reserves.owners().forEach(owner -> nodesByOwner.remove(owner, node.uid())));
    }

    @Override
    public Optional<Instant> nextWake() {
        return nodesByOwner.isEmpty() ? Optional.empty() : ineffectiveReserves.nextWake();
    }

    @Override
    public void reconcile(DoorHandle handle) {
        if (nodes.reconcile(handle) && !nodesByOwner.isEmpty()) {
            ineffectiveReserves.checkIfDue(handle);
        }
    }

    private static HoldId holdId(NodeUid node, String owner) {
        return new HoldId("node-annotation/%s/%s".formatted(node.value(), owner));
    }

    /** What the annotations of one node mean: a hold for each owner, and an event for each malformed value. */
    private final class NodeHandler implements ObjectHandler<NodeUid, NodeReservedResources, Effect.Write> {
        @Override
        public EventTarget eventTarget(NodeReservedResources reserves) {
            return reserves.eventTarget();
        }

        @Override
        public List<Hold> desiredHolds(NodeReservedResources reserves, DoorHandle handle) {
            return reserves.owners().stream()
                    .map(owner -> newHold(reserves, owner, handle))
                    .toList();
        }

        @Override
        public void beforeWrite(NodeReservedResources reserves, DoorHandle handle) {
            nodes.report(reserves.node(), MALFORMED, reserves.problems(), handle);
        }

        private Hold newHold(NodeReservedResources reserves, String owner, DoorHandle handle) {
            Optional<Workload> workload = handle.ledger().workload(owner);
            workload.ifPresent(nodesByOwner::resolveOwner);
            Origin origin = new Origin(
                    Origin.DoorId.NODE_ANNOTATION,
                    "annotation of node %s for %s"
                            .formatted(
                                    reserves.nodeName(),
                                    workload.map(Workload::toString).orElse("owner " + owner)));
            // A user can write any UID as that of a pod's controller, but the pod stays in its own namespace.
            Owner.ControllerMatch controller = Owner.ControllerMatch.ofUid(owner, workload.map(Workload::namespace));
            return Hold.builder(NodeAnnotationDoor.holdId(reserves.node(), owner), reserves.node(), origin)
                    .size(reserves.reservedByOwner().getOrDefault(owner, Resources.NONE))
                    .owners(List.of(Owner.ofController(controller)))
                    .build();
        }
    }
}
