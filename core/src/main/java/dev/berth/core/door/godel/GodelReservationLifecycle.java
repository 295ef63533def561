package dev.berth.core.door.godel;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;

/**
 * The lifecycle of one Reservation, from the pod that terminates to the deleted Reservation. The package documentation
 * draws the transitions. An event that has no transition in a state leaves the state as it is.
 */
final class GodelReservationLifecycle {
    /** How far a Reservation is. */
    enum State {
        /** The pod is deleted and still runs. Its hold counts the pod as a backer and admits no pod. */
        POD_TERMINATING,
        /** The pod stopped. Berth has not decided yet whether to create a Reservation. */
        POD_STOPPED,
        /** The hold is open to the successor. The Reservation must be created. */
        CREATE_PENDING,
        CREATE_SENT,
        /** The API server accepted the create. The watch has not shown the Reservation yet. */
        CREATE_ACCEPTED,
        /** The hold ended while the create was in flight. A Reservation that the watch shows is deleted. */
        CREATE_SENT_CANCELLED,
        CREATE_ACCEPTED_CANCELLED,
        /** The watch shows the Reservation. It holds capacity, or waits for capacity, a node or a valid edit. */
        ACTIVE,
        /** The Reservation shows the phase Matched, and Berth knows no successor. A user may revert the phase. */
        MATCH_OBSERVED,
        /** The successor is bound. The Reservation must show the phase Matched. */
        CLAIMED,
        /** The API server accepted the phase Matched from Berth. */
        MATCHED,
        /** The API server answered that the Reservation to be marked Matched does not exist. */
        MATCH_NOT_FOUND,
        EXPIRED,
        /** The node or the StatefulSet was deleted, or the hold ended before the watch showed the Reservation. */
        CANCELLED,
        /**
         * The capacity may belong to other pods: a draw broke, or Berth reallocated the capacity before it restarted. The
         * next leader must end the Reservation, too. Therefore the checkpoint keeps its proof that Berth created it.
         */
        CAPACITY_LOST,
        /** The API server accepted the delete. The watch has not shown the deletion yet. */
        DELETE_ACCEPTED,
        /** The Reservation has a deletion timestamp: finalizers keep it. */
        DELETING,
        /** Berth no longer tracks the Reservation. */
        FORGOTTEN;

        /** Whether the watch shows the Reservation. */
        boolean isObserved() {
            return compareTo(ACTIVE) >= 0 && this != FORGOTTEN;
        }

        /** Whether the Reservation must be created, or is about to be shown. */
        boolean isCreateDesired() {
            return this == CREATE_PENDING || this == CREATE_SENT || this == CREATE_ACCEPTED;
        }

        /** Whether the Reservation is deleted as soon as the watch shows it. */
        boolean isCreateCancelled() {
            return this == CREATE_SENT_CANCELLED || this == CREATE_ACCEPTED_CANCELLED;
        }

        /** Whether only this process knows that the pod was deleted. */
        boolean isPodDeletionPendingDurability() {
            return this == POD_STOPPED
                    || this == CREATE_PENDING
                    || this == CREATE_SENT
                    || this == CREATE_SENT_CANCELLED;
        }

        /** Whether the Reservation shall hold nothing any more. */
        boolean isEnded() {
            return isObserved() && this != ACTIVE;
        }

        /** Whether the API server knows the end of the Reservation, so that the record on the successor is not needed. */
        boolean isEndDurable() {
            return this == MATCHED || this == DELETE_ACCEPTED || this == DELETING;
        }
    }

    /** What happens to a Reservation or to its pods. */
    enum Event {
        /** The pod was removed, or it finished and only finalizers keep it. */
        POD_STOPPED,
        /** The pod gets no Reservation. */
        NOT_RESERVED,
        /** A Reservation is to be created, maybe under another name than before. */
        CREATE_REQUESTED,
        CREATE_SENT,
        CREATE_ACCEPTED,
        CREATE_FAILED,
        /** The watch shows the Reservation that Berth created. */
        OBSERVED,
        /** A pod with the Reservation's key is bound into the hold. */
        SUCCESSOR_BOUND,
        /** No such pod is known any more: a user edited the key or the node of the Reservation. */
        SUCCESSOR_LOST,
        /** The Reservation shows the phase Matched. */
        MATCH_OBSERVED,
        /** The Reservation does not show the phase Matched. */
        MATCH_REVERTED,
        /** The API server accepted the phase Matched from Berth. */
        MATCHED,
        /** The API server answered to the mark that the Reservation does not exist. */
        MATCH_NOT_FOUND,
        DEADLINE_PASSED,
        /** The node or the StatefulSet was deleted. Before the watch shows the Reservation: its hold ended, for any reason. */
        CANCELLED,
        /** A draw broke, or Berth reallocated the capacity before it restarted. */
        CAPACITY_LOST,
        DELETE_ACCEPTED,
        /** The Reservation shows a deletion timestamp. */
        DELETION_OBSERVED,
        /** The watch shows that the Reservation is deleted. */
        REMOVED
    }

    private static final Map<State, Map<Event, State>> TRANSITIONS = transitions();

    private State state;

    private GodelReservationLifecycle(State initial) {
        state = initial;
    }

