package dev.berth.core.door.reservation;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** All that the door knows of one reservation. */
final class Entry {
    /** As the API server shows it. */
    Reservation seen;
    /** Whether Berth serves its scheduler's name. If not, its place counts, but Berth neither seeks nor writes one. */
    boolean served;
    /** The terms that this process read last and that make sense. */
    private Optional<Terms> valid = Optional.empty();
    /** The template that the place was found for. Of a place that a former process found, the first that this one read. */
    private Optional<Terms.Template> placedFor = Optional.empty();
    /** Whether its status is Berth's: no other program has written it since Berth stopped serving it. */
    private boolean ours;
    /** When Berth stopped to serve it, if {@link #ours}. */
    private Instant leftAt = Instant.MAX;
    /** Whether Berth stopped to serve it, and the status is still the one that Berth wrote before. */
    private boolean toHandOver;
    /** What a former Berth left in the status of a reservation that this one does not serve. */
    private Legacy legacy = Legacy.NONE;
    /** When this process first saw it. */
    final Instant since;
    /** The place that was found and is not yet in the status. */
    Optional<Place> found = Optional.empty();
    /** Why there is no place; empty as long as nobody looked. */
    String refusal = "";
    /** The reasons that Berth gave in the status and may still stand there: the one that it shows and the one that is written. */
    private Set<String> given = Set.of();
    /** What its author was told last. */
    String told = "";
    /** The reasons of the reports that an event was written about and that are not over. */
    Set<String> reported = Set.of();
    /** The pods that used it up, if it is for once. It stays used up when they leave before the status says so. */
    List<Pod> spentBy = List.of();
    /** An event has said that it ended without being used up. */
    boolean endTold;
    /**
     * The end that it reached. It stays over when an edit moves its end before the status says so. The room of one that
     * Berth does not serve may be given away since then.
     */
    private Optional<Instant> expired = Optional.empty();
    /** The node that its place was on is gone. */
    boolean lost;
    /** It became available, and nobody was told. */
    boolean fresh;

    Entry(Reservation seen, Instant since) {
        this.since = since;
        this.seen = seen;
        // What a former Berth wrote is Berth's, as if this process had served it until now.
        this.served = seen.status().available() && seen.status().writtenByBerth();
        this.ours = served;
        this.legacy = served ? Legacy.UNCHECKED : Legacy.NONE;
    }

    /** What is known of a status that a former Berth wrote. */
    private enum Legacy {
        NONE,
        UNCHECKED,
        /** Nothing shows that another scheduler has written it since. */
        OURS,
        /** Another scheduler may have written it since. */
        DOUBTFUL
    }

    /** The API server shows it as {@code next}. */
    void shown(Reservation next, boolean nowServed, Instant now) {
        if (nowServed) {
            ours = !next.status().phase().terminal();
            toHandOver = false;
            legacy = Legacy.NONE;
        } else {
            legacy = next.status().equals(seen.status()) ? legacy : Legacy.NONE;
            toHandOver = served || (toHandOver && next.status().equals(seen.status()));
            leftAt = served ? now : leftAt;
            ours &= next.status().continues(seen.status());
        }
        served = nowServed;
        placedFor = next.status().available()
                ? placedFor.or(() -> (found.isPresent() ? seen : next).template())
                : Optional.empty();
        valid = next.terms().or(() -> valid);
        seen = next;
        // A node may have come back under its name before the end was written.
        endTold &= lost || endedBy(now);
    }

    /**
     * The terms that count. A place goes on by the last valid ones while an edit is malformed. Of another scheduler's
     * reservation the status alone decides: that scheduler may understand what Berth does not.
     */
    Optional<Terms> terms() {
        return seen.terms().or(() -> seen.status().available() && (served || ours) ? valid : Optional.empty());
    }

    Optional<Terms.Template> placedFor() {
        return placedFor;
    }

    boolean endedBy(Instant now) {
        return endBy(now).isPresent();
    }

    /** The end that it has reached. */
    Optional<Instant> endBy(Instant now) {
        Optional<Instant> late = terms().flatMap(Terms::end).filter(end -> !end.isAfter(now));
        if (!served && !seen.status().available()) {
            // It keeps no room, and its scheduler may still give it a place.
            return late;
        }
        expired = expired.or(() -> late);
        return expired;
    }

    /**
     * Why it is over, as long as its status does not say so; empty where it is not. No pod may begin to use it; its room is
     * kept for as long as the status promises that room.
     */
    Optional<String> overBy(Instant now) {
        if (!spentBy.isEmpty()) {
            return Optional.of("it is used up");
        }
        return endedBy(now) ? Optional.of("its time is over") : Optional.empty();
    }

    /** Whether what Berth reported in the status is to be taken back: Berth does not keep it true any more. */
    boolean toHandOver() {
        return toHandOver;
    }

    /** Whether the status is the one that this process found when it started, written by a former Berth. */
    boolean inherited() {
        return legacy != Legacy.NONE;
    }

    /** Whether it is to be found out, once all pods are listed, who wrote the status last. */
    boolean toCheckLegacy() {
        return legacy == Legacy.UNCHECKED;
    }

    /** @param allOurs whether nothing in the status shows that another scheduler wrote it after Berth */
    void checkedLegacy(boolean allOurs) {
        legacy = allOurs ? Legacy.OURS : Legacy.DOUBTFUL;
        ours &= allOurs;
        toHandOver &= allOurs;
    }

    /** Whether Berth placed it, and it is not known whether another scheduler serves it now. */
    boolean doubtful() {
        return !served && legacy == Legacy.DOUBTFUL;
    }

    /** Berth says in the status why there is no place. */
    void gives(String reason) {
        Set<String> reasons = new HashSet<>(given);
        reasons.retainAll(Set.of(seen.status().whyUnschedulable()));
        reasons.add(reason);
        given = reasons;
    }

    /** The status without what Berth reported there. */
    Status handedOver(Instant now) {
        return seen.status().handedOver(given, now);
    }

    /**
     * Since when Berth has not served it, by an edit or because its scheduler's name is served no longer, as long as no other
     * scheduler has written the status.
     */
    Optional<Instant> leftAt() {
        return !served && ours ? Optional.of(leftAt) : Optional.empty();
    }

    /** A node that takes it. */
    record Place(String nodeName, NodeUid node) {}
}
