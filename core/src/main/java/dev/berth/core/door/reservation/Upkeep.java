package dev.berth.core.door.reservation;

import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Desk;
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
final class Upkeep {
    /** How long a scheduler that is not Berth has time to write the first status. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration PATIENCE_AT_START = Duration.ofSeconds(10);

    private final ReservationSettings settings;
    private final Reports reports;

    Upkeep(ReservationSettings settings) {
        this.settings = settings;
        this.reports = new Reports(settings.schedulerNames());
    }

    /** What is to be written about it; mostly nothing. */
    Optional<ReservationWrite> write(Entry entry, Desk desk) {
        Reservation reservation = entry.seen;
        if (entry.served
                && removable(reservation).filter(at -> !at.isAfter(desk.now())).isPresent()) {
            return Optional.of(new ReservationWrite.Remove(reservation.uid(), reservation.name()));
        }
        Status truth = entry.served ? truth(entry, desk) : notServed(entry, desk);
        return truth.equals(reservation.status())
                ? Optional.empty()
                : Optional.of(
                        new ReservationWrite.Say(reservation.uid(), reservation.name(), reservation.version(), truth));
    }

    /** When there will be something to write though nothing happens. */
    Optional<Instant> next(Entry entry, Instant now) {
        Reservation reservation = entry.seen;
        if (!entry.served) {
            return ignored(entry).or(() -> nextOfLeft(entry, now)).or(() -> doubted(entry));
        }
        return reservation.status().phase().terminal()
                ? removable(reservation)
                : entry.terms().flatMap(Terms::end);
    }

    private Optional<Instant> removable(Reservation reservation) {
        return reservation.terminating()
                ? Optional.empty()
                : reservation.status().ended().map(at -> at.plus(settings.keepEnded()));
    }

    /**
     * Another scheduler's status is never touched: only an empty one, one that says nothing but this, or the one that Berth
     * wrote last.
     */
    private Status notServed(Entry entry, Desk desk) {
        Instant now = desk.now();
        boolean left = left(entry).filter(at -> !at.isAfter(now)).isPresent();
        Status status = handsOver(entry, left) ? entry.handedOver(now) : entry.seen.status();
        if (left) {
            return over(entry, desk)
                    .map(why -> status.expired(why, now))
                    .orElseGet(() -> status.placeNotServed(notServed(entry), now));
        }
        boolean ignored = ignored(entry).filter(at -> !at.isAfter(now)).isPresent();
        return ignored || status.saysOnlyNotServed() ? status.notServed(notServed(entry), now) : status;
    }

    /**
     * After an edit at once. A status that was found at the start stays as it is for a while: another Berth that serves the
     * name may be about to join, and it would write all reports again.
     */
    private static boolean handsOver(Entry entry, boolean left) {
        return entry.toHandOver() && (left || !entry.inherited());
    }

    /** What the author of a reservation that is not served is told. */
    String notServed(Entry entry) {
        String name = entry.seen.schedulerName();
        if (!entry.seen.status().available()) {
            return settings.notServed(name);
        }
        Optional<Instant> end = entry.terms().flatMap(Terms::end);
        return entry.doubtful() ? settings.maybeNotServed(name, end) : settings.noLongerServed(name, end);
    }

    /**
     * From when on Berth says of a placed reservation that it serves it no longer: not before a scheduler that serves the
     * name had time to write the status. Nothing is ever written over that scheduler's status.
     */
    private static Optional<Instant> left(Entry entry) {
        return entry.leftAt().filter(at -> entry.seen.status().available()).map(at -> at.plus(PATIENCE));
    }

    /** Berth's own promise is ended by Berth, too. */
    private static Optional<Instant> nextOfLeft(Entry entry, Instant now) {
        Optional<Instant> said = left(entry);
        return said.filter(at -> at.isAfter(now))
                .or(() -> said.flatMap(at -> entry.terms().flatMap(Terms::end)));
    }

    /** When it is to be told that nobody may serve a reservation that Berth placed, though Berth cannot write its status. */
    private static Optional<Instant> doubted(Entry entry) {
        return entry.doubtful() ? Optional.of(entry.since.plus(PATIENCE)) : Optional.empty();
    }

    boolean doubtedBy(Entry entry, Instant now) {
        return doubted(entry).filter(at -> !at.isAfter(now)).isPresent();
    }

    /**
     * Whether each pod that the status lists as a user was bound by Berth: another scheduler that took the reservation over
     * changes nothing in the status before it binds a pod there.
     */
    static boolean usedOnlyByBerthsPods(Reservation reservation, LedgerView ledger) {
        return reservation.status().users().stream()
                .allMatch(uid -> ledger.pod(uid)
                        .filter(pod -> pod.annotations()
                                .has(Claim.ANNOTATION, reservation.holdId().value()))
                        .isPresent());
    }

