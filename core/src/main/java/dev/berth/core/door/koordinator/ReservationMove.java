package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Taint;
import dev.berth.core.door.koordinator.ReservationState.FoundPlace;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The move of one reservation to another node:
 * <ol>
 * <li>started: a placement is requested. Owners can still use the old place, which ends the move.
 * <li>found: the new place is held, too, and no pod can use either place.
 * <li>committing: the status write that names the new node was sent, and it is not known whether the API server carried it
 * out. Both places stay held.
 * </ol>
 *
 * <p>The write has the observed version as its precondition. So any newer version shows whether the write was carried
 * out.
 */
final class ReservationMove {
    private static final String NO_OTHER_NODE = "No other node fits: ";

    private MoveDecision decision = MoveDecision.STAY;
    private boolean started;
    private Optional<Pod> request = Optional.empty();
    private Optional<FoundPlace> target = Optional.empty();
    private Optional<ReservationWrite.UpdateStatus> commit = Optional.empty();
    private boolean sentTwice;
    private String refusal = "";
    private Optional<Instant> retryAt = Optional.empty();
    /** Why a move that is due is not started; empty if nothing postpones it. */
    private String postponement = "";

    private final Set<String> avoidedNodes = new TreeSet<>();
    private final Map<Taint, Instant> taintedSince = new HashMap<>();
    private Optional<String> completed = Optional.empty();

    void decide(MoveDecision next) {
        decision = next;
    }

    MoveDecision decision() {
        return decision;
    }

    boolean isStarted() {
        return started;
    }

    void start() {
        started = true;
    }

    /**
     * The limits do not allow the move yet.
     *
     * @param until when to try again; empty if another move wakes this one
     * @param why a sentence for the condition
     */
    void postpone(Optional<Instant> until, String why) {
        retryAt = until;
        postponement = why;
    }

    void endPostponement() {
        retryAt = Optional.empty();
        postponement = "";
    }

    /** Replaces the request. A place that was found for another request is given up. */
    void request(Pod next) {
        if (request.filter(next::equals).isEmpty()) {
            target = Optional.empty();
        }
        request = Optional.of(next);
    }

    Optional<Pod> request() {
        return request;
    }

    void refuse(String message) {
        refusal = message;
    }

    void find(FoundPlace place) {
        target = Optional.of(place);
        refusal = "";
    }

    /** The new place, from when it is found until the status shows it or the move is cancelled. */
    Optional<FoundPlace> target() {
        return target;
    }

    void loseTarget() {
        target = Optional.empty();
    }

    /** The nodes that fit, but that the reservation would have to leave, too. */
    Set<String> avoidedNodes() {
        return avoidedNodes;
    }

    /** The status that names the new node is being written. */
    void commit(ReservationWrite.UpdateStatus write) {
        sentTwice = commit.isPresent();
        commit = Optional.of(write);
    }

    /** The status that may have been written. It is the desired one until a newer version shows whether it was. */
    Optional<ReservationStatus> statusInFlight() {
        return commit.map(ReservationWrite.UpdateStatus::status);
    }

    boolean isCommitting() {
        return commit.isPresent();
    }

    /** Whether a denial of the write proves that the move was not written: an earlier attempt may have been. */
    boolean isDeniedWith(ReservationWrite write) {
        return !sentTwice && commit.filter(write::equals).isPresent();
    }

    /** A newer version was observed. Returns whether it shows that the move was written. */
    boolean isShownBy(Reservation next) {
        Optional<ReservationStatus> written = commit.filter(
                        write -> !write.resourceVersion().equals(next.resourceVersion()))
                .map(ReservationWrite.UpdateStatus::status);
        if (written.isPresent()) {
            commit = Optional.empty();
        }
        return written.filter(status -> status.hasSamePlaceAs(next.status())).isPresent();
    }

    void complete(String from, String to) {
        completed = Optional.of("Moved from node %s to node %s: %s"
                .formatted(from, to, decision.cause().map(MoveCause::clause).orElse("the node was not usable")));
        reset();
    }

    /** The message of the event about a completed move; returned once. */
    Optional<String> pollCompleted() {
        Optional<String> message = completed;
        completed = Optional.empty();
        return message;
    }

    /** Nothing of the move is left. */
    void reset() {
        started = false;
        request = Optional.empty();
        target = Optional.empty();
        commit = Optional.empty();
        refusal = "";
        avoidedNodes.clear();
    }

    /** When the move has to be decided again without any event. */
    Optional<Instant> nextCheck() {
        return started ? Optional.empty() : retryAt.or(decision::dueAt);
    }

    /** Whether a move is due, is not postponed and no node was refused yet, so that the condition says nothing new. */
    boolean isUndetermined(Instant now) {
        return decision.isDue(now) && refusal.isEmpty() && postponement.isEmpty();
    }

    /** What becomes of the reservation, as a sentence for the condition; empty if it does not have to move. */
    String outlook(Instant now) {
        if (decision.cause().isEmpty()) {
            return "";
        }
        return decision.obstacle()
                .or(() -> decision.dueAt()
                        .filter(at -> at.isAfter(now))
                        .map(at -> "Berth moves the Reservation at %s, unless the node recovers"
                                .formatted(at.truncatedTo(ChronoUnit.SECONDS))))
                .orElseGet(this::dueOutlook);
    }

    private String dueOutlook() {
        if (!postponement.isEmpty()) {
            return postponement;
        }
        return failure().orElse("Berth looks for another node");
    }

    /** Why the reservation stays although it should move; empty while nothing was refused. */
    Optional<String> failure() {
        return refusal.isEmpty() ? Optional.empty() : Optional.of(NO_OTHER_NODE + refusal);
    }

    /** Whether the conditions report a failure. */
    static boolean isFailureReportedBy(ReservationStatus status) {
        return status.conditions().stream()
                .anyMatch(condition -> condition.message().contains(NO_OTHER_NODE));
    }

    /** The taints of the node: a taint that was removed starts anew when it comes back. */
    void retainTaints(Collection<Taint> taints) {
        taintedSince.keySet().retainAll(taints);
    }

    /** When this process first saw the taint on the node of the reservation. */
    Instant taintedSince(Taint taint, Instant now) {
        return taintedSince.computeIfAbsent(taint, first -> now);
    }
}
