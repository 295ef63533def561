package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.LedgerView;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Everything that the door knows about one reservation. */
final class ReservationState {
    /** As the API server shows it. */
    Reservation observed;
    /**
     * Whether Berth serves its scheduler name. If not, its hold counts, but Berth neither places it nor writes its
     * status.
     */
    boolean served;
    /** The last valid spec that this process read. */
    private Optional<ReservationSpec> lastValidSpec = Optional.empty();
    /**
     * The template with which the reservation was placed. If a former process placed it, the first template that this
     * process read.
     */
    private Optional<ReservationSpec.Template> placedTemplate = Optional.empty();
    /** Whether the status is Berth's: no other program has written it since Berth stopped serving the reservation. */
    private boolean statusOwnedByBerth;
    /** When Berth stopped serving it, if {@link #statusOwnedByBerth}. */
    private Instant unservedSince = Instant.MAX;
    /** Whether Berth stopped serving it, and the status is still the one that Berth wrote. */
    private boolean mustRetractProblems;
    /** Whether a former Berth wrote the status of a reservation that this process does not serve. */
    private InheritedStatus inheritedStatus = InheritedStatus.NONE;
    /** When the watch first showed it to this process. */
    final Instant firstObservedAt;
    /** When this process first saw that it ended. */
    private Optional<Instant> endObservedAt = Optional.empty();
    /** Which pods started or stopped to use it. */
    final AllocationEvents allocationEvents = new AllocationEvents();
    /** The place that was found and is not yet in the status. */
    Optional<FoundPlace> foundPlace = Optional.empty();
    /** Why the reservation is unschedulable; empty if no attempt was made. */
    String unschedulableMessage = "";
    /** What preemption does for it while it has no place. */
    final ReservationNomination nomination = new ReservationNomination();
    /** The messages of Berth that the status may contain: the observed one and the one in flight. */
    private Set<String> writtenMessages = Set.of();
    /**
     * The pods that consumed an allocateOnce reservation. It stays consumed even if they are deleted before the status
     * says so.
     */
    List<Pod> spentBy = List.of();
    /**
     * The deadline that passed. The reservation stays expired even if an edit moves the deadline before the status says
     * so: the resources of a reservation that Berth does not serve may be reallocated by then.
     */
    private Optional<Instant> reachedDeadline = Optional.empty();
    /** The node of its place was deleted. */
    boolean nodeLost;
    /** It became available, and the event is not recorded yet. */
    boolean scheduledEventDue;
    /** Its move to another node. */
    final ReservationMove move = new ReservationMove();
    /** Its size, and the resize that is in progress. */
    final ReservationResize resize = new ReservationResize();

    ReservationState(Reservation observed, Instant firstObservedAt) {
        this.firstObservedAt = firstObservedAt;
        this.observed = observed;
        // A status that a former Berth wrote is treated as if this process had served the reservation until now.
        this.served = observed.status().isAvailable() && observed.status().hasBerthMarker();
        this.statusOwnedByBerth = served;
        this.inheritedStatus = served ? InheritedStatus.UNCHECKED : InheritedStatus.NONE;
    }

    /** What is known of the status that a former Berth wrote. */
    private enum InheritedStatus {
        NONE,
        UNCHECKED,
        /** Nothing shows that another scheduler has written the status since. */
        UNTOUCHED,
        /** Another scheduler may have written the status since. */
        MAYBE_OVERWRITTEN
    }

    /** The watch shows a new version. */
    void update(Reservation next, boolean nowServed, Instant now) {
        if (nowServed) {
            statusOwnedByBerth = !next.status().phase().terminal();
            mustRetractProblems = false;
            inheritedStatus = InheritedStatus.NONE;
        } else {
            inheritedStatus = next.status().equals(observed.status()) ? inheritedStatus : InheritedStatus.NONE;
            mustRetractProblems =
                    served || (mustRetractProblems && next.status().equals(observed.status()));
            unservedSince = served ? now : unservedSince;
            statusOwnedByBerth &= next.status().isChangedOnlyByBerthSince(observed.status());
        }
        served = nowServed;
        endObservedAt = next.status().phase().terminal() ? endObservedAt.or(() -> Optional.of(now)) : Optional.empty();
        placedTemplate = next.status().isAvailable()
                ? placedTemplate.or(() -> (foundPlace.isPresent() ? observed : next).template())
                : Optional.empty();
        lastValidSpec = next.spec().or(() -> lastValidSpec);
        resize.onUpdate(observed, next);
        observed = next;
    }

