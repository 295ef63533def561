package dev.berth.core.scheduling;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.collection.SetMultimap;
import dev.berth.core.door.PreemptingDoor;
import dev.berth.core.door.RequestPlacer;
import dev.berth.core.framework.PostFilterResult;
import dev.berth.core.framework.PreemptingRequest;
import dev.berth.core.framework.PreemptingRequestListener;
import dev.berth.core.hold.HoldId;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Removals;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.filter.ClusterEventKind;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** The placement requests of doors. They are not pods of the API server, but wait in the queue like pods. */
final class PlacementRequests {
    private final SchedulingContext schedulingContext;
    private final Map<PodUid, PlacementRequest> placementRequests = new HashMap<>();
    /** By namespace and name of a claim: the requests whose pods mount it. Most mount none. */
    private final SetMultimap<ClaimName, PodUid> mounting = SetMultimap.unordered();

    private List<ComponentDispatcher.Listener<PreemptingRequestListener<? super ComponentHandle>>> listeners =
            List.of();

    private record ClaimName(String namespace, String name) {
        private static Stream<ClaimName> mountedBy(Pod pod) {
            return pod.volumes().persistentVolumeClaims().stream()
                    .map(claim -> new ClaimName(pod.namespace(), claim.name()));
        }
    }

    private record PlacementRequest(ComponentHandle handle, Pod pod, Optional<PreemptingRequest> preempting) {}

    PlacementRequests(SchedulingContext schedulingContext) {
        this.schedulingContext = schedulingContext;
    }

    /** Replaces the components that follow the preempting requests. */
    void setListeners(
            List<ComponentDispatcher.Listener<PreemptingRequestListener<? super ComponentHandle>>> newListeners) {
        listeners = List.copyOf(newListeners);
    }

    void put(ComponentHandle handle, Pod pod, Instant now) {
        put(new PlacementRequest(handle, pod, Optional.empty()), now);
    }

    void put(ComponentHandle handle, PreemptingRequest request, Instant now) {
        put(new PlacementRequest(handle, request.pod(), Optional.of(request)), now);
    }

    private void put(PlacementRequest request, Instant now) {
        Pod pod = request.pod;
        PlacementRequest before = placementRequests.put(pod.uid(), request);
        if (before != null) {
            ClaimName.mountedBy(before.pod).forEach(claim -> mounting.remove(claim, pod.uid()));
        }
        ClaimName.mountedBy(pod).forEach(claim -> mounting.add(claim, pod.uid()));
        schedulingContext.queue().addOrUpdate(pod, now);
        if (before != null && !isSameExceptNomination(before.pod, pod)) {
            schedulingContext.queue().requeue(pod.uid(), now);
        }
        boolean changed = before == null || !before.preempting.equals(request.preempting);
        if (changed && request.preempting.isPresent()) {
            notifyListeners((listener, own) -> listener.onRequestUpsert(request.preempting.get(), own), now);
        } else if (changed && before != null) {
            notifyListeners((listener, own) -> listener.onRequestEnd(pod.uid(), own), now);
        }
    }

    /** A nomination does not make a node feasible: preemption requeues the request once the victims are gone. */
    private static boolean isSameExceptNomination(Pod before, Pod after) {
        return before.equals(after)
                || before.toBuilder()
                        .nominatedNodeName(after.nominatedNodeName())
                        .build()
                        .equals(after);
    }

    private void notifyListeners(
            BiConsumer<PreemptingRequestListener<? super ComponentHandle>, ComponentHandle> call, Instant now) {
        listeners.forEach(
                listener -> call.accept(listener.component(), listener.handle().atTime(now)));
    }

    /** The listeners release what they hold for the request before the door puts its hold. */
    void cancel(PodUid uid, Instant now) {
        PlacementRequest removed = placementRequests.remove(uid);
        if (removed == null) {
            return;
        }
        ClaimName.mountedBy(removed.pod).forEach(claim -> mounting.remove(claim, uid));
        schedulingContext.queue().remove(uid);
        if (removed.preempting.isPresent()) {
            notifyListeners((listener, own) -> listener.onRequestEnd(uid, own), now);
        }
    }

    Optional<Pod> find(PodUid uid) {
        PlacementRequest placementRequest = placementRequests.get(uid);
        return placementRequest == null ? Optional.empty() : Optional.of(placementRequest.pod);
    }

