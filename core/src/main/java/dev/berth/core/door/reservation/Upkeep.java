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
        Status truth = entry.served ? truth(entry, desk) : notServed(entry, desk.now());
        return truth.equals(reservation.status())
                ? Optional.empty()
                : Optional.of(
                        new ReservationWrite.Say(reservation.uid(), reservation.name(), reservation.version(), truth));
    }

    /** When there will be something to write though nothing happens. */
    Optional<Instant> next(Entry entry) {
        Reservation reservation = entry.seen;
        if (!entry.served) {
            return ignored(entry).or(() -> left(entry));
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
    private Status notServed(Entry entry, Instant now) {
        Status status = entry.toHandOver() ? entry.handedOver(now) : entry.seen.status();
        if (left(entry).filter(at -> !at.isAfter(now)).isPresent()) {
            return status.placeNotServed(notServed(entry), now);
        }
        boolean ignored = ignored(entry).filter(at -> !at.isAfter(now)).isPresent();
        return ignored || status.saysOnlyNotServed() ? status.notServed(notServed(entry), now) : status;
    }

    /** What the author of a reservation that is not served is told. */
    String notServed(Entry entry) {
        String name = entry.seen.schedulerName();
        return entry.leftAt().isPresent() && entry.seen.status().available()
                ? settings.noLongerServed(name)
                : settings.notServed(name);
    }

    /**
     * When it is to be said that an edit took a placed reservation from Berth: not before a scheduler that serves the new
     * name had time to write the status, and once, so that nothing is ever written over that scheduler's status.
     */
    private static Optional<Instant> left(Entry entry) {
        Status status = entry.seen.status();
        return entry.leftAt()
                .filter(at -> status.available() && !status.saysPlaceNotServed())
                .map(at -> at.plus(PATIENCE));
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
            return status.available(node, terms.template().shape().requests(), notBefore(node, desk));
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
        if (entry.lost || Places.node(reservation, ledger).isEmpty()) {
            return status.expired(nodeGone(status.nodeName(), ledger), desk.now());
        }
        if (entry.endedBy(desk.now())) {
            return status.expired(deadlineReached(entry, desk.now()), desk.now());
        }
        if (hold.isEmpty()) {
            return status;
        }
        Status used = usedBy(status, users(hold.get(), ledger));
        return hold.get().spent() && !awaitsBinding(hold.get())
                ? used.succeeded(desk.now())
                : reports.on(used, entry, hold.get(), ledger, desk.now());
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
