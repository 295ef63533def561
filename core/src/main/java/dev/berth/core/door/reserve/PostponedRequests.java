package dev.berth.core.door.reserve;

import dev.berth.core.door.reserve.ReserveRequest.Seat;
import dev.berth.core.queue.Wake;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Requests that do not fit yet, and ask for nodes where room is about to be released. They are decided on again when it is,
 * in the order in which they came. So a scheduler that gives a place back and asks for the same room is not refused because a
 * write is under way.
 */
final class PostponedRequests {
    /** @param answerBy when the caller must have an answer */
    record Postponed(ReserveRequest request, Instant answerBy, ReserveDoor.Asker asker) {
        private boolean wantsOneOf(Set<String> nodes) {
            return request.seats().stream().map(Seat::node).anyMatch(nodes::contains);
        }
    }

    private List<Postponed> requests = new ArrayList<>();

    void add(Postponed request) {
        requests.add(request);
    }

    /** Takes those that have to be decided on: room was released on one of their nodes, or their time is up. */
    List<Postponed> take(Set<String> released, Instant now) {
        if (requests.isEmpty()) {
            return List.of();
        }
        List<Postponed> due = new ArrayList<>();
        List<Postponed> rest = new ArrayList<>();
        for (Postponed request : requests) {
            boolean isDue = !request.answerBy().isAfter(now) || request.wantsOneOf(released);
            (isDue ? due : rest).add(request);
        }
        requests = rest;
        return due;
    }

    Optional<Instant> nextWake() {
        Optional<Instant> next = Optional.empty();
        for (Postponed request : requests) {
            next = Wake.earlier(next, Optional.of(request.answerBy()));
        }
        return next;
    }
}
