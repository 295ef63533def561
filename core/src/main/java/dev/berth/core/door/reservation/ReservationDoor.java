package dev.berth.core.door.reservation;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Subject;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.placement.Placement;
import dev.berth.core.queue.Wake;
import dev.berth.core.reconcile.Reconciler;
import dev.berth.core.reconcile.Source;
import dev.berth.core.reconcile.Timers;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds places for reservations, keeps them for their owners and keeps their status true. A place is kept from the moment
 * it is found, but nobody may use it before the status says so: then it outlives this process. Everything follows from
 * the reservations and the pods; what is remembered besides only saves writes.
 */
public final class ReservationDoor implements Door.HearsNodes, Door.HearsPods {
    private final ReservationSettings settings;
    private final Upkeep upkeep;
    private final Map<String, Entry> entries = new HashMap<>();
    /** By UID, as are the times. */
    private final Reconciler<String, ReservationWrite> reconciler = new Reconciler<>(new Objects());

    private final Timers<String> ends = new Timers<>();
    private final WatchedNodes nodes = new WatchedNodes();
    private final ForeignOwners foreignOwners;

    public ReservationDoor(ReservationSettings settings) {
        this.settings = settings;
        this.upkeep = new Upkeep(settings);
        this.foreignOwners = new ForeignOwners(settings);
    }

    @Override
    public Origin.Door name() {
        return Origin.Door.RESERVATION;
    }

    @Override
    public void learn(Fact.OfDoor fact, Desk desk) {
        if (fact instanceof ReservationFact.Seen seen) {
            learn(seen.reservation(), desk);
        } else if (fact instanceof ReservationFact.Gone gone) {
            forget(gone.uid(), desk);
        }
    }

    private void learn(Reservation shown, Desk desk) {
        Reservation reservation = settings.named(shown);
        Entry entry = entries.computeIfAbsent(reservation.uid(), uid -> new Entry(reservation, desk.now()));
        boolean asksForTheSame = wish(entry.seen).equals(wish(reservation));
        entry.fresh |= entry.found.isPresent() && reservation.status().available();
        entry.lost &= reservation.status().available();
        entry.shown(reservation, settings.serves(reservation.schedulerName()), desk.now());
        if (entry.terms().filter(Terms::once).isEmpty()) {
            entry.spentBy = List.of();
        }
        if (!asksForTheSame || !reservation.pending() || !entry.served) {
            entry.found = Optional.empty();
            entry.refusal = "";
        }
        reconciler.touch(reservation.uid());
        keep(entry, desk);
        seek(entry, desk);
    }

    /** What decides on the place: other changes do not move it. */
    private static Optional<Terms.Template> wish(Reservation reservation) {
        return reservation.terms().map(Terms::template);
    }

    private void forget(String uid, Desk desk) {
        Entry entry = entries.remove(uid);
        if (entry != null) {
            ends.clear(uid);
            foreignOwners.forget(uid);
            reconciler.forget(uid);
            desk.release(Reservation.holdId(uid));
            desk.stopSeeking(Reservation.seekerUid(uid));
        }
    }

    /** The hold is there exactly as long as there is a place. Its node may not be listed yet: then it is put when all are. */
    private static void keep(Entry entry, Desk desk) {
        Optional<Hold> hold = Places.hold(entry, desk.ledger(), desk.now());
        hold.ifPresentOrElse(desk::hold, () -> desk.release(entry.seen.holdId()));
    }

    /** A place that could not be written down is of no use: while the API server denies it, none is looked for. */
    private void seek(Entry entry, Desk desk) {
        Reservation reservation = entry.seen;
        boolean homeless = entry.served
                && reservation.pending()
                && reconciler.denial(reservation.uid()).isEmpty()
                && reservation.terms().isPresent()
                && !reservation.terminating()
                && !entry.endedBy(desk.now());
        if (!homeless) {
            desk.stopSeeking(Reservation.seekerUid(reservation.uid()));
        } else if (entry.found.isEmpty()) {
            desk.seek(reservation.seeker(reservation.terms().get()));
        }
    }

