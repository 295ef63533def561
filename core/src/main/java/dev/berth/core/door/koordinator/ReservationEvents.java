package dev.berth.core.door.koordinator;

import dev.berth.core.effect.Effect;
import dev.berth.core.effect.Effect.RecordEvent;
import dev.berth.core.effect.EventTarget;
import dev.berth.core.reconcile.ReportedMessages;
import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The events of a reservation: each message is recorded once while it is true. */
final class ReservationEvents {
    /** Why the reservation has no placement. */
    private static final String SCHEDULING_TOPIC = "scheduling";
    /** The reasons of the conditions that report problems. */
    private static final String CONDITIONS_TOPIC = "conditions";
    /** The reservation should move, and no other node fits. */
    private static final String MOVE_TOPIC = "move";
    /** The reservation ended unused. */
    static final String END_TOPIC = "end";

    private static final RecordEvent.EventTemplate INVALID =
            RecordEvent.EventTemplate.warning(ReservationProblems.INVALID, "Scheduling");
    private static final RecordEvent.EventTemplate NOT_SERVED =
            RecordEvent.EventTemplate.warning("SchedulerNotServed", "Scheduling");

    /** The condition has Koordinator's reason, {@code Expired}, for both ends. */
    private static final RecordEvent.EventTemplate EXPIRED = RecordEvent.EventTemplate.normal("Expired", "Reserving");

    private static final RecordEvent.EventTemplate RESIZED = RecordEvent.EventTemplate.normal("Resized", "Reserving");

    private static final RecordEvent.EventTemplate NODE_DELETED =
            RecordEvent.EventTemplate.warning("NodeDeleted", "Reserving");

    private static final RecordEvent.EventTemplate MOVED = RecordEvent.EventTemplate.normal("Moved", "Reserving");

    private static final RecordEvent.EventTemplate MOVE_FAILED =
            RecordEvent.EventTemplate.warning("MoveFailed", "Reserving");

    private ReservationEvents() {}

    static List<Effect> schedulingEvents(ReservationState reservationState, ReportedMessages<String> reported) {
        List<Effect> events = new ArrayList<>();
        Reservation reservation = reservationState.observed;
        if (reservationState.scheduledEventDue) {
            reservationState.scheduledEventDue = false;
            events.add(event(
                    reservation,
                    RecordEvent.EventTemplate.SCHEDULED,
                    "Successfully assigned %s to %s"
                            .formatted(reservation.name(), reservation.status().nodeName())));
        }
        reservationState.move.pollCompleted().ifPresent(note -> events.add(event(reservation, MOVED, note)));
        moveFailedEvent(reservationState, reported).ifPresent(events::add);
        reservationState.resize.takeResizedFrom().ifPresent(before -> events.add(resizedEvent(reservation, before)));
        String message =
                reservation.problem().isEmpty() ? reservationState.unschedulableMessage : reservation.problem();
        if (reported.replace(reservation.uid(), SCHEDULING_TOPIC, message) && reservation.pending()) {
            RecordEvent.EventTemplate kind =
                    reservation.problem().isEmpty() ? RecordEvent.EventTemplate.FAILED_SCHEDULING : INVALID;
            events.add(event(reservation, kind, message));
        }
        return events;
    }

    /** One event until the reservation moves or can stay: the reasons of the nodes may change often. */
    private static Optional<RecordEvent> moveFailedEvent(
            ReservationState reservationState, ReportedMessages<String> reported) {
        Reservation reservation = reservationState.observed;
        Optional<String> failure = reservationState.move.failure();
        boolean added = reported.replace(
                reservation.uid(), MOVE_TOPIC, failure.map(any -> "failed").orElse(""));
        return failure.filter(why -> added && !ReservationMove.isFailureReportedBy(reservation.status()))
                .map(why -> event(
                        reservation,
                        MOVE_FAILED,
                        "The Reservation cannot move from node %s: %s"
                                .formatted(
                                        reservation.status().nodeName(),
                                        reservationState
                                                        .move
                                                        .decision()
                                                        .cause()
                                                        .map(MoveCause::clause)
                                                        .orElse("the node is not usable")
                                                + ". "
                                                + why)));
    }

    private static RecordEvent resizedEvent(Reservation reservation, Resources before) {
        return event(
                reservation,
                RESIZED,
                "Resized from %s to %s on node %s"
                        .formatted(
                                ReservationResizer.text(before),
                                ReservationResizer.text(reservation.status().allocatable()),
                                reservation.status().nodeName()));
    }

    /**
     * Events about problems that are new in a status that is about to be written. A problem in the observed status was
     * reported before, perhaps by a former process. An over-committed node gets an event of its own.
     */
    static List<RecordEvent> problemEvents(
            ReservationState reservationState, ReservationStatus next, ReportedMessages<String> reported) {
        Reservation reservation = reservationState.observed;
        List<ReservationCondition> problems = next.conditions().stream()
                .filter(condition -> !condition.isTrue()
                        && !next.phase().terminal()
                        && condition.type() != ReservationCondition.Type.SCHEDULED)
                .toList();
        List<String> added = reported.replace(
                reservation.uid(),
                CONDITIONS_TOPIC,
                problems.stream().map(ReservationCondition::reason).toList());
        return problems.stream()
                .filter(problem -> added.contains(problem.reason())
                        && reservation.status().conditions().stream()
                                .noneMatch(other ->
                                        !other.isTrue() && other.reason().equals(problem.reason())))
                .map(problem -> event(
                        reservation,
                        RecordEvent.EventTemplate.warning(problem.reason(), "Reserving"),
                        problem.message()))
                .toList();
    }

    /** The event about an end that is about to be written to the status: one event, even if the write is retried. */
    static Optional<RecordEvent> endEvent(
            ReservationState reservationState,
            EventTarget target,
            ReservationStatus next,
            Instant now,
            ReportedMessages<String> reported) {
        boolean ends = next.phase() == ReservationStatus.ReservationPhase.FAILED
                && !reservationState.observed.status().phase().terminal();
        if (!ends || !reported.replace(reservationState.uid(), END_TOPIC, "ended")) {
            return Optional.empty();
        }
        RecordEvent.EventTemplate kind = reservationState.isExpired(now) ? EXPIRED : NODE_DELETED;
        return next.findCondition(ReservationCondition.Type.READY)
                .map(condition -> new RecordEvent(target, kind, condition.message()));
    }

    /** Empty if the message was reported before: a write that is retried needs no second event. */
    static Optional<RecordEvent> notServedEvent(
            ReservationState reservationState, EventTarget target, String message, ReportedMessages<String> reported) {
        return reported.replace(reservationState.uid(), SCHEDULING_TOPIC, message)
                ? Optional.of(new RecordEvent(target, NOT_SERVED, message))
                : Optional.empty();
    }

    static RecordEvent event(Reservation reservation, RecordEvent.EventTemplate kind, String message) {
        return new RecordEvent(eventTarget(reservation, reservation.schedulerName()), kind, message);
    }

    static EventTarget eventTarget(Reservation reservation, String reporter) {
        return new EventTarget(
                Reservation.API_VERSION, Reservation.KIND, "", reservation.name(), reservation.uid(), reporter);
    }
}
