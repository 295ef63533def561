package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.Claim;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.resource.PodSlot;
import dev.berth.core.resource.Resources;
import dev.berth.core.time.Instants;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Computes the desired status of reservations. */
final class ReservationStatusCalculator {
    /** How long other schedulers have time to write the first status. */
    private static final Duration OTHER_SCHEDULER_GRACE_PERIOD = Duration.ofSeconds(60);

    private static final Duration STARTUP_GRACE_PERIOD = Duration.ofSeconds(10);

    /** How often Koordinator deletes reservations that ended. */
    private static final Duration GC_INTERVAL = Duration.ofSeconds(60);

    private final KoordinatorSettings settings;
    private final ReservationProblems problems;
    /** Whether a reservation waits for another place if its node is deleted. */
    private final Predicate<ReservationState> outlivesItsNode;

    ReservationStatusCalculator(KoordinatorSettings settings, Predicate<ReservationState> outlivesItsNode) {
        this.settings = settings;
        this.outlivesItsNode = outlivesItsNode;
        this.problems = new ReservationProblems(settings.schedulerNames());
    }

    /** The write that the reservation needs, usually none. */
    Optional<ReservationWrite> desiredWrite(ReservationState reservationState, Handle handle) {
        Reservation reservation = reservationState.observed;
        if (reservationState.served
                && removableAt(reservationState, handle.ledger())
                        .filter(at -> !at.isAfter(handle.now()))
                        .isPresent()) {
            return Optional.of(new ReservationWrite.Delete(reservation.uid(), reservation.name()));
        }
        ReservationStatus desired = reservationState.served
                ? desiredStatus(reservationState, handle)
                : desiredUnservedStatus(reservationState, handle);
        String until = ReservationUntil.text(desired, reservationState.effectiveSpec());
        return desired.equals(reservation.status()) && !showsOther(until, reservationState)
                ? Optional.empty()
                : Optional.of(ReservationWrite.UpdateStatus.of(reservation, desired, until));
    }

    /**
     * Whether users see another end than this. With Koordinator's CRD the API server does not store the text, and a
     * write for its sake would be repeated for ever.
     */
    private static boolean showsOther(String until, ReservationState reservationState) {
        Reservation reservation = reservationState.observed;
        return reservationState.served
                && !reservation.status().phase().terminal()
                && !reservation.shownUntil().isEmpty()
                && !reservation.shownUntil().equals(until);
    }

    /** When a write becomes due without any event. */
    Optional<Instant> nextWriteAt(ReservationState reservationState, Handle handle) {
        Instant now = handle.now();
        Reservation reservation = reservationState.observed;
        if (!reservationState.served) {
            return unscheduledReportAt(reservationState)
                    .or(() -> nextUnservedWriteAt(reservationState, now))
                    .or(() -> maybeNotServedEventAt(reservationState));
        }
        return reservation.status().phase().terminal()
                ? removableAt(reservationState, handle.ledger())
                : reservationState.effectiveSpec().flatMap(ReservationSpec::deadline);
    }

    /** As in Koordinator, a reservation that failed is deleted in the next round if its node does not exist any more. */
    private Optional<Instant> removableAt(ReservationState reservationState, LedgerView ledger) {
        Reservation reservation = reservationState.observed;
        ReservationStatus status = reservation.status();
        if (reservation.terminating()) {
            return Optional.empty();
        }
        boolean nodeDeleted = status.phase() == ReservationStatus.ReservationPhase.FAILED
                && !status.nodeName().isEmpty()
                && ReservationHoldFactory.findNode(reservation, ledger).isEmpty();
        Optional<Instant> endedAt = reservationState.endedAt();
        Optional<Instant> regular = endedAt.flatMap(settings.reservations().garbageCollection()::deletionTime);
        return nodeDeleted
                ? Instants.earliest(regular, regular.flatMap(at -> endedAt).map(at -> at.plus(GC_INTERVAL)))
                : regular;
    }

