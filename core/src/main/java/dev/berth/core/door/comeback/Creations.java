package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Subject;
import dev.berth.core.door.comeback.Departure.Place;
import dev.berth.core.door.comeback.Departure.Stage;
import dev.berth.core.reconcile.Reconciler;
import dev.berth.core.reconcile.Source;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Writes the reservations of places that pods left. */
final class Creations implements Source<PodUid, ComebackWrite.Create> {
    /** Gives the reservation to be another name. */
    interface Renaming {
        /** The place under its other name. */
        Place rename(Departure departure, Place place, Desk desk);
    }

    private final DepartureIndex departures;
    private final Kept kept;
    private final Renaming renaming;
    private final Reconciler<PodUid, ComebackWrite.Create> reconciler = new Reconciler<>(this);
    /** Those whose reservation's name is still in use; few of them can wait for long. */
    private final Set<PodUid> unnamed = new TreeSet<>();

    Creations(DepartureIndex departures, Kept kept, Renaming renaming) {
        this.departures = departures;
        this.kept = kept;
        this.renaming = renaming;
    }

    void touch(PodUid pod) {
        reconciler.touch(pod);
    }

    void forget(PodUid pod) {
        reconciler.forget(pod);
        unnamed.remove(pod);
    }

    /** Those that wait for a name come last, so that the others do not wait for them. */
    void settle(Desk desk) {
        if (sendDue(desk) && !unnamed.isEmpty()) {
            unnamed.forEach(reconciler::touch);
            unnamed.clear();
            sendDue(desk);
        }
    }

    private boolean sendDue(Desk desk) {
        return reconciler.forEachDue(desk, uid -> {
            Optional<Departure> departure = departures.find(uid);
            departure
                    .flatMap(Departure::place)
                    .ifPresentOrElse(place -> send(departure.orElseThrow(), place, desk), () -> reconciler.forget(uid));
        });
    }

    /** Under a name that is still in use it waits until the other is gone, or takes another name if that will stay. */
    private void send(Departure departure, Place place, Desk desk) {
        Pod pod = departure.pod();
        Optional<Boolean> other = kept.stays(place.fullName(), desk);
        if (other.isEmpty()) {
            reconciler.reconcile(pod.uid(), desk).ifPresent(sent -> departure.stage(Stage.SENT));
        } else if (other.get() && place.name().equals(pod.name()) && unclaimed(place, desk)) {
            send(departure, renaming.rename(departure, place, desk), desk);
        } else {
            reconciler.postpone(pod.uid());
            unnamed.add(pod.uid());
        }
    }

    /** A bind on its way names the place by its old name. */
    private static boolean unclaimed(Place place, Desk desk) {
        return desk.ledger()
                .holdState(place.hold().id())
                .filter(state -> !state.claims().isEmpty())
                .isEmpty();
    }

    /** What is created has no version before it is there. */
    @Override
    public String version(PodUid pod) {
        return "";
    }

    @Override
    public Optional<ComebackWrite.Create> wanted(PodUid pod, Desk desk) {
        return departures
                .find(pod)
                .filter(departure -> departure.stage() != Stage.LEAVING && !departure.abandoned())
                .flatMap(departure -> departure.place().map(place -> Departure.creation(departure.pod(), place)));
    }

    @Override
    public Subject subject(ComebackWrite.Create write) {
        return departures
                .find(podOf(write))
                .map(departure -> Subject.of(Effect.PodRef.of(departure.pod())))
                .orElseThrow(() -> new IllegalStateException("pod (%s) left no place".formatted(podOf(write))));
    }

    @Override
    public String consequence(ComebackWrite.Create write) {
        return "The pod's place on node %s is kept until its time is over or Berth restarts.".formatted(write.node());
    }

    static PodUid podOf(ComebackWrite.Create write) {
        return new PodUid(write.annotations().getOrDefault(Words.PLACEHOLDER_UID, ""));
    }

    /** Whether the answer is the one to the latest write of the pod's place. */
    boolean answered(ComebackWrite.Create write, Outcome outcome, Desk desk) {
        return reconciler.answered(podOf(write), write, outcome, desk);
    }

    int retrying() {
        return reconciler.retrying();
    }

    Optional<Instant> nextWake() {
        return reconciler.nextWake();
    }
}
