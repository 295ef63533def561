package dev.berth.core.door.globalreserve;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorContext;
import dev.berth.core.door.globalreserve.PostponedRequests.PostponedRequest;
import dev.berth.core.door.globalreserve.ReserveRequest.PodAssignment;
import dev.berth.core.queue.Instants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The requests of other schedulers: decides on each, and fails those whose StoredHold is not stored in time. */
final class ReserveRequests {
    private final GlobalReserveSettings settings;
    private final ReservedGroupController groups;
    private final PostponedRequests postponed = new PostponedRequests();
    /** The groups whose callers have no response yet, in the order of the requests. */
    private final List<ReservedGroup> awaitingResponse = new ArrayList<>();

    private long requestCount;

    ReserveRequests(GlobalReserveSettings settings, ReservedGroupController groups) {
        this.settings = settings;
        this.groups = groups;
    }

    /** Returns the group whose places have to be held; empty if the request is answered or postponed. */
    Optional<ReservedGroup> decide(ReserveRequest request, DoorContext doorContext, ReserveCallback reserveCallback) {
        return decide(
                new PostponedRequest(request, doorContext.now().plus(settings.responseTimeout()), reserveCallback),
                doorContext);
    }

    private Optional<ReservedGroup> decide(PostponedRequest postponedRequest, DoorContext doorContext) {
        ReserveRequest request = postponedRequest.request();
        GroupFit groupFit = new GroupFit(
                doorContext.ledger(),
                podAssignment ->
                        ReservedPlaceHolds.findHold(podAssignment, request.schedulerName(), doorContext.ledger()));
        Optional<ReserveResponse> refusal =
                request.validate(settings.maxPods()).or(() -> groupFit.check(request.assignments()));
        Instant now = doorContext.now();
        if (refusal.filter(response -> postponedRequest.respondBy().isAfter(now) && mayFitSoon(request, response))
                .isPresent()) {
            postponed.add(postponedRequest);
            return Optional.empty();
        }
        List<ReservedPlace> places = places(request, groupFit, doorContext);
        if (refusal.isPresent() || places.isEmpty()) {
            postponedRequest.callback().onResponse(refusal.orElse(ReserveResponse.SUCCESS));
            return Optional.empty();
        }
        StoredHoldSpec spec = new StoredHoldSpec(
                request.schedulerName(), groups.nextRequestedAt(now), now.plus(settings.reservationTtl()), places);
        ReservedGroup group = ReservedGroup.requested(
                ReservedGroupName.generate(spec, requestCount++),
                spec,
                postponedRequest.respondBy(),
                postponedRequest.callback());
        awaitingResponse.add(group);
        return Optional.of(group);
    }

    /** A pod that is bound already needs no place. */
    private static List<ReservedPlace> places(ReserveRequest request, GroupFit groupFit, DoorContext doorContext) {
        List<ReservedPlace> places = new ArrayList<>();
        for (PodAssignment assignment : request.assignments()) {
            if (!groupFit.isAlreadyBound(assignment)) {
                doorContext
                        .ledger()
                        .node(assignment.nodeName())
                        .ifPresent(state -> places.add(ReservedPlace.of(assignment.pod(), state)));
            }
        }
        return places;
    }

    /** Whether ended places on these nodes are about to be released. Writes that the API server denied do not count. */
    private boolean mayFitSoon(ReserveRequest request, ReserveResponse refusal) {
        return refusal.isInsufficientRoom()
                && request.assignments().stream()
                        .map(PodAssignment::nodeName)
                        .distinct()
                        .anyMatch(node -> groups.pendingReleases().hasAnyOn(node, name -> !groups.isDenied(name)));
    }

    ReserveResponse unreserve(ReserveRequest request, DoorContext doorContext) {
        Optional<ReserveResponse> objection = request.validateSchedulerName();
        if (objection.isPresent()) {
            return objection.get();
        }
        List<PodAssignment> notReleased = new ArrayList<>();
        for (PodAssignment podAssignment : request.assignments()) {
            PodUid pod = podAssignment.pod().uid();
            List<ReservedGroup> ownGroups = groups.index().findActive(pod, request.schedulerName());
            if (ownGroups.isEmpty() && !groups.index().findActive(pod).isEmpty()) {
                notReleased.add(podAssignment);
            }
            groups.placeEnds().endPlaces(ownGroups, pod, "was unreserved", doorContext);
        }
        return notReleased.isEmpty()
                ? ReserveResponse.SUCCESS
                : ReserveResponse.notReleased(request.schedulerName(), notReleased);
    }

    /** Fails the groups whose callers must have a response now. */
    void failOverdue(DoorContext doorContext) {
        awaitingResponse.removeIf(group -> !group.isAwaitingResponse());
        for (ReservedGroup group : List.copyOf(awaitingResponse)) {
            if (group.respondBy().filter(by -> !by.isAfter(doorContext.now())).isPresent()) {
                groups.placeEnds().fail(group, timeoutMessage(), doorContext);
            }
        }
    }

    private String timeoutMessage() {
        return "The API server did not store the reservation within %d ms; nothing is reserved"
                .formatted(settings.responseTimeout().toMillis());
    }

    /** Decides again on requests whose nodes had places released, and on requests that must have a response now. */
    void decidePostponed(DoorContext doorContext) {
        postponed
                .drainDue(groups.pendingReleases().drainReleasedNodes(), doorContext.now())
                .forEach(postponedRequest ->
                        decide(postponedRequest, doorContext).ifPresent(group -> groups.add(group, doorContext)));
    }

    Optional<Instant> nextWake() {
        Optional<Instant> next = postponed.nextWake();
        for (ReservedGroup group : awaitingResponse) {
            next = Instants.earliest(next, group.respondBy());
        }
        return next;
    }
}
