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

/** Computes the desired status of reservations. */
final class ReservationStatusCalculator {
    /** How long other schedulers have time to write the first status. */
    private static final Duration OTHER_SCHEDULER_GRACE_PERIOD = Duration.ofSeconds(60);

    private static final Duration STARTUP_GRACE_PERIOD = Duration.ofSeconds(10);

    private final KoordinatorSettings settings;
    private final ReservationProblems problems;

    ReservationStatusCalculator(KoordinatorSettings settings) {
        this.settings = settings;
        this.problems = new ReservationProblems(settings.schedulerNames());
    }

    /** The write that the reservation needs, usually none. */
    Optional<ReservationWrite> desiredWrite(ReservationState reservationState, Handle handle) {
        Reservation reservation = reservationState.observed;
        if (reservationState.served
                && removableAt(reservation)
                        .filter(at -> !at.isAfter(handle.now()))
                        .isPresent()) {
            return Optional.of(new ReservationWrite.Delete(reservation.uid(), reservation.name()));
        }
        ReservationStatus desired = reservationState.served
                ? desiredStatus(reservationState, handle)
                : desiredUnservedStatus(reservationState, handle);
        return desired.equals(reservation.status())
                ? Optional.empty()
                : Optional.of(new ReservationWrite.UpdateStatus(
                        reservation.uid(), reservation.name(), reservation.resourceVersion(), desired));
    }

