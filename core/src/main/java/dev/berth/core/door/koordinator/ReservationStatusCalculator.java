package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Pod;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.Claim;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.resource.Resources;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Compares what reservations say with what is true. */
final class ReservationStatusCalculator {
    /** How long a scheduler that is not Berth has time to write the first status. */
    private static final Duration OTHER_SCHEDULER_GRACE_PERIOD = Duration.ofSeconds(60);

    private static final Duration STARTUP_GRACE_PERIOD = Duration.ofSeconds(10);

    private final KoordinatorSettings settings;
    private final ReservationProblems problems;

    ReservationStatusCalculator(KoordinatorSettings settings) {
        this.settings = settings;
        this.problems = new ReservationProblems(settings.schedulerNames());
    }

    /** What is to be written about it; mostly nothing. */
    Optional<ReservationWrite> desiredWrite(ReservationState reservationState, Handle doorContext) {
        Reservation reservation = reservationState.observed;
        if (reservationState.served
                && removableAt(reservation)
                        .filter(at -> !at.isAfter(doorContext.now()))
                        .isPresent()) {
            return Optional.of(new ReservationWrite.Delete(reservation.uid(), reservation.name()));
        }
        ReservationStatus desired = reservationState.served
                ? desiredStatus(reservationState, doorContext)
                : desiredUnservedStatus(reservationState, doorContext);
        return desired.equals(reservation.status())
                ? Optional.empty()
                : Optional.of(new ReservationWrite.UpdateStatus(
                        reservation.uid(), reservation.name(), reservation.resourceVersion(), desired));
    }

    /** When there will be something to write though nothing happens. */
    Optional<Instant> nextWriteAt(ReservationState reservationState, Instant now) {
        Reservation reservation = reservationState.observed;
        if (!reservationState.served) {
            return unscheduledReportAt(reservationState)
                    .or(() -> nextUnservedWriteAt(reservationState, now))
                    .or(() -> maybeNotServedEventAt(reservationState));
        }
        return reservation.status().phase().terminal()
                ? removableAt(reservation)
                : reservationState.effectiveSpec().flatMap(ReservationSpec::deadline);
    }

    private Optional<Instant> removableAt(Reservation reservation) {
        return reservation.terminating()
                ? Optional.empty()
                : reservation.status().endedAt().map(at -> at.plus(settings.ttlAfterFinished()));
    }

    /**
     * Another scheduler's status is never touched: only an empty one, one that says nothing but this, or the one that Berth
     * wrote last.
     */
    private ReservationStatus desiredUnservedStatus(ReservationState reservationState, Handle doorContext) {
        Instant now = doorContext.now();
        boolean notServedReportDue = notServedReportAt(reservationState)
                .filter(at -> !at.isAfter(now))
                .isPresent();
        ReservationStatus status = retractsProblems(reservationState, notServedReportDue)
                ? reservationState.statusWithProblemsRetracted(now)
                : reservationState.observed.status();
        if (notServedReportDue) {
            return endMessage(reservationState, doorContext)
                    .map(message -> status.toExpired(message, now))
                    .orElseGet(() -> status.withNotReadySchedulerNotServed(notServedMessage(reservationState), now));
        }
        boolean unscheduledReportDue = unscheduledReportAt(reservationState)
                .filter(at -> !at.isAfter(now))
                .isPresent();
        return unscheduledReportDue || status.hasOnlySchedulerNotServed()
                ? status.withSchedulerNotServed(notServedMessage(reservationState), now)
                : status;
    }

    /**
     * After an edit at once. A status that was found at the start stays as it is for a while: another Berth that serves the
     * name may be about to join, and it would write all reports again.
     */
    private static boolean retractsProblems(ReservationState reservationState, boolean notServedReportDue) {
        return reservationState.mustRetractProblems() && (notServedReportDue || !reservationState.isStatusInherited());
    }

    /** What the author of a reservation that is not served is told. */
    String notServedMessage(ReservationState reservationState) {
        String name = reservationState.observed.schedulerName();
        if (!reservationState.observed.status().isAvailable()) {
            return settings.notServedMessage(name);
        }
        Optional<Instant> end = reservationState.effectiveSpec().flatMap(ReservationSpec::deadline);
        return reservationState.mayBeServedByOtherScheduler()
                ? settings.maybeNotServedMessage(name, end)
                : settings.noLongerServedMessage(name, end);
    }

