package dev.berth.core.door.koordinator.preallocation;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.koordinator.settings.PreAllocationSettings;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.Placement.Refused;
import dev.berth.core.placement.filter.ClusterEventKind;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/** The pending reservations that may take over running pods: finds their nodes and these pods. */
public final class PreAllocations {
    /** What can make a node feasible together with its candidates. Changes of candidates requeue the request directly. */
    private static final Set<ClusterEventKind> RESOLVING_EVENTS = Set.of(
            ClusterEventKind.NODE_ADDED,
            ClusterEventKind.NODE_UPDATED,
            ClusterEventKind.POD_REMOVED,
            ClusterEventKind.HOLD_REMOVED,
            ClusterEventKind.RELATED_PODS_CHANGED);

    private final PreAllocationSettings settings;
    private final CandidateIndex index;
    private final CandidateFilter filter;
    private final CandidateOrder order;
    private final Map<PodUid, PlacementSearch> searches = new HashMap<>();
    private final Map<PodUid, Set<PodUid>> chosenPods = new HashMap<>();

    /** @param isLiveReservation whether a reservation with the UID exists and has not ended */
    public PreAllocations(PreAllocationSettings settings, Predicate<String> isLiveReservation) {
        this.settings = settings;
        this.index = new CandidateIndex(settings.clusterLabelKey());
        this.filter = new CandidateFilter(isLiveReservation);
        this.order = new CandidateOrder(settings.clusterPriorityAnnotationKey());
    }

    /** The reservation waits for a placement. Its reserve pod is in the queue. */
    public void put(PreAllocationRequest request, DoorHandle handle) {
        if (index.find(request.id()).equals(Optional.of(request))) {
            return;
        }
        remove(request.id());
        index.put(request);
        handle.requeue(request.id());
    }

    /** The reservation does not wait for a placement any more. */
    public void remove(PodUid reservePod) {
        index.remove(reservePod);
        searches.remove(reservePod);
        chosenPods.remove(reservePod);
    }

    /** The pods to take over on the node of the latest {@link #place}. */
    public Set<PodUid> chosenPods(PodUid reservePod) {
        return chosenPods.getOrDefault(reservePod, Set.of());
    }

    /** The place of the reservation; empty if it takes over no pods. */
    public Optional<Placement> place(Pod reservePod, BooleanSupplier timeIsUp, DoorHandle handle) {
        return index.find(reservePod.uid()).map(request -> place(request, timeIsUp, handle));
    }

    private Placement place(PreAllocationRequest request, BooleanSupplier timeIsUp, DoorHandle handle) {
        chosenPods.remove(request.id());
        int nodes = handle.ledger().nodeCount();
        PreAllocation how = request.preAllocation();
        if (request.restricted().isEmpty()) {
            return Refused.byPreFilter(nodes, Optional.of(Messages.unsupported(nodes)), Set.of());
        }
        if (how.mode() == PreAllocation.Mode.CLUSTER && !settings.clusterModeEnabled()) {
            return Refused.byPreFilter(nodes, Optional.of(Messages.CLUSTER_MODE_DISABLED), Set.of());
        }
        if (settings.preferNoPreAllocatedPods() && !how.required()) {
            Placement withoutPods = handle.placeRequest(request.reservePod());
            if (withoutPods instanceof Placement.Placed) {
                return withoutPods;
            }
        }
        return search(request, timeIsUp, handle);
    }

    private Placement search(PreAllocationRequest request, BooleanSupplier timeIsUp, DoorHandle handle) {
        Optional<Candidates> candidates = index.read(request, handle.ledger(), timeIsUp);
        if (candidates.isEmpty()) {
            return Placement.Unfinished.INSTANCE;
        }
        PlacementSearch search = searches.computeIfAbsent(
                request.id(), id -> new PlacementSearch(request, candidates.get(), filter, order));
        if (!search.run(handle, timeIsUp)) {
            return Placement.Unfinished.INSTANCE;
        }
        searches.remove(request.id());
        if (search.choice().isPresent()) {
            PlacementSearch.Choice choice = search.choice().get();
            chosenPods.put(request.id(), choice.pods());
            return new Placement.Placed(choice.nodeName(), choice.nodeUid(), Optional.empty(), choice.score());
        }
        int nodes = handle.ledger().nodeCount();
        return request.preAllocation().required()
                ? Refused.byPreFilter(nodes, Optional.of(search.refusalMessage(nodes)), RESOLVING_EVENTS)
                : withResolvingEvents(handle.placeRequest(request.reservePod()));
    }

    /** More events can help than without candidates: a node may need less than the whole size of the reservation. */
    private static Placement withResolvingEvents(Placement placement) {
        if (!(placement instanceof Refused refused)) {
            return placement;
        }
        EnumSet<ClusterEventKind> events = EnumSet.copyOf(RESOLVING_EVENTS);
        events.addAll(refused.preFilterEvents());
        return new Refused(
                refused.nodes(), refused.resolvableNodes(), refused.preFilterMessage(), events, refused.reasons());
    }

    /** A pod that becomes, changes or ends as a candidate may help its requests. */
    public void onPodUpsert(Optional<Pod> before, Pod pod, DoorHandle handle) {
        if (!index.isEmpty() && (pod.nodeName().isPresent() || before.isPresent())) {
            Set<PodUid> affected = index.onPodUpsert(pod);
            if (before.isEmpty() || isRelevantChange(before.get(), pod)) {
                affected.forEach(handle::requeue);
            }
        }
    }

    private static boolean isRelevantChange(Pod before, Pod pod) {
        return !before.isEquivalentTo(pod)
                || !before.annotations().equals(pod.annotations())
                || before.isBoundAndActive() != pod.isBoundAndActive();
    }

    public void onPodDelete(Pod pod, DoorHandle handle) {
        if (!index.isEmpty()) {
            index.onPodDelete(pod).forEach(handle::requeue);
        }
    }

    public void onNodeUpsert(Node node, DoorHandle handle) {
        if (!index.isEmpty()) {
            handle.ledger().node(node.name()).ifPresent(index::onNodeUpsert);
        }
    }
}
