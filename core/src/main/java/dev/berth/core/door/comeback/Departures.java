package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Subject;
import dev.berth.core.door.comeback.Departure.Place;
import dev.berth.core.door.comeback.Departure.Stage;
import dev.berth.core.door.comeback.PlaceId.PodKey;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Pods on their way out, and those that went and whose place is not written down yet. The place of a pod that is gone
 * may be claimed before its reservation is written: the claim is written together with its binding, and a place that
 * was taken needs no reservation any more.
 */
final class Departures {
    private static final String NONE = "no reservation was created: ";

    private final Petitions petitions;
    private final LeftPlaces places;
    private final Takers takers;
    private final Kept kept;
    private final Checkpoint checkpoint;
    private final TakerEntries takerEntries;
    private final RoomGivenAway room;
    private final DepartureIndex departures = new DepartureIndex();
    private final Creations creations;

    private boolean listed;
    private boolean replayed;

    Departures(
            Petitions petitions,
            LeftPlaces places,
            Takers takers,
            Kept kept,
            Checkpoint checkpoint,
            TakerEntries takerEntries,
            RoomGivenAway room) {
        this.petitions = petitions;
        this.places = places;
        this.takers = takers;
        this.kept = kept;
        this.checkpoint = checkpoint;
        this.takerEntries = takerEntries;
        this.room = room;
        this.creations = new Creations(departures, kept, this::rename);
    }

    /** Every deletion was told, and so was all that followed from it. */
    void deletionsReplayed() {
        replayed = true;
    }

    /** Everything was listed: what was heard of until now can be judged. */
    void begin(Desk desk) {
        listed = true;
        List<Departure> all = new ArrayList<>(departures.all());
        all.sort(Comparator.comparing(departure -> departure.pod().uid()));
        for (Departure departure : all) {
            if (departure.stage() == Stage.LEAVING) {
                keepLeaving(departure, desk);
            } else {
                departures.remove(departure.pod().uid());
                if (isUnsettled(departure.pod().uid(), desk)) {
                    departure.pod(Drawn.withListingHold(departure.pod(), desk));
                    leftBefore(departure, desk);
                }
            }
        }
    }

    /** The pod went before this process started: nothing else says that its place was over already. */
    private void leftBefore(Departure departure, Desk desk) {
        left(departure, desk);
        departure
                .place()
                .filter(place -> room.testUnwritten(place.hold().id(), place.lifetime(), desk))
                .ifPresent(place -> {
                    desk.release(place.hold().id());
                    dropTaken(departure);
                    complain(departure.pod(), NONE + RoomGivenAway.unwrittenWords(place.node()), desk);
                });
    }

    /**
     * Whether nothing was done about the place yet. A replay that broke off may tell of a pod's deletion and not of the
     * pod that took the place and went too; the checkpoint has a pod until its place is written down or taken. A place that
     * was written down is kept by its Reservation, or is over if that is gone.
     */
    private boolean isUnsettled(PodUid pod, Desk desk) {
        boolean isWritten = checkpoint
                .find(pod)
                .filter(entry -> !entry.reservation().isEmpty())
                .isPresent();
        return !isWritten && (replayed || desk.ledger().pod(pod).isPresent() || checkpoint.has(pod));
    }

    /** A pod that ended by itself leaves no place; one that ends because somebody deleted it does. */
    void seen(Optional<Pod> before, Pod pod, Desk desk) {
        if (pod.nodeName().isEmpty() || !pod.terminating()) {
            return;
        }
        boolean known = departures.has(pod.uid());
        if (before.filter(it -> ReturnRule.endedByItself(it, known)).isPresent()) {
            return;
        }
        Departure departure = departures.find(pod.uid()).orElseGet(() -> new Departure(pod, Stage.LEAVING));
        departure.pod(pod);
        departures.put(departure);
        if (departure.stage() == Stage.LEAVING && pod.phase().terminal()) {
            gone(departure, desk);
        } else if (!known) {
            keepLeaving(departure, desk);
        }
    }

    boolean isEmpty() {
        return departures.isEmpty();
    }

