package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Node;
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
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.reconcile.Reconciler;
import dev.berth.core.reconcile.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Pods on their way out, and those that went and whose place is not written down yet. The place of a pod that is gone
 * may be claimed before its reservation is written: the claim is written together with its binding, and a place that
 * was taken needs no reservation any more.
 */
final class Departures implements Source<PodUid, ComebackWrite.Create> {
    private static final int LONGEST_NAME = 253;
    private static final int MARK = 8;
    private static final String NONE = "no reservation was created: ";

    private final Petitions petitions;
    private final ReturnRule rule;
    private final Takers takers;
    private final Kept kept;
    private final Checkpoint checkpoint;
    private final TakerEntries takerEntries;
    private final RoomGivenAway room;
    private final Map<PodUid, Departure> departures = new LinkedHashMap<>();
    private final Map<HoldId, PodUid> byHold = new HashMap<>();
    /** The reservations to be, by their names. */
    private final Map<String, PodUid> byName = new HashMap<>();

    private final Reconciler<PodUid, ComebackWrite.Create> reconciler = new Reconciler<>(this);
    /** Those whose reservation's name is still in use; few of them can wait for long. */
    private final Set<PodUid> unnamed = new TreeSet<>();

    private boolean listed;
    private boolean replayed;

    Departures(
            Petitions petitions,
            ReturnRule rule,
            Takers takers,
            Kept kept,
            Checkpoint checkpoint,
            TakerEntries takerEntries,
            RoomGivenAway room) {
        this.petitions = petitions;
        this.rule = rule;
        this.takers = takers;
        this.kept = kept;
        this.checkpoint = checkpoint;
        this.takerEntries = takerEntries;
        this.room = room;
    }

    /** Every deletion was told, and so was all that followed from it. */
    void deletionsReplayed() {
        replayed = true;
    }

    /** Everything was listed: what was heard of until now can be judged. */
    void begin(Desk desk) {
        listed = true;
        List<Departure> all = new ArrayList<>(departures.values());
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
                .filter(place -> room.test(place.hold().id(), Instant.MIN, desk))
                .ifPresent(place -> {
                    desk.release(place.hold().id());
                    dropTaken(departure);
                    complain(departure.pod(), NONE + RoomGivenAway.words(place.node()), desk);
                });
    }

    /**
     * Whether nothing was done about the place yet. A replay that broke off may tell of a pod's deletion and not of the
     * pod that took the place and went too; the checkpoint has a pod until its place is written down or taken.
     */
    private boolean isUnsettled(PodUid pod, Desk desk) {
        return replayed || desk.ledger().pod(pod).isPresent() || checkpoint.has(pod);
    }

    /** A pod that ended by itself leaves no place; one that ends because somebody deleted it does. */
    void seen(Optional<Pod> before, Pod pod, Desk desk) {
        if (pod.nodeName().isEmpty() || !pod.terminating()) {
            return;
        }
        @Nullable Departure known = departures.get(pod.uid());
        if (before.filter(it -> ReturnRule.endedByItself(it, known != null)).isPresent()) {
            return;
        }
        Departure departure = known == null ? new Departure(pod, Stage.LEAVING) : known;
        departure.pod(pod);
        departures.put(pod.uid(), departure);
        if (departure.stage() == Stage.LEAVING && pod.phase().terminal()) {
            gone(departure, desk);
        } else if (known == null) {
            keepLeaving(departure, desk);
        }
    }

    boolean isEmpty() {
        return departures.isEmpty();
    }