    @Override
    public void placed(Pod seeker, Placement.Placed place, Desk desk) {
        desk.stopSeeking(seeker.uid());
        Entry entry = entries.get(Reservation.uidOf(seeker));
        if (entry != null) {
            entry.found = Optional.of(new Entry.Place(place.nodeName(), place.nodeUid()));
            entry.refusal = "";
            reconciler.touch(entry.seen.uid());
            keep(entry, desk);
        }
    }

    @Override
    public void refused(Pod seeker, Placement.Refused refusal, Desk desk) {
        Entry entry = entries.get(Reservation.uidOf(seeker));
        if (entry != null) {
            entry.refusal = refusal.summary() + missingNode(entry, desk);
            reconciler.touch(entry.seen.uid());
        }
    }

    /** That no node matches the name does not say that there is none of that name. */
    private static String missingNode(Entry entry, Desk desk) {
        return wish(entry.seen)
                .flatMap(Terms.Template::nodeName)
                .filter(name -> desk.ledger().node(name).isEmpty())
                .map(" There is no node %s, which spec.template.spec.nodeName names."::formatted)
                .orElse("");
    }

    @Override
    public void claimsChanged(HoldId hold, Desk desk) {
        reconciler.touch(Reservation.uidOf(hold));
        Entry entry = entries.get(Reservation.uidOf(hold));
        if (entry != null) {
            desk.ledger()
                    .holdState(hold)
                    .filter(HoldState::spent)
                    .map(state -> Upkeep.users(state, desk.ledger()))
                    .filter(users -> !users.isEmpty())
                    .ifPresent(users -> entry.spentBy = users);
            keep(entry, desk);
        }
    }

    @Override
    public void ended(Hold hold, End why, Desk desk) {
        Entry entry = entries.get(Reservation.uidOf(hold.id()));
        if (entry == null) {
            return;
        }
        reconciler.touch(entry.seen.uid());
        switch (why) {
            case DEADLINE -> keep(entry, desk);
            // Reservations draw on no other hold.
            case DRAW_BROKEN -> {}
            case NODE_GONE -> {
                entry.lost = entry.seen.status().available();
                entry.found = Optional.empty();
                seek(entry, desk);
            }
        }
    }

    @Override
    public void nodeSeen(Node node, Desk desk) {
        nodes.seen(node, desk.ledger()).forEach(this::touch);
    }

    @Override
    public void nodeGone(Node node, Desk desk) {
        nodes.gone(node);
    }

    /** Owners need no mark. */
    @Override
    public boolean indifferent() {
        return entries.isEmpty();
    }

    @Override
    public void podSeen(Optional<Pod> before, Pod pod, Desk desk) {
        foreignOwners.seen(before, pod, desk.ledger());
    }

    @Override
    public void podGone(Pod pod, Desk desk) {}

    private void touch(HoldId hold) {
        if (entries.containsKey(Reservation.uidOf(hold))) {
            reconciler.touch(Reservation.uidOf(hold));
        }
    }

    /** A place that may not be written down is given back: its room would be closed for nothing. */
    @Override
    public void written(Effect.Write write, Outcome outcome, Desk desk) {
        ReservationWrite sent = (ReservationWrite) write;
        Entry entry = entries.get(sent.uid());
        if (entry != null
                && reconciler.answered(sent.uid(), sent, outcome, desk)
                && outcome.kind() == Outcome.Kind.DENIED) {
            entry.found = Optional.empty();
            keep(entry, desk);
            seek(entry, desk);
        }
    }