    /**
     * From when on Berth says of a placed reservation that it serves it no longer: not before a scheduler that serves the
     * name had time to write the status. Nothing is ever written over that scheduler's status.
     */
    private static Optional<Instant> notServedReportAt(ReservationState reservationState) {
        return reservationState
                .unservedSince()
                .filter(at -> reservationState.observed.status().isAvailable())
                .map(at -> at.plus(OTHER_SCHEDULER_GRACE_PERIOD));
    }

    /** Berth's own promise is ended by Berth, too. */
    private static Optional<Instant> nextUnservedWriteAt(ReservationState reservationState, Instant now) {
        Optional<Instant> said = notServedReportAt(reservationState);
        return said.filter(at -> at.isAfter(now))
                .or(() -> said.flatMap(at -> reservationState.effectiveSpec().flatMap(ReservationSpec::deadline)));
    }

    /** When it is to be told that nobody may serve a reservation that Berth placed, though Berth cannot write its status. */
    private static Optional<Instant> maybeNotServedEventAt(ReservationState reservationState) {
        return reservationState.mayBeServedByOtherScheduler()
                ? Optional.of(reservationState.firstSeenAt.plus(OTHER_SCHEDULER_GRACE_PERIOD))
                : Optional.empty();
    }

    boolean isMaybeNotServedEventDue(ReservationState reservationState, Instant now) {
        return maybeNotServedEventAt(reservationState)
                .filter(at -> !at.isAfter(now))
                .isPresent();
    }

    /**
     * Whether each pod that the status lists as a user was bound by Berth: another scheduler that took the reservation over
     * changes nothing in the status before it binds a pod there.
     */
    static boolean isUsedOnlyByPodsBoundByBerth(Reservation reservation, LedgerView ledger) {
        return reservation.status().currentOwnerUids().stream()
                .allMatch(uid -> ledger.pod(uid)
                        .filter(pod -> pod.annotations()
                                .has(Claim.ANNOTATION, reservation.holdId().value()))
                        .isPresent());
    }

    /** When it is to be said that no scheduler looks for a place, if nothing says by then that one does. */
    private static Optional<Instant> unscheduledReportAt(ReservationState reservationState) {
        ReservationStatus status = reservationState.observed.status();
        if (status.absent()) {
            return Optional.of(blankStatusReportAt(reservationState));
        }
        return reservationState
                .unservedSince()
                .filter(at -> status.isPendingWithoutConditions())
                .map(at -> at.plus(OTHER_SCHEDULER_GRACE_PERIOD));
    }

    /** After a start, other Berths that serve the name may still be about to join. */
    private static Instant blankStatusReportAt(ReservationState reservationState) {
        Instant created = reservationState.observed.created().plus(OTHER_SCHEDULER_GRACE_PERIOD);
        Instant started = reservationState.firstSeenAt.plus(STARTUP_GRACE_PERIOD);
        return created.isAfter(started) ? created : started;
    }

    private ReservationStatus desiredStatus(ReservationState reservationState, Handle doorContext) {
        Reservation reservation = reservationState.observed;
        return switch (reservation.status().phase()) {
            case PENDING ->
                problems.applySpecProblems(
                        desiredPendingStatus(reservationState, doorContext), reservationState, doorContext.now());
            case AVAILABLE -> desiredAvailableStatus(reservationState, doorContext);
            case SUCCEEDED, FAILED -> reservation.status();
        };
    }

    private static ReservationStatus desiredPendingStatus(ReservationState reservationState, Handle doorContext) {
        Instant now = doorContext.now();
        Reservation reservation = reservationState.observed;
        ReservationStatus status = reservation.status().withoutSchedulerNotServed();
        if (reservationState.isExpired(now)) {
            return status.toExpired(
                    deadlineReachedMessage(reservationState, doorContext.now()) + " before it had a place", now);
        }
        if (reservation.spec().isEmpty()) {
            return unschedulableStatus(reservationState, status, reservation.problem(), now);
        }
        ReservationSpec reservationSpec = reservation.spec().get();
        if (reservationState.foundPlace.isPresent()) {
            String node = reservationState.foundPlace.get().nodeName();
            return status.toAvailable(
                            node, reservationSpec.template().shape().requests(), scheduledAt(node, doorContext))
                    .withBerthMarker();
        }
        return reservationState.unschedulableMessage.isEmpty()
                ? status
                : unschedulableStatus(reservationState, status, reservationState.unschedulableMessage, now);
    }