    /** When a write becomes due without any event. */
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
     * Berth never overwrites another scheduler's status. It writes only an absent status, a status with nothing but
     * this condition, or a status that Berth wrote last.
     */
    private ReservationStatus desiredUnservedStatus(ReservationState reservationState, Handle handle) {
        Instant now = handle.now();
        boolean notServedReportDue = notServedReportAt(reservationState)
                .filter(at -> !at.isAfter(now))
                .isPresent();
        ReservationStatus status = retractsProblems(reservationState, notServedReportDue)
                ? reservationState.statusWithProblemsRetracted(now)
                : reservationState.observed.status();
        if (notServedReportDue) {
            return endMessage(reservationState, handle)
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
     * After an edit, problems are retracted at once. A status that existed at the start stays for a while. Another
     * Berth that serves the name may be about to join, and it would write all problems again.
     */
    private static boolean retractsProblems(ReservationState reservationState, boolean notServedReportDue) {
        return reservationState.mustRetractProblems() && (notServedReportDue || !reservationState.isStatusInherited());
    }

    /** The message for a reservation that is not served. */
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
     * From when on Berth reports that it no longer serves a placed reservation. A scheduler that serves the name has
     * time to write the status first, and Berth never overwrites its status.
     */
    private static Optional<Instant> notServedReportAt(ReservationState reservationState) {
        return reservationState
                .unservedSince()
                .filter(at -> reservationState.observed.status().isAvailable())
                .map(at -> at.plus(OTHER_SCHEDULER_GRACE_PERIOD));
    }

    /** Berth also ends the reservations that it promised itself. */
    private static Optional<Instant> nextUnservedWriteAt(ReservationState reservationState, Instant now) {
        Optional<Instant> reportAt = notServedReportAt(reservationState);
        return reportAt.filter(at -> at.isAfter(now))
                .or(() ->
                        reportAt.flatMap(at -> reservationState.effectiveSpec().flatMap(ReservationSpec::deadline)));
    }

    /**
     * When to report that maybe no scheduler serves a reservation that Berth placed. Berth cannot write its status
     * then.
     */
    private static Optional<Instant> maybeNotServedEventAt(ReservationState reservationState) {
        return reservationState.mayBeServedByOtherScheduler()
                ? Optional.of(reservationState.firstObservedAt.plus(OTHER_SCHEDULER_GRACE_PERIOD))
                : Optional.empty();
    }

    boolean isMaybeNotServedEventDue(ReservationState reservationState, Instant now) {
        return maybeNotServedEventAt(reservationState)
                .filter(at -> !at.isAfter(now))
                .isPresent();
    }

    /**
     * Whether Berth bound all pods that the status lists as users. Another scheduler that took over the reservation
     * changes nothing in the status before it binds a pod.
     */
    static boolean isUsedOnlyByPodsBoundByBerth(Reservation reservation, LedgerView ledger) {
        return reservation.status().currentOwnerUids().stream()
                .allMatch(uid -> ledger.pod(uid)
                        .filter(pod -> pod.annotations()
                                .has(Claim.ANNOTATION, reservation.holdId().value()))
                        .isPresent());
    }

    /** When to report that no scheduler places the reservation, unless the status shows one by then. */
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
        Instant started = reservationState.firstObservedAt.plus(STARTUP_GRACE_PERIOD);
        return created.isAfter(started) ? created : started;
    }

    private ReservationStatus desiredStatus(ReservationState reservationState, Handle handle) {
        Reservation reservation = reservationState.observed;
        return switch (reservation.status().phase()) {
            case PENDING ->
                problems.applySpecProblems(
                        desiredPendingStatus(reservationState, handle), reservationState, handle.now());
            case AVAILABLE -> desiredAvailableStatus(reservationState, handle);
            case SUCCEEDED, FAILED -> reservation.status();
        };
    }

    private static ReservationStatus desiredPendingStatus(ReservationState reservationState, Handle handle) {
        Instant now = handle.now();
        Reservation reservation = reservationState.observed;
        ReservationStatus status = reservation.status().withoutSchedulerNotServed();
        if (reservationState.isExpired(now)) {
            return status.toExpired(
                    deadlineReachedMessage(reservationState, handle.now()) + " before it had a place", now);
        }
        if (reservation.spec().isEmpty()) {
            return unschedulableStatus(reservationState, status, reservation.problem(), now);
        }
        ReservationSpec reservationSpec = reservation.spec().get();
        if (reservationState.foundPlace.isPresent()) {
            String node = reservationState.foundPlace.get().nodeName();
            return status.toAvailable(node, reservationSpec.template().spec().requests(), scheduledAt(node, handle))
                    .withBerthMarker();
        }
        return reservationState.unschedulableMessage.isEmpty()
                ? status
                : unschedulableStatus(reservationState, status, reservationState.unschedulableMessage, now);
    }

    private static ReservationStatus unschedulableStatus(
            ReservationState reservationState, ReservationStatus status, String message, Instant now) {
        ReservationStatus unschedulable = status.withUnschedulable(message, now);
        reservationState.recordWrittenMessage(unschedulable.unschedulableMessage());
        return unschedulable;
    }

    /** Now, or the creation time of the node if its clock is ahead: a place is never older than its node. */
    private static Instant scheduledAt(String node, Handle handle) {
        Instant created =
                handle.ledger().node(node).map(state -> state.node().created()).orElse(Instant.EPOCH);
        return created.isAfter(handle.now()) ? created : handle.now();
    }

    private ReservationStatus desiredAvailableStatus(ReservationState reservationState, Handle handle) {
        Reservation reservation = reservationState.observed;
        ReservationStatus status = reservation.status();
        LedgerView ledger = handle.ledger();
        Optional<HoldState> hold = ledger.holdState(reservation.holdId());
        if (!reservationState.spentBy.isEmpty()) {
            ReservationStatus used = withCurrentOwners(status, reservationState.spentBy);
            return hold.filter(ReservationStatusCalculator::hasUnconfirmedClaim).isPresent()
                    ? used
                    : used.toSucceeded(handle.now());
        }
        Optional<String> endMessage = endMessage(reservationState, handle);
        if (endMessage.isPresent()) {
            // The claims on a deleted node are gone, but the status still lists the users.
            Optional<HoldState> there = hold.filter(state -> state.nodeName().isPresent());
            ReservationStatus used = there.map(state -> withCurrentOwners(status, findConfirmedUsers(state, ledger)))
                    .orElse(status);
            return there.filter(ReservationStatusCalculator::hasUnconfirmedClaim)
                            .isPresent()
                    ? used
                    : used.toExpired(endMessage.get(), handle.now());
        }
        if (hold.isEmpty()) {
            return status;
        }
        ReservationStatus used = withCurrentOwners(status, findConfirmedUsers(hold.get(), ledger));
        return hold.get().spent() && !hasUnconfirmedClaim(hold.get())
                ? used.toSucceeded(handle.now())
                : problems.applyAll(used.withBerthMarker(), reservationState, hold.get(), ledger, handle.now());
    }

    /** Why a reservation that was not consumed ended. */
    private static Optional<String> endMessage(ReservationState reservationState, Handle handle) {
        if (reservationState.nodeLost
                || ReservationHoldFactory.findNode(reservationState.observed, handle.ledger())
                        .isEmpty()) {
            return Optional.of(
                    nodeDeletedMessage(reservationState.observed.status().nodeName(), handle.ledger()));
        }
        return reservationState.isExpired(handle.now())
                ? Optional.of(deadlineReachedMessage(reservationState, handle.now()))
                : Optional.empty();
    }

    private static String nodeDeletedMessage(String name, LedgerView ledger) {
        return "node (%s) was deleted%s"
                .formatted(
                        name,
                        ledger.node(name)
                                .map(state ->
                                        ": another node of that name replaced it at %s. Delete the Reservation and create it again"
                                                .formatted(
                                                        state.node().created().truncatedTo(ChronoUnit.SECONDS)))
                                .orElse(""));
    }

    /** Whether a pod is assumed whose bind is not confirmed yet: the last status lists all users. */
    private static boolean hasUnconfirmedClaim(HoldState hold) {
        return hold.claims().stream().anyMatch(claim -> !claim.confirmed());
    }

    private static String deadlineReachedMessage(ReservationState reservationState, Instant now) {
        return "the Reservation expired%s"
                .formatted(reservationState
                        .findReachedDeadline(now)
                        .map(end -> " at " + end.truncatedTo(ChronoUnit.SECONDS))
                        .orElse(""));
    }

    private static ReservationStatus withCurrentOwners(ReservationStatus status, List<Pod> users) {
        Resources used = Resources.NONE;
        for (Pod user : users) {
            used = used.plus(user.spec().requests());
        }
        return status.withCurrentOwners(users.stream().map(CurrentOwner::of).toList(), used);
    }

    /** The pods with confirmed claims, sorted by UID. Assumed claims may fail. */
    static List<Pod> findConfirmedUsers(HoldState hold, LedgerView ledger) {
        return hold.claims().stream()
                .filter(Claim::confirmed)
                .flatMap(claim -> ledger.pod(claim.pod()).stream())
                .sorted(Comparator.comparing(Pod::uid))
                .toList();
    }
}
