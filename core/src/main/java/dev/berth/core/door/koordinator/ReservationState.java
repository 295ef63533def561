package dev.berth.core.door.koordinator;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All that the door knows of one reservation. */
final class ReservationState {
    /** As the API server shows it. */
    Reservation observed;
    /** Whether Berth serves its scheduler's name. If not, its place counts, but Berth neither seeks nor writes one. */
    boolean served;
    /** The terms that this process read last and that make sense. */
    private Optional<ReservationSpec> lastValidSpec = Optional.empty();
    /** The template that the place was found for. Of a place that a former process found, the first that this one read. */
    private Optional<ReservationSpec.Template> placedTemplate = Optional.empty();
    /** Whether its status is Berth's: no other program has written it since Berth stopped serving it. */
    private boolean statusOwnedByBerth;
    /** When Berth stopped to serve it, if {@link #statusOwnedByBerth}. */
    private Instant unservedSince = Instant.MAX;
    /** Whether Berth stopped to serve it, and the status is still the one that Berth wrote before. */
    private boolean mustRetractProblems;
    /** What a former Berth left in the status of a reservation that this one does not serve. */
    private InheritedStatus inheritedStatus = InheritedStatus.NONE;
    /** When this process first saw it. */
    final Instant firstSeenAt;
    /** The place that was found and is not yet in the status. */
    Optional<FoundPlace> foundPlace = Optional.empty();
    /** Why there is no place; empty as long as nobody looked. */
    String unschedulableMessage = "";
    /** The reasons that Berth gave in the status and may still stand there: the one that it shows and the one that is written. */
    private Set<String> writtenMessages = Set.of();
    /** The pods that used it up, if it is for once. It stays used up when they leave before the status says so. */
    List<Pod> spentBy = List.of();
    /**
     * The end that it reached. It stays over when an edit moves its end before the status says so. The room of one that
     * Berth does not serve may be given away since then.
     */
    private Optional<Instant> reachedDeadline = Optional.empty();
    /** The node that its place was on is gone. */
    boolean nodeLost;
    /** It became available, and nobody was told. */
    boolean scheduledEventDue;

    ReservationState(Reservation observed, Instant firstSeenAt) {
        this.firstSeenAt = firstSeenAt;
        this.observed = observed;
        // What a former Berth wrote is Berth's, as if this process had served it until now.
        this.served = observed.status().isAvailable() && observed.status().hasBerthMarker();
        this.statusOwnedByBerth = served;
        this.inheritedStatus = served ? InheritedStatus.UNCHECKED : InheritedStatus.NONE;
    }

    /** What is known of a status that a former Berth wrote. */
    private enum InheritedStatus {
        NONE,
        UNCHECKED,
        /** Nothing shows that another scheduler has written it since. */
        UNTOUCHED,
        /** Another scheduler may have written it since. */
        MAYBE_OVERWRITTEN
    }

    /** The API server shows it as {@code next}. */
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
        placedTemplate = next.status().isAvailable()
                ? placedTemplate.or(() -> (foundPlace.isPresent() ? observed : next).template())
                : Optional.empty();
        lastValidSpec = next.spec().or(() -> lastValidSpec);
        observed = next;
    }

    /**
     * The terms that count. A place goes on by the last valid ones while an edit is malformed. Of another scheduler's
     * reservation the status alone decides: that scheduler may understand what Berth does not.
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

    boolean isExpired(Instant now) {
        return findReachedDeadline(now).isPresent();
    }

    /** The end that it has reached. */
    Optional<Instant> findReachedDeadline(Instant now) {
        Optional<Instant> passed =
                effectiveSpec().flatMap(ReservationSpec::deadline).filter(end -> !end.isAfter(now));
        if (!served && !observed.status().isAvailable()) {
            // It keeps no room, and its scheduler may still give it a place.
            return passed;
        }
        reachedDeadline = reachedDeadline.or(() -> passed);
        return reachedDeadline;
    }

    /**
     * Why it is over, as long as its status does not say so; empty where it is not. No pod may begin to use it; its room is
     * kept for as long as the status promises that room.
     */
    Optional<String> endReason(Instant now) {
        if (!spentBy.isEmpty()) {
            return Optional.of("it is used up");
        }
        return isExpired(now) ? Optional.of("its time is over") : Optional.empty();
    }

    /** Whether what Berth reported in the status is to be taken back: Berth does not keep it true any more. */
    boolean mustRetractProblems() {
        return mustRetractProblems;
    }

    /** Whether the status is the one that this process found when it started, written by a former Berth. */
    boolean isStatusInherited() {
        return inheritedStatus != InheritedStatus.NONE;
    }

    /** Whether it is to be found out, once all pods are listed, who wrote the status last. */
    boolean mustCheckInheritedStatus() {
        return inheritedStatus == InheritedStatus.UNCHECKED;
    }

    /** @param untouched whether nothing in the status shows that another scheduler wrote it after Berth */
    void completeInheritedStatusCheck(boolean untouched) {
        inheritedStatus = untouched ? InheritedStatus.UNTOUCHED : InheritedStatus.MAYBE_OVERWRITTEN;
        statusOwnedByBerth &= untouched;
        mustRetractProblems &= untouched;
    }

    /** Whether Berth placed it, and it is not known whether another scheduler serves it now. */
    boolean mayBeServedByOtherScheduler() {
        return !served && inheritedStatus == InheritedStatus.MAYBE_OVERWRITTEN;
    }

    /** Berth says in the status why there is no place. */
    void recordWrittenMessage(String message) {
        Set<String> messages = new HashSet<>(writtenMessages);
        messages.retainAll(Set.of(observed.status().unschedulableMessage()));
        messages.add(message);
        writtenMessages = messages;
    }

    /** The status without what Berth reported there. */
    ReservationStatus statusWithProblemsRetracted(Instant now) {
        return observed.status().withProblemsRetracted(writtenMessages, now);
    }

    /**
     * Since when Berth has not served it, by an edit or because its scheduler's name is served no longer, as long as no other
     * scheduler has written the status.
     */
    Optional<Instant> unservedSince() {
        return !served && statusOwnedByBerth ? Optional.of(unservedSince) : Optional.empty();
    }

    /** A node that takes it. */
    record FoundPlace(String nodeName, NodeUid nodeUid) {}
}
