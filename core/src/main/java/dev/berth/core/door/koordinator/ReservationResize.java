package dev.berth.core.door.koordinator;

import dev.berth.core.resource.Resources;
import java.time.Instant;
import java.util.Optional;

/**
 * The size of one placed reservation: what it should be, and what Berth holds for a growth that the status does not show
 * yet.
 */
final class ReservationResize {
    /** What changed last, as far as this process saw it. */
    private enum LastChange {
        UNKNOWN,
        TEMPLATE,
        STATUS
    }

    private LastChange lastChange = LastChange.UNKNOWN;
    /** What the template requested when it was readable last. */
    private Optional<Resources> lastRequested = Optional.empty();
    /** What counts as applied while the status has no record: the first size that this process read. */
    private Optional<AppliedSize> unrecorded = Optional.empty();
    /** The size before a resize whose event is not recorded yet. */
    private Optional<Resources> resizedFrom = Optional.empty();
    /** Whether the size was decided on. Otherwise the record of what is applied stays as it is. */
    private boolean decided;
    /** The size that the status should get. */
    private Optional<Resources> target = Optional.empty();
    /** The target whose growth is held in the present place although the status does not show it yet. */
    private Optional<Resources> granted = Optional.empty();
    /** The version of the reservation that the growth is based on. */
    private String grantedVersion = "";
    /** Why the refused target cannot be applied. */
    private Optional<ReservationProblems.ReservationProblem> problem = Optional.empty();

    private Optional<Resources> refused = Optional.empty();
    /** The version of the reservation whose write with the target was denied. */
    private String deniedVersion = "";

    /** The watch shows a new version of the reservation. */
    void onUpdate(Reservation before, Reservation next) {
        ReservationStatus status = next.status();
        if (!before.status().isAvailable() || !status.isAvailable()) {
            lastChange = LastChange.UNKNOWN;
            unrecorded = Optional.empty();
            resizedFrom = Optional.empty();
            return;
        }
        if (!status.hasSamePlaceAs(before.status())) {
            granted = Optional.empty();
        }
        boolean resized = !status.allocatable().equals(before.status().allocatable());
        boolean patched = resized
                && status.appliedSize()
                        .filter(applied -> applied.allocatable().equals(status.allocatable()))
                        .isEmpty();
        lastRequested = before.requestedSize().or(() -> lastRequested);
        boolean edited = next.requestedSize()
                .filter(requested -> lastRequested.filter(requested::equals).isEmpty())
                .isPresent();
        if (edited || patched) {
            lastChange = edited && patched ? LastChange.UNKNOWN : edited ? LastChange.TEMPLATE : LastChange.STATUS;
        }
        if (resized) {
            resizedFrom = resizedFrom.or(() -> Optional.of(before.status().allocatable()));
        }
    }

    /** Computes the size that the reservation should get; see {@link #apply}. */
    void decide(Reservation reservation) {
        ReservationStatus status = reservation.status();
        decided = true;
        Optional<Resources> requested = reservation.requestedSize();
        unrecorded = status.appliedSize().isPresent()
                ? Optional.empty()
                : unrecorded.or(() -> requested.map(now -> new AppliedSize(now, status.allocatable())));
        target = requested
                .flatMap(now -> applied(status)
                        .filter(applied -> !applied.requested().equals(now))
                        .filter(applied -> !isPatchedLater(status, applied))
                        .map(applied -> applied.resized(status.allocatable(), now)))
                .filter(size -> !size.hasSameNamesAndAmounts(status.allocatable()));
        granted = granted.filter(held -> target.filter(held::equals).isPresent());
        problem = problem.filter(why -> refused.equals(target));
    }

    /** Whether the target takes capacity that is not held yet. */
    boolean needsGrant(ReservationStatus status) {
        return granted.isEmpty()
                && target.filter(size -> !size.isWithin(status.allocatable())).isPresent();
    }

    private Optional<AppliedSize> applied(ReservationStatus status) {
        return status.appliedSize().or(() -> unrecorded);
    }

    /**
     * Whether {@code status.allocatable} was patched after the template was edited. A former process that saw the edit
     * reported it as not applied.
     */
    private boolean isPatchedLater(ReservationStatus status, AppliedSize applied) {
        return switch (lastChange) {
            case TEMPLATE -> false;
            case STATUS -> true;
            case UNKNOWN ->
                !applied.allocatable().equals(status.allocatable())
                        && status.findCondition(ReservationCondition.Type.RESIZED)
                                .isPresent();
        };
    }

    /**
     * Nothing is resized: the reservation ended, has a new place that the status does not show yet, or is not Berth's. A growth stays held while a write of the same
     * version may promise it.
     */
    void cancel(String version) {
        decided = false;
        target = Optional.empty();
        granted = granted.filter(held -> grantedVersion.equals(version));
        problem = Optional.empty();
    }

    Optional<Resources> target() {
        return target;
    }

    void grant(String version) {
        granted = target;
        grantedVersion = version;
        problem = Optional.empty();
    }

    void revokeGrant() {
        granted = Optional.empty();
    }

    /** The node has no room for the target. */
    void refuse(ReservationProblems.ReservationProblem why) {
        granted = Optional.empty();
        refused = target;
        problem = Optional.of(why);
    }

    Optional<ReservationProblems.ReservationProblem> problem() {
        return problem;
    }

    /** The status with the problem, or without a past one. What is not known yet is not changed. */
    ReservationStatus applyProblem(ReservationStatus status, ReservationStatus observed, Instant now) {
        boolean unknown = !decided || (problem.isEmpty() && needsGrant(observed));
        return unknown ? status : status.withProblem(ReservationCondition.Type.RESIZED, problem, now);
    }

    /** The API server denied a write of this version: until it is retried, the capacity of a growth stays free. */
    void onDenied(String version) {
        granted = Optional.empty();
        deniedVersion = version;
    }

    boolean isDenied(String version) {
        return deniedVersion.equals(version);
    }

    /** The amounts to hold: those that the status promises, and those that a write in flight may promise. */
    Resources held(Resources allocatable) {
        return granted.map(allocatable::max).orElse(allocatable);
    }

    /** The status with the target, unless it cannot be applied, and with the record of what is applied. */
    ReservationStatus apply(Reservation reservation) {
        ReservationStatus status = reservation.status();
        Optional<Resources> requested = reservation.requestedSize();
        if (!decided || needsGrant(status) || requested.isEmpty()) {
            return status.withBerthMarker(
                    applied(status).map(applied -> new AppliedSize(applied.requested(), status.allocatable())));
        }
        ReservationStatus resized = target.map(status::withAllocatable).orElse(status);
        return resized.withBerthMarker(requested.map(applied -> new AppliedSize(applied, resized.allocatable())));
    }

    /** The size before the last resize, once. */
    Optional<Resources> takeResizedFrom() {
        Optional<Resources> taken = resizedFrom;
        resizedFrom = Optional.empty();
        return taken;
    }
}