    @Override
    public void settle(Desk desk) {
        // Another scheduler may bind a pod where there is no room for it, and another door may give room back.
        nodes.changed(desk.ledger()).forEach(this::touch);
        ends.expired(desk.now()).forEach(reconciler::touch);
        foreignOwners
                .settle(uid -> Optional.ofNullable(entries.get(uid)).map(entry -> entry.seen))
                .forEach(desk::write);
        reconciler.forEachDue(
                desk,
                uid -> Optional.ofNullable(entries.get(uid))
                        .ifPresentOrElse(entry -> settle(entry, desk), () -> reconciler.forget(uid)));
    }

    private void settle(Entry entry, Desk desk) {
        String uid = entry.seen.uid();
        if (entry.toCheckLegacy()) {
            entry.checkedLegacy(Upkeep.usedOnlyByBerthsPods(entry.seen, desk.ledger()));
        }
        if (entry.served) {
            Words.of(entry).forEach(desk::write);
        }
        keep(entry, desk);
        Optional<ReservationWrite> write = reconciler.reconcile(uid, desk);
        // Only now is it known whether a newer version ended the wait after a denial.
        seek(entry, desk);
        Optional<Status> said =
                write.filter(ReservationWrite.Say.class::isInstance).map(say -> ((ReservationWrite.Say) say).status());
        Status next = said.orElse(entry.seen.status());
        if (entry.served) {
            if (next.overcommitted()) {
                nodes.reported(next.nodeName());
            }
            Words.reports(entry, next).forEach(desk::write);
        } else if (said.filter(Status::saysNotServed).isPresent() || upkeep.doubtedBy(entry, desk.now())) {
            String text = upkeep.notServed(entry);
            Words.notServed(entry, settings.firstName(), text).ifPresent(desk::write);
        }
        Words.ended(entry, reporter(entry), next, desk.now()).ifPresent(desk::write);
        ends.set(
                uid,
                upkeep.next(entry, desk.now())
                        .filter(at -> at.isAfter(desk.now()))
                        .orElse(Instant.MAX));
    }

    /** A name that Berth serves: events of another scheduler's name would seem to be that scheduler's. */
    private String reporter(Entry entry) {
        return entry.served ? entry.seen.schedulerName() : settings.firstName();
    }

    /** Of the reservations that Berth serves; another scheduler may understand what Berth does not. */
    @Override
    public int invalid() {
        return (int) entries.values().stream()
                .filter(entry -> entry.served
                        && !entry.seen.problem().isEmpty()
                        && !entry.seen.status().phase().terminal())
                .count();
    }

    @Override
    public int retrying() {
        return reconciler.retrying();
    }

    @Override
    public Optional<Instant> nextWake() {
        return Wake.earlier(ends.next(), reconciler.nextWake());
    }

    /** The reservations as the reconciler asks for them. */
    private final class Objects implements Source<String, ReservationWrite> {
        private Entry entry(String uid) {
            return Optional.ofNullable(entries.get(uid))
                    .orElseThrow(() -> new IllegalStateException("reservation (%s) is not known".formatted(uid)));
        }

        @Override
        public String version(String uid) {
            return entry(uid).seen.version();
        }

        @Override
        public Optional<ReservationWrite> wanted(String uid, Desk desk) {
            return upkeep.write(entry(uid), desk);
        }

        @Override
        public Subject subject(ReservationWrite write) {
            Entry entry = entry(write.uid());
            return Words.subject(entry.seen, reporter(entry));
        }

        @Override
        public String consequence(ReservationWrite write) {
            Entry entry = entry(write.uid());
            Status status = entry.seen.status();
            if (status.available() && write instanceof ReservationWrite.Say say) {
                return say.status().phase().terminal()
                        ? "The room of the Reservation on node %s stays kept, and no pod can use it, until the status says %s."
                                .formatted(
                                        status.nodeName(), say.status().phase().word())
                        : "";
            }
            return entry.found
                    .map(place ->
                            "Until the status is written, the place of the Reservation on node %s is free for other pods."
                                    .formatted(place.nodeName()))
                    .orElse("");
        }
    }
}