    void gone(Pod pod, Desk desk) {
        @Nullable Departure known = departures.get(pod.uid());
        if (pod.nodeName().isEmpty() || ReturnRule.endedByItself(pod, known != null)) {
            departures.remove(pod.uid());
            return;
        }
        if (known == null && listed && !petitions.asks(pod)) {
            return;
        }
        Departure departure = known == null ? new Departure(pod, Stage.LEAVING) : known;
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
            departures.put(uid, departure);
        }
    }

    private void keepLeaving(Departure departure, Desk desk) {
        if (listed) {
            departure.place(placeOf(departure.pod(), desk));
            departure.place().ifPresent(place -> desk.hold(place.hold()));
        }
    }

    /** The pod is gone: in the same decision its place is kept, or it is not. */
    private void left(Departure departure, Desk desk) {
        Pod pod = departure.pod();
        Optional<Place> before = departure.place();
        departure.place(placeOf(pod, desk));
        before.map(Place::hold)
                .map(Hold::id)
                .filter(id -> departure
                        .place()
                        .filter(now -> now.hold().id().equals(id))
                        .isEmpty())
                .ifPresent(desk::release);
        departure.place().ifPresent(place -> owe(departure, place, desk));
        if (mayReturn(pod, desk)) {
            refusal(pod, desk).ifPresent(why -> complain(pod, NONE + why, desk));
        }
    }

    /** Whether the pod asked, has a key and a node, and somebody may come in its stead. */
    private boolean mayReturn(Pod pod, Desk desk) {
        return petitions.asks(pod)
                && ReturnKey.of(pod).isPresent()
                && nodeOf(pod, desk).isPresent()
                && !StatefulSets.isDeleted(pod, desk.ledger())
                && !kept.knowsPod(pod.namespace(), pod.uid().value());
    }

    /** Why the place of a pod that may return is not kept. */
    private Optional<String> refusal(Pod pod, Desk desk) {
        return rule.preemption(pod, desk)
                .or(() -> Drawn.refusal(pod, desk))
                .or(() -> nodeOf(pod, desk).flatMap(node -> Places.exceeds(pod, node)));
    }

    private static Optional<Node> nodeOf(Pod pod, Desk desk) {
        return pod.nodeName().flatMap(desk.ledger()::node).map(NodeState::node);
    }

    private void owe(Departure departure, Place place, Desk desk) {
        PodUid uid = departure.pod().uid();
        Instant deadline = desk.now().plus(place.lifetime());
        if (takers.of(place.hold().id(), place.node(), place.key()).isEmpty()) {
            desk.hold(Places.left(place.hold(), place.key(), deadline));
        }
        departure.stage(Stage.OWED);
        departures.put(uid, departure);
        byHold.put(place.hold().id(), uid);
        byName.put(place.fullName(), uid);
        reconciler.touch(uid);
        String nodeUid = place.hold().node().value();
        Pod known = Drawn.withUsedHold(departure.pod(), desk);
        checkpoint.want(CheckpointedPod.of(known, nodeUid, place.key(), place.lifetime(), true), desk);
    }

    /** The pod was deleted while no Berth led, as the checkpoint shows: its place is kept as if its end had been seen. */
    void missed(Pod pod, Desk desk) {
        leftBefore(new Departure(pod, Stage.UNJUDGED), desk);
    }

    /** Whether the pod is on its way out, or gone and its place not written down. */
    boolean has(PodUid pod) {
        return departures.containsKey(pod);
    }

    /** What the pod leaves behind; empty when it did not ask, or when its place is written down or was taken already. */
    private Optional<Place> placeOf(Pod pod, Desk desk) {
        if (!mayReturn(pod, desk) || refusal(pod, desk).isPresent()) {
            return Optional.empty();
        }
        ReturnKey key = ReturnKey.of(pod).orElseThrow();
        Node node = nodeOf(pod, desk).orElseThrow();
        Duration lifetime = outlives(pod.uid(), desk) ? petitions.remaining(pod, desk.now()) : petitions.lifetime(pod);
        String name = nameFor(pod, desk);
        Hold hold = Places.leaving(pod, name, node.uid(), Drawn.of(pod, node, desk));
        boolean taken = takers.of(hold.id(), node.name(), key).isPresent();
        return (taken && !outlives(pod.uid(), desk)) || lifetime.isZero()
                ? Optional.empty()
                : Optional.of(new Place(name, hold, key, node.name(), lifetime));
    }

    /**
     * Whether finalizers keep the pod that finished. A process that starts after the taker of its place went would keep the
     * place again: that it was taken is written down on a reservation, although no pod needs the place.
     */
    private static boolean outlives(PodUid pod, Desk desk) {
        return desk.ledger().pod(pod).filter(it -> it.phase().terminal()).isPresent();
    }

    /** The StatefulSet was deleted: the pods that it left behind will not be followed. */
    void setDeleted(Workload.Key set, Desk desk) {
        for (PodUid uid : new ArrayList<>(byHold.values())) {
            @Nullable Departure departure = departures.get(uid);
            if (departure != null && isOf(set, departure.pod())) {
                departure.place().ifPresent(place -> desk.release(place.hold().id()));
                abandon(departure);
            }
        }
    }

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

    /** The pod's own name, unless another pod of this name left a place that is still kept: neither is lost. */
    private String nameFor(Pod pod, Desk desk) {
        String fullName = Placeholder.fullName(pod.namespace(), pod.name());
        boolean promised = !pod.uid().equals(byName.getOrDefault(fullName, pod.uid()));
        boolean used = kept.stays(fullName, desk).filter(stays -> stays).isPresent();
        if (!promised && !used) {
            return pod.name();
        }
        String uid = pod.uid().value();
        String mark = "-" + uid.substring(0, Math.min(uid.length(), MARK));
        int room = LONGEST_NAME - mark.length();
        return pod.name().substring(0, Math.min(pod.name().length(), room)) + mark;
    }

    /** The place is written down: from now on the reservation speaks for it. */
    void placeholderSeen(Placeholder placeholder, Desk desk) {
        if (placeholder.podUid().isEmpty()) {
            return;
        }
        PodUid uid = new PodUid(placeholder.podUid());
        @Nullable Departure departure = departures.get(uid);
        if (departure != null
                && departure.stage() != Stage.LEAVING
                && departure.pod().namespace().equals(placeholder.namespace())) {
            departure
                    .place()
                    .map(place -> place.hold().id())
                    .filter(id -> !id.equals(placeholder.holdId()))
                    .ifPresent(desk::release);
            drop(departure);
            if (departure.abandoned()) {
                kept.abandon(placeholder.uid(), desk);
            }
        }
    }

    boolean knows(HoldId place) {
        return byHold.containsKey(place);
    }

    /** Somebody came before the place was written down: if it is not on its way, there is no need any more. */
    void taken(HoldId place, Desk desk) {
        @Nullable PodUid uid = byHold.get(place);
        @Nullable Departure departure = uid == null ? null : departures.get(uid);
        if (departure != null && takerOf(departure).isPresent()) {
            desk.release(place);
            if (departure.stage() == Stage.OWED && !outlives(departure.pod().uid(), desk)) {
                dropTaken(departure);
            }
        }
    }

    /** Its time is over, its node is gone, or the hold that it drew on took its room back. */
    void ended(Hold hold, Door.End why, Desk desk) {
        @Nullable PodUid uid = byHold.get(hold.id());
        @Nullable Departure departure = uid == null ? null : departures.get(uid);
        if (departure != null) {
            if (why == Door.End.DRAW_BROKEN) {
                departure.place().ifPresent(place -> {
                    String reason = Drawn.broken(place.node(), hold.draw(), desk);
                    complain(departure.pod(), "the reservation ended: " + reason, desk);
                });
            }
            drop(departure);
        }
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
        PodUid uid = departure.pod().uid();
        departures.remove(uid);
        reconciler.forget(uid);
        unnamed.remove(uid);
        departure.place().ifPresent(place -> {
            byHold.remove(place.hold().id());
            byName.remove(place.fullName(), uid);
        });
    }

    void settle(Desk desk) {
        boolean done = reconciler.forEachDue(desk, uid -> {
            @Nullable Departure departure = departures.get(uid);
            Optional<Place> place = departure == null ? Optional.empty() : departure.place();
            if (departure != null && place.isPresent()) {
                send(departure, place.get(), desk);
            } else {
                reconciler.forget(uid);
            }
        });
        if (done) {
            // In the next turn: whoever waits for a name must not keep others waiting for their turn.
            unnamed.forEach(reconciler::touch);
            unnamed.clear();
        }
    }

    /** Under a name that is still in use it waits until the other is gone, or takes another name if that will stay. */
    private void send(Departure departure, Place place, Desk desk) {
        Pod pod = departure.pod();
        Optional<Boolean> other = kept.stays(place.fullName(), desk);
        if (other.isEmpty()) {
            reconciler.reconcile(pod.uid(), desk).ifPresent(sent -> departure.stage(Stage.SENT));
        } else if (other.get() && place.name().equals(pod.name()) && unclaimed(place, desk)) {
            rename(departure, place, desk);
        } else {
            reconciler.postpone(pod.uid());
            unnamed.add(pod.uid());
        }
    }

    /** What is created has no version before it is there. */
    @Override
    public String version(PodUid pod) {
        return "";
    }

    @Override
    public Optional<ComebackWrite.Create> wanted(PodUid pod, Desk desk) {
        @Nullable Departure departure = departures.get(pod);
        return departure == null || departure.stage() == Stage.LEAVING || departure.abandoned()
                ? Optional.empty()
                : departure.place().map(place -> Departure.creation(departure.pod(), place));
    }

    @Override
    public Subject subject(ComebackWrite.Create write) {
        @Nullable Departure departure = departures.get(podOf(write));
        if (departure == null) {
            throw new IllegalStateException("pod (%s) left no place".formatted(podOf(write)));
        }
        return Subject.of(Effect.PodRef.of(departure.pod()));
    }

    @Override
    public String consequence(ComebackWrite.Create write) {
        return "The pod's place on node %s is kept until its time is over or Berth restarts.".formatted(write.node());
    }

    private static PodUid podOf(ComebackWrite.Create write) {
        return new PodUid(write.annotations().getOrDefault(Words.PLACEHOLDER_UID, ""));
    }

    /** A bind on its way names the place by its old name. */
    private static boolean unclaimed(Place place, Desk desk) {
        return desk.ledger()
                .holdState(place.hold().id())
                .filter(state -> !state.claims().isEmpty())
                .isEmpty();
    }

    private void rename(Departure departure, Place place, Desk desk) {
        String name = nameFor(departure.pod(), desk);
        Hold hold = Places.leaving(
                departure.pod(), name, place.hold().node(), place.hold().draw());
        drop(departure);
        desk.release(place.hold().id());
        Place renamed = new Place(name, hold, place.key(), place.node(), place.lifetime());
        departure.place(Optional.of(renamed));
        owe(departure, renamed, desk);
        send(departure, renamed, desk);
    }

    /** A place that is not written down yet stays open to its successor: the hold ends with its deadline. */
    void written(ComebackWrite.Create write, Outcome outcome, Desk desk) {
        PodUid uid = podOf(write);
        @Nullable Departure departure = departures.get(uid);
        if (departure == null || !reconciler.answered(uid, write, outcome, desk)) {
            return;
        }
        departure.stage(outcome.kind() == Outcome.Kind.WRITTEN ? Stage.WRITTEN : Stage.OWED);
        boolean settled = takerOf(departure).isPresent() && !outlives(uid, desk);
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

    Optional<Instant> nextWake() {
        return reconciler.nextWake();
    }

    /**
     * Pods whose place is not written down, and pods that took a place whose reservation does not show yet. Those that are
     * still there are not looked at: they may be many.
     */
    Set<PodUid> owed() {
        Set<PodUid> owed = new TreeSet<>();
        for (PodUid uid : listed ? byHold.values() : departures.keySet()) {
            @Nullable Departure departure = departures.get(uid);
            if (departure != null) {
                if (departure.owed()) {
                    owed.add(uid);
                }
                takerOf(departure).ifPresent(taker -> owed.add(taker.uid()));
            }
        }
        return owed;
    }
}