    /** When it is to be said that no scheduler looks for a place, if nothing says by then that one does. */
    private static Optional<Instant> ignored(Entry entry) {
        Status status = entry.seen.status();
        if (status.blank()) {
            return Optional.of(ignoredSince(entry));
        }
        return entry.leftAt().filter(at -> status.saysNothing()).map(at -> at.plus(PATIENCE));
    }

    /** After a start, other Berths that serve the name may still be about to join. */
    private static Instant ignoredSince(Entry entry) {
        Instant created = entry.seen.created().plus(PATIENCE);
        Instant started = entry.since.plus(PATIENCE_AT_START);
        return created.isAfter(started) ? created : started;
    }

    private Status truth(Entry entry, Desk desk) {
        Reservation reservation = entry.seen;
        return switch (reservation.status().phase()) {
            case PENDING -> reports.onSpecification(pending(entry, desk), entry, desk.now());
            case AVAILABLE -> available(entry, desk);
            case SUCCEEDED, FAILED -> reservation.status();
        };
    }

    private static Status pending(Entry entry, Desk desk) {
        Instant now = desk.now();
        Reservation reservation = entry.seen;
        Status status = reservation.status().served();
        if (entry.endedBy(now)) {
            return status.expired(deadlineReached(entry, desk.now()) + " before it had a place", now);
        }
        if (reservation.terms().isEmpty()) {
            return unschedulable(entry, status, reservation.problem(), now);
        }
        Terms terms = reservation.terms().get();
        if (entry.found.isPresent()) {
            String node = entry.found.get().nodeName();
            return status.available(node, terms.template().shape().requests(), notBefore(node, desk))
                    .byBerth();
        }
        return entry.refusal.isEmpty() ? status : unschedulable(entry, status, entry.refusal, now);
    }

    private static Status unschedulable(Entry entry, Status status, String why, Instant now) {
        Status said = status.unschedulable(why, now);
        entry.gives(said.whyUnschedulable());
        return said;
    }

    /** Now, or when the node was created should its clock be ahead: a place on a node is never older than the node. */
    private static Instant notBefore(String node, Desk desk) {
        Instant created =
                desk.ledger().node(node).map(state -> state.node().created()).orElse(Instant.EPOCH);
        return created.isAfter(desk.now()) ? created : desk.now();
    }

    private Status available(Entry entry, Desk desk) {
        Reservation reservation = entry.seen;
        Status status = reservation.status();
        LedgerView ledger = desk.ledger();
        Optional<HoldState> hold = ledger.holdState(reservation.holdId());
        if (!entry.spentBy.isEmpty()) {
            Status used = usedBy(status, entry.spentBy);
            return hold.filter(Upkeep::awaitsBinding).isPresent() ? used : used.succeeded(desk.now());
        }
        Optional<String> over = over(entry, desk);
        if (over.isPresent()) {
            // A node that is gone took its claims along: the status still says who used the place.
            Optional<HoldState> there = hold.filter(state -> state.nodeName().isPresent());
            Status used =
                    there.map(state -> usedBy(status, users(state, ledger))).orElse(status);
            return there.filter(Upkeep::awaitsBinding).isPresent() ? used : used.expired(over.get(), desk.now());
        }
        if (hold.isEmpty()) {
            return status;
        }
        Status used = usedBy(status, users(hold.get(), ledger));
        return hold.get().spent() && !awaitsBinding(hold.get())
                ? used.succeeded(desk.now())
                : reports.on(used.byBerth(), entry, hold.get(), ledger, desk.now());
    }

    /** Why a place that was not used up is over. */
    private static Optional<String> over(Entry entry, Desk desk) {
        if (entry.lost || Places.node(entry.seen, desk.ledger()).isEmpty()) {
            return Optional.of(nodeGone(entry.seen.status().nodeName(), desk.ledger()));
        }
        return entry.endedBy(desk.now()) ? Optional.of(deadlineReached(entry, desk.now())) : Optional.empty();
    }

    private static String nodeGone(String name, LedgerView ledger) {
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
    private static boolean awaitsBinding(HoldState hold) {
        return hold.claims().stream().anyMatch(claim -> !claim.confirmed());
    }

    private static String deadlineReached(Entry entry, Instant now) {
        return "the Reservation reached its deadline%s"
                .formatted(entry.endBy(now)
                        .map(end -> " " + end.truncatedTo(ChronoUnit.SECONDS))
                        .orElse(""));
    }

    private static Status usedBy(Status status, List<Pod> users) {
        Resources used = Resources.NONE;
        for (Pod user : users) {
            used = used.plus(user.shape().requests());
        }
        return status.usedBy(users.stream().map(CurrentOwner::of).toList(), used);
    }

    /** Those whose binding shows, in the order of their UIDs: what is only assumed may come to nothing. */
    static List<Pod> users(HoldState hold, LedgerView ledger) {
        return hold.claims().stream()
                .filter(Claim::confirmed)
                .flatMap(claim -> ledger.pod(claim.pod()).stream())
                .sorted(Comparator.comparing(Pod::uid))
                .toList();
    }
}
