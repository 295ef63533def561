package dev.berth.core.door.godel;

import dev.berth.core.door.godel.GodelReservationLifecycle.Event;
import dev.berth.core.door.godel.GodelReservationLifecycle.State;
import dev.berth.core.door.godel.GodelWrite.Successor;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.ReturnKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Applies the lifecycle events that a Reservation, the bound pods and the time show. */
final class GodelReservationStateUpdater {
    private final Successors successors;
    private final Duration defaultTtl;

    /** @param defaultTtl the TTL of Reservations that have none */
    GodelReservationStateUpdater(Successors successors, Duration defaultTtl) {
        this.successors = successors;
        this.defaultTtl = defaultTtl;
    }

    /** Returns the state at this time. */
    State update(GodelReservationState state, Instant now) {
        if (state.reservation.terminating()) {
            state.apply(Event.DELETION_OBSERVED);
        }
        state.apply(findSuccessor(state).isPresent() ? Event.SUCCESSOR_BOUND : Event.SUCCESSOR_LOST);
        state.apply(state.reservation.isMatched() ? Event.MATCH_OBSERVED : Event.MATCH_REVERTED);
        if (isPastDeadline(state, now)) {
            state.apply(Event.DEADLINE_PASSED);
        }
        return state.state();
    }

    boolean isEnded(GodelReservationState state, Instant now) {
        return update(state, now).isEnded();
    }

    Instant deadline(GodelReservation reservation) {
        return reservation.deadline(defaultTtl);
    }

    /** Whether the deadline passed, even if an edit of the TTL set a later deadline since. */
    boolean isPastDeadline(GodelReservationState state, Instant now) {
        return state.state() == State.EXPIRED || !deadline(state.reservation).isAfter(now);
    }

    boolean isExpiredUnclaimed(GodelReservationState state, Instant now) {
        return update(state, now) == State.EXPIRED
                && !state.reservation.isMatched()
                && findSuccessor(state).isEmpty();
    }

    /** Whether the Reservation expired while the bind of a pod into its hold is in flight. */
    boolean isBindPending(GodelReservationState state, Handle handle) {
        return isExpiredUnclaimed(state, handle.now())
                && Successors.isBindPending(state.reservation.holdId(), state.reservation.nodeName(), handle.ledger());
    }

    Optional<Successor> findSuccessor(GodelReservationState state) {
        GodelReservation reservation = state.reservation;
        if (reservation.key().isEmpty()) {
            return Optional.empty();
        }
        ReturnKey key = new ReturnKey(reservation.namespace(), reservation.key());
        return successors
                .find(reservation.holdId(), reservation.nodeName(), key)
                .or(() -> successors.find(reservation.standaloneHoldId(), reservation.nodeName(), key));
    }
}