    void gone(Pod pod, Desk desk) {
        boolean known = departures.has(pod.uid());
        if (pod.nodeName().isEmpty() || ReturnRule.endedByItself(pod, known)) {
            departures.remove(pod.uid());
            return;
        }
        if (!known && listed && !petitions.asks(pod)) {
            return;
        }
        Departure departure = departures.find(pod.uid()).orElseGet(() -> new Departure(pod, Stage.LEAVING));
        // A pod that finished before it was removed has left its place then.
        if (departure.stage() == Stage.LEAVING) {
            // Its record says what it is believed to have used, whatever its author removed meanwhile.
            departure.pod(pod);
            gone(departure, desk);
        } else if (departure.stage() == Stage.OWED && takerOf(departure).isPresent()) {
            dropTaken(departure);
        }
    }

    /** The pod takes no room any more: it was removed, or it finished and only its finalizers keep the object. */
    private void gone(Departure departure, Desk desk) {
        PodUid uid = departure.pod().uid();
        departure.stage(Stage.UNJUDGED);
        if (listed) {
            departures.remove(uid);
            left(departure, desk);
        } else {
            departures.put(departure);
        }
    }

    private void keepLeaving(Departure departure, Desk desk) {
        if (listed) {
            departure.place(places.of(departure.pod(), departures, desk));
            departure.place().ifPresent(place -> desk.hold(place.hold()));
        }
    }

    /** The pod is gone: in the same decision its place is kept, or it is not. */
    private void left(Departure departure, Desk desk) {
        Pod pod = departure.pod();
        Optional<Place> before = departure.place();
        departure.place(places.of(pod, departures, desk));
        before.map(Place::hold)
                .map(Hold::id)
                .filter(id -> departure
                        .place()
                        .filter(now -> now.hold().id().equals(id))
                        .isEmpty())
                .ifPresent(desk::release);
        departure.place().ifPresent(place -> owe(departure, place, desk));
        places.refusal(pod, desk).ifPresent(why -> complain(pod, NONE + why, desk));
    }

    private void owe(Departure departure, Place place, Desk desk) {
        Instant deadline = desk.now().plus(place.lifetime());
        if (takers.of(place.hold().id(), place.node(), place.key()).isEmpty()) {
            desk.hold(Places.left(place.hold(), place.key(), deadline));
        }
        departure.stage(Stage.OWED);
        departures.put(departure, place);
        creations.touch(departure.pod().uid());
        String nodeUid = place.hold().node().value();
        Pod known = Drawn.withUsedHold(departure.pod(), desk);
        // The place is kept already: a Deployment that goes after its pod does not end it.
        checkpoint.want(CheckpointedPod.of(known, nodeUid, place.key(), place.lifetime(), List.of(), true), desk);
    }

    /** The pod was deleted while no Berth led, as the checkpoint shows: its place is kept as if its end had been seen. */
    void missed(Pod pod, Desk desk) {
        leftBefore(new Departure(pod, Stage.UNJUDGED), desk);
    }

    /** The place that a pod left, until a Reservation keeps it. */
    Optional<Place> unwritten(PodKey pod) {
        return departures
                .find(pod.uid())
                .filter(departure -> departure.stage() != Stage.LEAVING
                        && departure.pod().namespace().equals(pod.namespace()))
                .flatMap(Departure::place);
    }

    /** Whether the pod is on its way out, or gone and its place not written down. */
    boolean has(PodUid pod) {
        return departures.has(pod);
    }

    /** The StatefulSet was deleted: the pods that it left behind will not be followed. */
    void setDeleted(Workload.Key set, Desk desk) {
        for (Departure departure : departures.unwritten()) {
            if (isOf(set, departure.pod())) {
                departure.place().ifPresent(place -> desk.release(place.hold().id()));
                abandon(departure);
            }
        }
    }

    /** No Reservation is written; one that is on its way keeps nothing when it shows. */
    private void abandon(Departure departure) {
        if (departure.stage() == Stage.OWED) {
            drop(departure);
        } else {
            departure.abandon();
        }
    }

    private static boolean isOf(Workload.Key set, Pod pod) {
        return pod.namespace().equals(set.namespace())
                && ReturnKey.statefulSetOf(pod).filter(set.name()::equals).isPresent();
    }

    /**
     * The place is written down: from now on the reservation speaks for it. One that lacks room is not the one that this
     * process wrote, unless the place ended meanwhile.
     */
    void placeholderSeen(Placeholder placeholder, Desk desk) {
        placeholder
                .pod()
                .flatMap(departures::find)
                .filter(departure -> departure.stage() != Stage.LEAVING
                        && departure.pod().namespace().equals(placeholder.namespace()))
                .filter(departure -> departure.abandoned() || !kept.lacksRoom(placeholder.uid()))
                .ifPresent(departure -> writtenDown(departure, placeholder, desk));
    }