    /**
     * The spec that takes effect. A placed reservation keeps the last valid spec while an edit is malformed. For
     * another scheduler's reservation only the observed spec counts: that scheduler may understand what Berth does not.
     */
    Optional<ReservationSpec> effectiveSpec() {
        return observed.spec()
                .or(() -> observed.status().isAvailable() && (served || statusOwnedByBerth)
                        ? lastValidSpec
                        : Optional.empty());
    }

    String uid() {
        return observed.uid();
    }

    Optional<ReservationSpec.Template> requestedTemplate() {
        return observed.requestedTemplate();
    }

    Optional<ReservationSpec.Template> placedTemplate() {
        return placedTemplate;
    }

    /** The reservation was placed again with its present template. */
    void setPlacedTemplate() {
        placedTemplate = observed.template();
    }

    /** The node of its place; empty if that node was deleted. */
    Optional<Node> findNode(LedgerView ledger) {
        return nodeLost ? Optional.empty() : ReservationHoldFactory.findNode(observed, ledger);
    }

    boolean isExpired(Instant now) {
        return findReachedDeadline(now).isPresent();
    }

    /** The deadline that has passed. */
    Optional<Instant> findReachedDeadline(Instant now) {
        Optional<Instant> passed =
                effectiveSpec().flatMap(ReservationSpec::deadline).filter(end -> !end.isAfter(now));
        if (!served && !observed.status().isAvailable()) {
            // It holds nothing, and its scheduler may still place it.
            return passed;
        }
        reachedDeadline = reachedDeadline.or(() -> passed);
        return reachedDeadline;
    }

    /**
     * Why the reservation ended, while its status does not say so; empty if it did not end. No further pod may use it.
     * Its resources stay held while the status promises them.
     */
    Optional<String> endReason(Instant now) {
        if (!spentBy.isEmpty()) {
            return Optional.of("it is used up");
        }
        return isExpired(now) ? Optional.of("it has expired") : Optional.empty();
    }

    /** When it ended; if its status does not say so, when this process first saw it. Empty if it did not end. */
    Optional<Instant> endedAt() {
        return observed.status().endedAt().or(() -> endObservedAt);
    }

    /** Whether Berth must remove its problems from the status, because Berth does not update them any more. */
    boolean mustRetractProblems() {
        return mustRetractProblems;
    }

    /** Whether a former Berth wrote the status, before this process started. */
    boolean isStatusInherited() {
        return inheritedStatus != InheritedStatus.NONE;
    }

    /** Whether the last writer of the status must be determined once all pods are listed. */
    boolean mustCheckInheritedStatus() {
        return inheritedStatus == InheritedStatus.UNCHECKED;
    }

    /** @param untouched whether nothing in the status shows that another scheduler wrote it after Berth */
    void completeInheritedStatusCheck(boolean untouched) {
        inheritedStatus = untouched ? InheritedStatus.UNTOUCHED : InheritedStatus.MAYBE_OVERWRITTEN;
        statusOwnedByBerth &= untouched;
        mustRetractProblems &= untouched;
    }

    /** Whether Berth placed it, and it is unknown whether another scheduler serves it now. */
    boolean mayBeServedByOtherScheduler() {
        return !served && inheritedStatus == InheritedStatus.MAYBE_OVERWRITTEN;
    }

    /** Berth writes this message to the status as the reason why the reservation is unschedulable. */
    void recordWrittenMessage(String message) {
        Set<String> messages = new HashSet<>(writtenMessages);
        messages.retainAll(Set.of(observed.status().unschedulableMessage()));
        messages.add(message);
        writtenMessages = messages;
    }

    /** The status without Berth's problems. */
    ReservationStatus statusWithProblemsRetracted(Instant now) {
        return observed.status().withProblemsRetracted(writtenMessages, now);
    }

    /**
     * Since when Berth does not serve it, because of an edit or of the configuration; empty once another scheduler has
     * written the status.
     */
    Optional<Instant> unservedSince() {
        return !served && statusOwnedByBerth ? Optional.of(unservedSince) : Optional.empty();
    }

    /**
     * A feasible node for the reservation.
     *
     * @param preAllocatedPods the running pods there that the reservation takes over
     */
    record FoundPlace(String nodeName, NodeUid nodeUid, Set<PodUid> preAllocatedPods) {
        FoundPlace {
            preAllocatedPods = Set.copyOf(preAllocatedPods);
        }
    }
}
