package dev.berth.core.door.globalreserve;

import dev.berth.core.door.globalreserve.ReserveRequest.PodAssignment;
import dev.berth.core.time.Instants;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Requests that do not fit yet, on nodes where places are about to be released. They are decided on again after the
 * release, in the order of their arrival. So a scheduler that releases a place and requests it again is not rejected
 * while the release is being written.
 */
final class PostponedRequests {
    /** @param respondBy when the caller must have a response */
    record PostponedRequest(ReserveRequest request, Instant respondBy, ReserveCallback callback) {
        private boolean targetsAnyOf(Set<String> nodes) {
            return request.assignments().stream().map(PodAssignment::nodeName).anyMatch(nodes::contains);
        }
    }

    private List<PostponedRequest> requests = new ArrayList<>();

    void add(PostponedRequest request) {
        requests.add(request);
    }

    /**
     * Removes and returns the requests to decide on again: places were released on one of their nodes, or their time is
     * up.
     */
    List<PostponedRequest> drainDue(Set<String> released, Instant now) {
        if (requests.isEmpty()) {
            return List.of();
        }
        List<PostponedRequest> due = new ArrayList<>();
        List<PostponedRequest> rest = new ArrayList<>();
        for (PostponedRequest request : requests) {
            boolean isDue = !request.respondBy().isAfter(now) || request.targetsAnyOf(released);
            (isDue ? due : rest).add(request);
        }
        requests = rest;
        return due;
    }

    Optional<Instant> nextWake() {
        Optional<Instant> next = Optional.empty();
        for (PostponedRequest request : requests) {
            next = Instants.earliest(next, Optional.of(request.respondBy()));
        }
        return next;
    }
}