    private void writtenDown(Departure departure, Placeholder placeholder, Desk desk) {
        departure
                .place()
                .map(place -> place.hold().id())
                .filter(id -> !id.equals(placeholder.holdId()))
                .ifPresent(desk::release);
        checkpoint.prove(departure.pod().uid(), placeholder.uid());
        drop(departure);
        if (departure.abandoned()) {
            kept.abandon(placeholder.uid(), desk);
        }
    }

    boolean knows(HoldId place) {
        return departures.has(place);
    }

    /** Somebody came before the place was written down: if it is not on its way, there is no need any more. */
    void taken(HoldId place, Desk desk) {
        departures
                .find(place)
                .filter(departure -> takerOf(departure).isPresent())
                .ifPresent(departure -> {
                    desk.release(place);
                    if (departure.stage() == Stage.OWED
                            && !LeftPlaces.outlives(departure.pod().uid(), desk)) {
                        dropTaken(departure);
                    }
                });
    }

    /**
     * Its time is over, its node is gone, or the hold that it drew on took its room back. A reservation that is under way
     * would begin its time again when it shows, on room that was given away: it is deleted then.
     */
    void ended(Hold hold, Door.End why, Desk desk) {
        departures.find(hold.id()).ifPresent(departure -> {
            if (why == Door.End.DRAW_BROKEN) {
                departure.place().ifPresent(place -> {
                    String reason = Drawn.broken(place.node(), hold.draw(), desk);
                    complain(departure.pod(), "the reservation ended: " + reason, desk);
                });
            }
            abandon(departure);
        });
    }

    private void drop(Departure departure) {
        checkpoint.drop(departure.pod().uid());
        forget(departure);
    }

    /** No reservation will say which place the pod had taken itself. */
    private void dropTaken(Departure departure) {
        takerEntries.drop(departure.pod());
        forget(departure);
    }

    private void forget(Departure departure) {
        departures.remove(departure);
        creations.forget(departure.pod().uid());
    }

    void settle(Desk desk) {
        creations.settle(desk);
    }

    private Place rename(Departure departure, Place place, Desk desk) {
        String name = places.nameFor(departure.pod(), departures, desk);
        Hold hold = Places.leaving(
                departure.pod(), name, place.hold().node(), place.hold().draw());
        drop(departure);
        desk.release(place.hold().id());
        Place renamed = new Place(name, hold, place.key(), place.node(), place.lifetime());
        departure.place(Optional.of(renamed));
        owe(departure, renamed, desk);
        return renamed;
    }

    /** A place that is not written down yet stays open to its successor: the hold ends with its deadline. */
    void written(ComebackWrite.Create write, Outcome outcome, Desk desk) {
        departures
                .find(Creations.podOf(write))
                .filter(departure -> creations.answered(write, outcome, desk))
                .ifPresent(departure -> answered(departure, outcome, desk));
    }

    private void answered(Departure departure, Outcome outcome, Desk desk) {
        departure.stage(outcome.kind() == Outcome.Kind.WRITTEN ? Stage.WRITTEN : Stage.OWED);
        boolean settled = takerOf(departure).isPresent()
                && !LeftPlaces.outlives(departure.pod().uid(), desk);
        if (departure.stage() == Stage.OWED && settled) {
            dropTaken(departure);
        } else if (departure.stage() == Stage.OWED && departure.abandoned()) {
            drop(departure);
        }
    }

    private Optional<ComebackWrite.Taker> takerOf(Departure departure) {
        return departure.place().flatMap(place -> takers.of(place.hold().id(), place.node(), place.key()));
    }

    private static void complain(Pod pod, String note, Desk desk) {
        desk.write(new Effect.Announce(
                Subject.of(Effect.PodRef.of(pod)),
                Effect.Announce.Kind.warning("ReservationFailed", "Reserving"),
                note));
    }

    int retrying() {
        return creations.retrying();
    }

    Optional<Instant> nextWake() {
        return creations.nextWake();
    }

    /**
     * Pods whose place is not written down, and pods that took a place whose reservation does not show yet. Those that are
     * still there are not looked at: they may be many.
     */
    Set<PodUid> owed() {
        Set<PodUid> owed = new TreeSet<>();
        for (Departure departure : listed ? departures.unwritten() : departures.all()) {
            if (departure.owed()) {
                owed.add(departure.pod().uid());
            }
            takerOf(departure).ifPresent(taker -> owed.add(taker.uid()));
        }
        return owed;
    }
}
