package dev.berth.core.door.globalreserve;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.DoorHandle;
import dev.berth.core.door.globalreserve.PostponedRequests.PostponedRequest;
import dev.berth.core.door.globalreserve.ReserveRequest.PodAssignment;
import dev.berth.core.time.Instants;
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
    Optional<ReservedGroup> decide(ReserveRequest request, DoorHandle handle, ReserveCallback reserveCallback) {
        return decide(
                new PostponedRequest(request, handle.now().plus(settings.responseTimeout()), reserveCallback), handle);
    }

    private Optional<ReservedGroup> decide(PostponedRequest postponedRequest, DoorHandle handle) {
        ReserveRequest request = postponedRequest.request();
        GroupFit groupFit = new GroupFit(
                handle.ledger(),
                podAssignment -> ReservedPlaceHolds.findHold(podAssignment, request.schedulerName(), handle.ledger()));
        Optional<ReserveResponse> refusal =
                request.validate(settings.maxPods()).or(() -> groupFit.check(request.assignments()));
        Instant now = handle.now();
        if (refusal.filter(response -> postponedRequest.respondBy().isAfter(now) && mayFitSoon(request, response))
                .isPresent()) {
            postponed.add(postponedRequest);
            return Optional.empty();
        }
        List<ReservedPlace> places = places(request, groupFit, handle);
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
    private static List<ReservedPlace> places(ReserveRequest request, GroupFit groupFit, DoorHandle handle) {
        List<ReservedPlace> places = new ArrayList<>();
        for (PodAssignment assignment : request.assignments()) {
            if (!groupFit.isAlreadyBound(assignment)) {
                handle.ledger()
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

    ReserveResponse unreserve(ReserveRequest request, DoorHandle handle) {
        Optional<ReserveResponse> rejection = request.validateSchedulerName();
        if (rejection.isPresent()) {
            return rejection.get();
        }
        List<PodAssignment> notReleased = new ArrayList<>();
        for (PodAssignment podAssignment : request.assignments()) {
            PodUid pod = podAssignment.pod().uid();
            List<ReservedGroup> ownGroups = groups.index().findActive(pod, request.schedulerName());
            if (ownGroups.isEmpty() && !groups.index().findActive(pod).isEmpty()) {
                notReleased.add(podAssignment);
            }
            groups.placeEnds().endPlaces(ownGroups, pod, "was unreserved", handle);
        }
        return notReleased.isEmpty()
                ? ReserveResponse.SUCCESS
                : ReserveResponse.notReleased(request.schedulerName(), notReleased);
    }

    /** Fails the groups whose callers must have a response now. */
    void failOverdue(DoorHandle handle) {
        awaitingResponse.removeIf(group -> !group.isAwaitingResponse());
        for (ReservedGroup group : List.copyOf(awaitingResponse)) {
            if (group.respondBy().filter(by -> !by.isAfter(handle.now())).isPresent()) {
                groups.placeEnds().fail(group, timeoutMessage(), handle);
            }
        }
    }

    private String timeoutMessage() {
        return "The API server did not store the reservation within %d ms; nothing is reserved"
                .formatted(settings.responseTimeout().toMillis());
    }

    /** Decides again on requests whose nodes had places released, and on requests that must have a response now. */
    void decidePostponed(DoorHandle handle) {
        postponed
                .drainDue(groups.pendingReleases().drainReleasedNodes(), handle.now())
                .forEach(postponedRequest ->
                        decide(postponedRequest, handle).ifPresent(group -> groups.add(group, handle)));
    }

    Optional<Instant> nextWake() {
        Optional<Instant> next = postponed.nextWake();
        for (ReservedGroup group : awaitingResponse) {
            next = Instants.earliest(next, group.respondBy());
        }
        return next;
    }
}
