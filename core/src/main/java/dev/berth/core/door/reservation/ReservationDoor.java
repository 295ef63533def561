package dev.berth.core.door.reservation;

import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.placement.Placement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Finds places for reservations, keeps them for their owners and keeps their status true. A place is kept from the moment
 * it is found, but nobody may use it before the status says so: then it outlives this process. Everything follows from
 * the reservations and the pods; what is remembered besides only saves writes.
 */
public final class ReservationDoor implements Door {
    /** A write that was refused is tried again after this long: somebody may have changed who may write. */
    private static final Duration TRY_AGAIN = Duration.ofSeconds(30);

    private record Alarm(Instant at, String uid) implements Comparable<Alarm> {
        @Override
        public int compareTo(Alarm other) {
            int byTime = at.compareTo(other.at);
            return byTime != 0 ? byTime : uid.compareTo(other.uid);
        }
    }

    private final ReservationSettings settings;
    private final Upkeep upkeep;
    private final Map<String, Entry> entries = new HashMap<>();
    /** The UIDs of those that are to be looked at in {@link #settle}. */
    private final TreeSet<String> news = new TreeSet<>();

    private final TreeSet<Alarm> alarms = new TreeSet<>();

    public ReservationDoor(ReservationSettings settings) {
        this.settings = settings;
        this.upkeep = new Upkeep(settings);
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
        entry.served = settings.serves(reservation.schedulerName());
        boolean asksForTheSame = wish(entry.seen).equals(wish(reservation));
        entry.fresh |= entry.found.isPresent() && reservation.status().available();
        entry.lost &= reservation.status().available();
        entry.seen = reservation;
        if (!asksForTheSame || !reservation.pending() || !entry.served) {
            entry.found = Optional.empty();
            entry.refusal = "";
        }
        news.add(reservation.uid());
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
            alarms.remove(new Alarm(entry.alarm, uid));
            news.remove(uid);
            desk.release(Reservation.holdId(uid));
            desk.stopSeeking(Reservation.seekerUid(uid));
        }
    }

    /** The hold is there exactly as long as there is a place. Its node may not be listed yet: then it is put when all are. */
    private static void keep(Entry entry, Desk desk) {
        Reservation reservation = entry.seen;
        boolean over = reservation.endedBy(desk.now()) || entry.lost;
        Optional<Hold> hold = over ? Optional.empty() : Places.hold(entry, desk.ledger());
        hold.ifPresentOrElse(desk::hold, () -> desk.release(reservation.holdId()));
    }

    private static void seek(Entry entry, Desk desk) {
        Reservation reservation = entry.seen;
        boolean homeless = entry.served
                && reservation.pending()
                && reservation.terms().isPresent()
                && !reservation.terminating()
                && !reservation.endedBy(desk.now());
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
            news.add(entry.seen.uid());
            keep(entry, desk);
        }
    }

    @Override
    public void refused(Pod seeker, Placement.Refused refusal, Desk desk) {
        Entry entry = entries.get(Reservation.uidOf(seeker));
        if (entry != null) {
            entry.refusal = refusal.summary();
            news.add(entry.seen.uid());
        }
    }

    @Override
    public void claimsChanged(HoldId hold, Desk desk) {
        news.add(Reservation.uidOf(hold));
    }

    @Override
    public void ended(Hold hold, End why, Desk desk) {
        Entry entry = entries.get(Reservation.uidOf(hold.id()));
        if (entry == null) {
            return;
        }
        news.add(entry.seen.uid());
        switch (why) {
            case DEADLINE -> {}
            case NODE_GONE -> {
                entry.lost = entry.seen.status().available();
                entry.found = Optional.empty();
                seek(entry, desk);
            }
        }
    }

    /** What was written comes by the watch, and what is next is decided on then. */
    @Override
    public void written(Effect.Write write, Outcome outcome, Desk desk) {
        ReservationWrite sent = (ReservationWrite) write;
        Entry entry = entries.get(sent.uid());
        if (entry != null && outcome.kind() == Outcome.Kind.DENIED) {
            wake(entry, desk.now().plus(TRY_AGAIN));
        }
    }

    @Override
    public void settle(Desk desk) {
        while (!alarms.isEmpty() && !alarms.first().at.isAfter(desk.now())) {
            Alarm due = alarms.first();
            alarms.remove(due);
            Entry entry = entries.get(due.uid);
            if (entry != null) {
                entry.alarm = Instant.MAX;
                entry.decidedOn = "";
                news.add(due.uid);
            }
        }
        List<String> due = new ArrayList<>(news);
        news.clear();
        due.stream().map(entries::get).filter(Objects::nonNull).forEach(entry -> settle(entry, desk));
    }

    private void settle(Entry entry, Desk desk) {
        if (entry.served) {
            Words.of(entry).forEach(desk::write);
        }
        keep(entry, desk);
        seek(entry, desk);
        boolean undecided = !entry.decidedOn.equals(entry.seen.version());
        Optional<ReservationWrite> write = undecided ? upkeep.write(entry, desk) : Optional.empty();
        write.ifPresent(needed -> {
            entry.decidedOn = entry.seen.version();
            desk.write(needed);
            if (!entry.served) {
                String text = settings.notServed(entry.seen.schedulerName());
                desk.write(Words.notServed(entry.seen, settings.firstName(), text));
            }
        });
        upkeep.next(entry).filter(at -> at.isAfter(desk.now())).ifPresent(at -> wake(entry, at));
    }

    private void wake(Entry entry, Instant at) {
        if (at.isBefore(entry.alarm)) {
            alarms.remove(new Alarm(entry.alarm, entry.seen.uid()));
            entry.alarm = at;
            alarms.add(new Alarm(at, entry.seen.uid()));
        }
    }

    @Override
    public Optional<Instant> nextWake() {
        return alarms.isEmpty() ? Optional.empty() : Optional.of(alarms.first().at);
    }
}