    /** The requests whose pods mount the claim. */
    Set<PodUid> findMounting(String namespace, String claim) {
        return Set.copyOf(mounting.get(new ClaimName(namespace, claim)));
    }

    Optional<PreemptingRequest> findPreempting(PodUid uid) {
        PlacementRequest placementRequest = placementRequests.get(uid);
        return placementRequest == null ? Optional.empty() : placementRequest.preempting;
    }

    boolean has(PodUid uid) {
        return placementRequests.containsKey(uid);
    }

    void setNominatedNode(PodUid uid, String node, List<Pod> victims, Instant now) {
        callPreemptingDoor(
                uid, (door, request) -> door.setNominatedNode(request.pod, node, victims, request.handle.atTime(now)));
    }

    void cancelNominatedNode(PodUid uid, Instant now) {
        callPreemptingDoor(uid, (door, request) -> door.cancelNominatedNode(request.pod, request.handle.atTime(now)));
    }

    private void callPreemptingDoor(PodUid uid, BiConsumer<PreemptingDoor, PlacementRequest> call) {
        PlacementRequest request = placementRequests.get(uid);
        if (request != null && request.handle.door() instanceof PreemptingDoor door) {
            call.accept(door, request);
        }
    }

    /**
     * Places the request in the hold that preemption keeps for it, or by the rules of its door, or else outside of all holds.
     * Calls the door with the result.
     *
     * @param timeIsUp called after each node that the door evaluates
     * @return whether the placement is known; otherwise the request stays first in the queue
     */
    boolean schedule(
            PodUid uid,
            ExtensionPoints extensionPoints,
            QueueingHints queueingHints,
            BooleanSupplier timeIsUp,
            Instant now) {
        PlacementRequest request = placementRequests.get(uid);
        if (request == null) {
            return true;
        }
        ComponentHandle handle = request.handle.atTime(now);
        Optional<Placement> inHold = extensionPoints.findHoldFor(uid).flatMap(hold -> placeInHold(request.pod, hold));
        Optional<Placement> byDoor = inHold.isEmpty() && handle.door() instanceof RequestPlacer door
                ? door.place(request.pod, timeIsUp, handle)
                : Optional.empty();
        Placement placement = inHold.or(() -> byDoor).orElseGet(() -> handle.placeRequest(request.pod));
        if (placement == Placement.Unfinished.INSTANCE) {
            schedulingContext.queue().putBack(uid);
            return false;
        }
        if (placement instanceof Placement.Placed placed) {
            handle.door().onPlaced(request.pod, placed, handle);
        } else if (placement instanceof Placement.Refused refused) {
            PostFilterResult result = request.preempting.isPresent()
                    ? extensionPoints.postFilter(request.pod, refused, now)
                    : PostFilterResult.NONE;
            Set<ClusterEventKind> eventKinds = EnumSet.noneOf(ClusterEventKind.class);
            eventKinds.addAll(refused.resolvingEvents());
            eventKinds.addAll(result.possibleAfter());
            if (byDoor.isPresent()) {
                schedulingContext.queue().addUnschedulable(uid, new AnyEventQueueingHint(eventKinds), now);
            } else {
                queueingHints.addUnschedulable(request.pod, eventKinds, HoldUse.NONE, now);
            }
            handle.door().onUnschedulable(request.pod, refused, result.message(), handle);
        } else {
            throw new IllegalStateException("unknown placement (%s)".formatted(placement));
        }
        return true;
    }

    /** The place on the hold's node, if the node is feasible without the hold. */
    private Optional<Placement> placeInHold(Pod pod, HoldId id) {
        Ledger ledger = schedulingContext.ledger();
        Optional<NodeState> node = ledger.hold(id).flatMap(hold -> ledger.node(hold.node()));
        return node.filter(state -> isFeasibleWithout(id, pod, state.node().name()))
                .map(state ->
                        new Placement.Placed(state.node().name(), state.node().uid(), Optional.empty(), 0));
    }

    private boolean isFeasibleWithout(HoldId hold, Pod pod, String node) {
        return schedulingContext
                .ledger()
                .simulateWithout(node, new Removals(Set.of(), Set.of(hold)))
                .filter(view -> schedulingContext
                        .placer()
                        .simulateVetoes(view, pod, view.node(node).orElseThrow(), HoldUse.NONE)
                        .isEmpty())
                .isPresent();
    }
}