    /**
     * Berth never overwrites another scheduler's status. It writes only an absent status, a status with nothing but
     * this condition, or a status that Berth wrote last.
     */
    private ReservationStatus desiredUnservedStatus(ReservationState reservationState, Handle handle) {
        Instant now = handle.now();
        boolean yielded = settings.yields(reservationState.observed.schedulerName());
        boolean notServedReportDue = !yielded
                && notServedReportAt(reservationState)
                        .filter(at -> !at.isAfter(now))
                        .isPresent();
        ReservationStatus status = retractsProblems(reservationState, notServedReportDue || yielded)
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
     * After an edit, problems are retracted at once, and so are those that the name's own scheduler would find. Otherwise
     * a status that existed at the start stays for a while. Another Berth that serves the name may be about to join, and
     * it would write all problems again.
     *
     * @param certain whether no Berth is about to serve the name
     */
    private static boolean retractsProblems(ReservationState reservationState, boolean certain) {
        return reservationState.mustRetractProblems() && (certain || !reservationState.isStatusInherited());
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
        return !settings.yields(reservationState.observed.schedulerName())
                && maybeNotServedEventAt(reservationState)
                        .filter(at -> !at.isAfter(now))
                        .isPresent();
    }

    /**
     * Whether Berth bound all pods that the status lists as users, or took them over. Another scheduler that took over the reservation
     * changes nothing in the status before it binds a pod.
     */
    static boolean isUsedOnlyByPodsBoundByBerth(Reservation reservation, LedgerView ledger) {
        Set<PodUid> preAllocatedPods = PreAllocatedCondition.podsIn(reservation.status());
        return reservation.status().currentOwnerUids().stream()
                .filter(uid -> !preAllocatedPods.contains(uid))
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

    private ReservationStatus desiredPendingStatus(ReservationState reservationState, Handle handle) {
        Instant now = handle.now();
        Reservation reservation = reservationState.observed;
        ReservationStatus status = reservation
                .status()
                .withoutConditionsOfPlace()
                .withoutSchedulerNotServed()
                .withNominatedNode(nominatedNode(reservationState), now);
        if (reservationState.isExpired(now)) {
            return status.toExpired(
                    deadlineReachedMessage(reservationState, handle.now()) + " before it had a place", now);
        }
        if (reservation.spec().isEmpty()) {
            return recorded(reservationState, status.withInvalid(reservation.problem(), now));
        }
        ReservationSpec reservationSpec = reservation.spec().get();
        if (reservationState.foundPlace.isPresent()) {
            ReservationState.FoundPlace place = reservationState.foundPlace.get();
            Resources size = reservationSpec.template().spec().requests();
            ReservationStatus available = status.toAvailable(
                            place.nodeName(), size, scheduledAt(place.nodeName(), handle))
                    .withBerthMarker(Optional.of(new AppliedSize(size, size)));
            List<Pod> backers = handle.ledger().podsOn(place.nodeName(), place.preAllocatedPods());
            return backers.isEmpty() ? available : withUsers(available, List.of(), backers, now);
        }
        return reservationState.unschedulableMessage.isEmpty()
                ? status
                : recorded(reservationState, status.withUnschedulable(reservationState.unschedulableMessage, now));
    }

    /** A malformed reservation is not placed, so no node is nominated for it. */
    private String nominatedNode(ReservationState reservationState) {
        Reservation reservation = reservationState.observed;
        return settings.reservations().preemptionEnabled() && reservation.spec().isPresent()
                ? reservationState.nomination.desiredNode(reservation.status())
                : "";
    }

    /** The message is recorded, so that Berth recognizes it as its own. */
    private static ReservationStatus recorded(ReservationState reservationState, ReservationStatus unschedulable) {
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
        Optional<ReservationStatus> moved = movedStatus(reservationState, handle);
        if (moved.isPresent()) {
            return moved.get();
        }
        Optional<HoldState> hold = ledger.holdState(reservation.holdId());
        if (!reservationState.spentBy.isEmpty()) {
            ReservationStatus used = withUsers(
                    status,
                    reservationState.spentBy,
                    hold.map(ledger::runningBackers).orElse(List.of()),
                    handle.now());
            return hold.filter(ReservationStatusCalculator::hasUnconfirmedClaim).isPresent()
                    ? used
                    : used.toSucceeded(handle.now());
        }
        Optional<String> endMessage = endMessage(reservationState, handle);
        if (endMessage.isPresent()) {
            // The claims on a deleted node are gone, but the status still lists the users.
            Optional<HoldState> there = hold.filter(state -> state.nodeName().isPresent());
            ReservationStatus used =
                    there.map(state -> withUsers(status, state, handle)).orElse(status);
            return there.filter(ReservationStatusCalculator::hasUnconfirmedClaim)
                            .isPresent()
                    ? used
                    : used.toExpired(endMessage.get(), handle.now());
        }
        if (reservationState.findNode(ledger).isEmpty()) {
            return problems.applyNodeDeleted(
                    reservationState.resize.apply(reservation),
                    reservationState,
                    nodeDeletedMessage(status.nodeName(), ledger),
                    handle.now());
        }
        if (hold.isEmpty()) {
            return status;
        }
        ReservationStatus used = withUsers(reservationState.resize.apply(reservation), hold.get(), handle);
        return hold.get().spent() && !hasUnconfirmedClaim(hold.get())
                ? used.toSucceeded(handle.now())
                : problems.applyAll(used, reservationState, hold.get(), ledger, handle.now());
    }

    /** The status on the new node of a reservation that moves; empty if it has no new place. */
    private static Optional<ReservationStatus> movedStatus(ReservationState reservationState, Handle handle) {
        ReservationStatus status = reservationState.observed.status();
        return reservationState
                .move
                .statusInFlight()
                .or(() -> reservationState
                        .move
                        .target()
                        .map(place -> status.toMoved(place.nodeName(), movedAt(status, place.nodeName(), handle))));
    }

    /** Later than the old place in whole seconds, so that the status differs even on a node with the same name. */
    private static Instant movedAt(ReservationStatus before, String node, Handle handle) {
        Instant at = scheduledAt(node, handle);
        return before.scheduledAt()
                .map(old -> old.truncatedTo(ChronoUnit.SECONDS).plusSeconds(1))
                .filter(at::isBefore)
                .orElse(at);
    }

    /** Why a reservation that was not consumed ended. */
    private Optional<String> endMessage(ReservationState reservationState, Handle handle) {
        if (reservationState.findNode(handle.ledger()).isEmpty() && !outlivesItsNode.test(reservationState)) {
            String name = reservationState.observed.status().nodeName();
            String advice = replacedAt(name, handle.ledger())
                    .map(at -> ". Delete the Reservation and create it again")
                    .orElse("");
            return Optional.of(nodeDeletedMessage(name, handle.ledger()) + advice);
        }
        return reservationState.isExpired(handle.now())
                ? Optional.of(deadlineReachedMessage(reservationState, handle.now()))
                : Optional.empty();
    }

    private static String nodeDeletedMessage(String name, LedgerView ledger) {
        return "%s%s) was deleted%s"
                .formatted(
                        ReservationStatus.NODE_DELETED_PREFIX,
                        name,
                        replacedAt(name, ledger)
                                .map(": another node of that name replaced it at %s"::formatted)
                                .orElse(""));
    }

    private static Optional<Instant> replacedAt(String name, LedgerView ledger) {
        return ledger.node(name).map(state -> state.node().created().truncatedTo(ChronoUnit.SECONDS));
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

    private static ReservationStatus withUsers(ReservationStatus status, HoldState hold, Handle handle) {
        LedgerView ledger = handle.ledger();
        return withUsers(status, findConfirmedUsers(hold, ledger), ledger.runningBackers(hold), handle.now());
    }

    /** As in Koordinator, the pods that use the reservation and the running pods that it takes over are one list. */
    private static ReservationStatus withUsers(
            ReservationStatus status, List<Pod> users, List<Pod> backers, Instant now) {
        List<Pod> all = Stream.concat(users.stream(), backers.stream())
                .sorted(Comparator.comparing(Pod::uid))
                .toList();
        Resources used = Resources.NONE;
        for (Pod pod : all) {
            used = used.plus(PodSlot.addTo(pod.spec().requests()));
        }
        ReservationStatus listed =
                status.withCurrentOwners(all.stream().map(CurrentOwner::of).toList(), used);
        return PreAllocatedCondition.apply(listed, backers, now);
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