    private static ReservationStatus unschedulableStatus(
            ReservationState reservationState, ReservationStatus status, String message, Instant now) {
        ReservationStatus said = status.withUnschedulable(message, now);
        reservationState.recordWrittenMessage(said.unschedulableMessage());
        return said;
    }

    /** Now, or when the node was created should its clock be ahead: a place on a node is never older than the node. */
    private static Instant scheduledAt(String node, Handle doorContext) {
        Instant created = doorContext
                .ledger()
                .node(node)
                .map(state -> state.node().created())
                .orElse(Instant.EPOCH);
        return created.isAfter(doorContext.now()) ? created : doorContext.now();
    }

    private ReservationStatus desiredAvailableStatus(ReservationState reservationState, Handle doorContext) {
        Reservation reservation = reservationState.observed;
        ReservationStatus status = reservation.status();
        LedgerView ledger = doorContext.ledger();
        Optional<HoldState> hold = ledger.holdState(reservation.holdId());
        if (!reservationState.spentBy.isEmpty()) {
            ReservationStatus used = withCurrentOwners(status, reservationState.spentBy);
            return hold.filter(ReservationStatusCalculator::hasUnconfirmedClaim).isPresent()
                    ? used
                    : used.toSucceeded(doorContext.now());
        }
        Optional<String> endMessage = endMessage(reservationState, doorContext);
        if (endMessage.isPresent()) {
            // A node that is gone took its claims along: the status still says who used the place.
            Optional<HoldState> there = hold.filter(state -> state.nodeName().isPresent());
            ReservationStatus used = there.map(state -> withCurrentOwners(status, findConfirmedUsers(state, ledger)))
                    .orElse(status);
            return there.filter(ReservationStatusCalculator::hasUnconfirmedClaim)
                            .isPresent()
                    ? used
                    : used.toExpired(endMessage.get(), doorContext.now());
        }
        if (hold.isEmpty()) {
            return status;
        }
        ReservationStatus used = withCurrentOwners(status, findConfirmedUsers(hold.get(), ledger));
        return hold.get().spent() && !hasUnconfirmedClaim(hold.get())
                ? used.toSucceeded(doorContext.now())
                : problems.applyAll(used.withBerthMarker(), reservationState, hold.get(), ledger, doorContext.now());
    }

    /** Why a place that was not used up is over. */
    private static Optional<String> endMessage(ReservationState reservationState, Handle doorContext) {
        if (reservationState.nodeLost
                || ReservationHoldFactory.findNode(reservationState.observed, doorContext.ledger())
                        .isEmpty()) {
            return Optional.of(
                    nodeGoneMessage(reservationState.observed.status().nodeName(), doorContext.ledger()));
        }
        return reservationState.isExpired(doorContext.now())
                ? Optional.of(deadlineReachedMessage(reservationState, doorContext.now()))
                : Optional.empty();
    }

    private static String nodeGoneMessage(String name, LedgerView ledger) {
        return "node (%s) is gone%s"
                .formatted(
                        name,
                        ledger.node(name)
                                .map(state ->
                                        ": another node of that name replaced it at %s. Delete the Reservation and create it again"
                                                .formatted(
                                                        state.node().created().truncatedTo(ChronoUnit.SECONDS)))
                                .orElse(""));
    }

    /** Whether a pod was given room there whose binding does not show yet: the last status names all of its users. */
    private static boolean hasUnconfirmedClaim(HoldState hold) {
        return hold.claims().stream().anyMatch(claim -> !claim.confirmed());
    }

    private static String deadlineReachedMessage(ReservationState reservationState, Instant now) {
        return "the Reservation reached its deadline%s"
                .formatted(reservationState
                        .findReachedDeadline(now)
                        .map(end -> " " + end.truncatedTo(ChronoUnit.SECONDS))
                        .orElse(""));
    }

    private static ReservationStatus withCurrentOwners(ReservationStatus status, List<Pod> users) {
        Resources used = Resources.NONE;
        for (Pod user : users) {
            used = used.plus(user.spec().requests());
        }
        return status.withCurrentOwners(users.stream().map(CurrentOwner::of).toList(), used);
    }

    /** Those whose binding shows, in the order of their UIDs: what is only assumed may come to nothing. */
    static List<Pod> findConfirmedUsers(HoldState hold, LedgerView ledger) {
        return hold.claims().stream()
                .filter(Claim::confirmed)
                .flatMap(claim -> ledger.pod(claim.pod()).stream())
                .sorted(Comparator.comparing(Pod::uid))
                .toList();
    }
}