    /** Of a Reservation that Berth creates for a pod. */
    static GodelReservationLifecycle ofTerminatingPod() {
        return new GodelReservationLifecycle(State.POD_TERMINATING);
    }

    /** Of a Reservation that the watch shows. */
    static GodelReservationLifecycle ofObserved() {
        return new GodelReservationLifecycle(State.ACTIVE);
    }

    State state() {
        return state;
    }

    /** Returns the state after the event. */
    State apply(Event event) {
        state = next(state, event);
        return state;
    }

    static State next(State state, Event event) {
        return TRANSITIONS.getOrDefault(state, Map.of()).getOrDefault(event, state);
    }

    private static Map<State, Map<Event, State>> transitions() {
        Map<State, Map<Event, State>> all = new EnumMap<>(State.class);
        all.put(State.POD_TERMINATING, Map.of(Event.POD_STOPPED, State.POD_STOPPED));
        all.put(
                State.POD_STOPPED,
                Map.of(Event.CREATE_REQUESTED, State.CREATE_PENDING, Event.NOT_RESERVED, State.FORGOTTEN));
        all.put(
                State.CREATE_PENDING,
                Map.of(
                        Event.CREATE_SENT, State.CREATE_SENT,
                        Event.OBSERVED, State.ACTIVE,
                        Event.SUCCESSOR_BOUND, State.FORGOTTEN,
                        Event.CANCELLED, State.FORGOTTEN));
        all.put(
                State.CREATE_SENT,
                Map.of(
                        Event.CREATE_REQUESTED, State.CREATE_PENDING,
                        Event.CREATE_ACCEPTED, State.CREATE_ACCEPTED,
                        Event.CREATE_FAILED, State.CREATE_PENDING,
                        Event.OBSERVED, State.ACTIVE,
                        Event.CANCELLED, State.CREATE_SENT_CANCELLED));
        all.put(
                State.CREATE_ACCEPTED,
                Map.of(
                        Event.CREATE_REQUESTED, State.CREATE_PENDING,
                        Event.CREATE_SENT, State.CREATE_SENT,
                        Event.OBSERVED, State.ACTIVE,
                        Event.CANCELLED, State.CREATE_ACCEPTED_CANCELLED));
        all.put(
                State.CREATE_SENT_CANCELLED,
                Map.of(
                        Event.CREATE_ACCEPTED, State.CREATE_ACCEPTED_CANCELLED,
                        Event.CREATE_FAILED, State.FORGOTTEN,
                        Event.OBSERVED, State.CANCELLED));
        all.put(State.CREATE_ACCEPTED_CANCELLED, Map.of(Event.OBSERVED, State.CANCELLED));
        addObserved(all);
        return Collections.unmodifiableMap(all);
    }

    private static void addObserved(Map<State, Map<Event, State>> all) {
        Map<Event, State> common = new EnumMap<>(Map.of(
                Event.MATCHED, State.MATCHED,
                Event.DELETE_ACCEPTED, State.DELETE_ACCEPTED,
                Event.DELETION_OBSERVED, State.DELETING,
                Event.REMOVED, State.FORGOTTEN));
        all.put(
                State.ACTIVE,
                with(
                        common,
                        Map.of(
                                Event.MATCH_OBSERVED, State.MATCH_OBSERVED,
                                Event.SUCCESSOR_BOUND, State.CLAIMED,
                                Event.DEADLINE_PASSED, State.EXPIRED,
                                Event.CANCELLED, State.CANCELLED,
                                Event.CAPACITY_LOST, State.CAPACITY_LOST)));
        all.put(
                State.MATCH_OBSERVED,
                with(
                        common,
                        Map.of(
                                Event.MATCH_REVERTED, State.ACTIVE,
                                Event.SUCCESSOR_BOUND, State.CLAIMED,
                                Event.DEADLINE_PASSED, State.EXPIRED,
                                Event.CANCELLED, State.CANCELLED,
                                Event.CAPACITY_LOST, State.CAPACITY_LOST)));
        all.put(
                State.CLAIMED,
                with(
                        common,
                        Map.of(
                                Event.SUCCESSOR_LOST, State.ACTIVE,
                                Event.MATCH_NOT_FOUND, State.MATCH_NOT_FOUND,
                                Event.DEADLINE_PASSED, State.EXPIRED,
                                Event.CANCELLED, State.CANCELLED)));
        all.put(
                State.EXPIRED,
                with(common, Map.of(Event.CANCELLED, State.CANCELLED, Event.CAPACITY_LOST, State.CAPACITY_LOST)));
        all.put(
                State.CAPACITY_LOST,
                with(common, Map.of(Event.MATCH_NOT_FOUND, State.MATCH_NOT_FOUND, Event.CANCELLED, State.CANCELLED)));
        all.put(State.MATCHED, common);
        all.put(State.MATCH_NOT_FOUND, common);
        all.put(State.CANCELLED, common);
        all.put(State.DELETE_ACCEPTED, Map.of(Event.DELETION_OBSERVED, State.DELETING, Event.REMOVED, State.FORGOTTEN));
        all.put(State.DELETING, Map.of(Event.REMOVED, State.FORGOTTEN));
    }

    private static Map<Event, State> with(Map<Event, State> common, Map<Event, State> own) {
        Map<Event, State> all = new EnumMap<>(common);
        all.putAll(own);
        return all;
    }
}
