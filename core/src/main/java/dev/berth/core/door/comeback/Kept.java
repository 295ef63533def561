package dev.berth.core.door.comeback;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.decision.Desk;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Subject;
import dev.berth.core.door.comeback.ComebackWrite.Taker;
import dev.berth.core.door.comeback.PlaceId.PodKey;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.ReturnKey;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.queue.Wake;
import dev.berth.core.reconcile.Reconciler;
import dev.berth.core.reconcile.Source;
import dev.berth.core.reconcile.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The reservations that the API server shows: each is a hold as long as its place is neither taken nor over, and then
 * it is marked and deleted. All of it follows from the reservation, the nodes and the records on pods.
 */
final class Kept implements Source<String, ComebackWrite> {
    private final Takers takers;
    private final Duration usual;
    private final Checkpoint checkpoint;
    private final KeptIndex index = new KeptIndex();
    private final KeptAgain keptAgain;
    private final Reconciler<String, ComebackWrite> reconciler = new Reconciler<>(this);
    /** Those whose place was taken, until that is written; some of them longer. */
    private final TreeSet<String> taken = new TreeSet<>();

    /** By UID, those that Berth is not known to have written, until all doors have put their holds after the start. */
    private final ByAge unproven = new ByAge();

    private final WaitingReservations waiting = new WaitingReservations();

    /** By UID, those whose time ended while the bind of a pod into the place is under way: its outcome decides how they end. */
    private final Set<String> binding = new TreeSet<>();

    private final Timers<String> deadlines = new Timers<>();
    private Consumer<PodKey> placeChanged = podKey -> {};
    private boolean listed;
    /** All doors have put their holds since the start. */
    private boolean begun;

    Kept(Petitions petitions, Takers takers, Duration usual, Checkpoint checkpoint) {
        this.takers = takers;
        this.usual = usual;
        this.checkpoint = checkpoint;
        this.keptAgain = new KeptAgain(index, petitions, checkpoint, usual);
    }

    /** Has the listener told of each pod, by namespace and UID, about whose place something changed. */
    void onChange(Consumer<PodKey> listener) {
        placeChanged = listener;
    }

    /** Everything was listed. Gives what the Reservations say as it counts from now on. */
    List<Placeholder> listed(NamedPods namedPods, Desk desk) {
        Predicate<KeptEntry> isProven = Proofs.of(index.all(), checkpoint, desk);
        for (KeptEntry entry : List.copyOf(index.all())) {
            index.put(entry, namedPods.listed(entry.seen, isProven.test(entry), desk));
        }
        return index.all().stream().map(entry -> entry.seen).toList();
    }

    /**
     * Everything was listed: what was heard of until now can be judged. Reservations that Berth is known to have written
     * are put back. Of these, Reservations whose end could be lost with the process before come last: a place that draws
     * can be over without a word, and the room of an older place may be that of a newer one.
     */
    void begin(RoomGivenAway room, Desk desk) {
        listed = true;
        Predicate<Placeholder> isDeleted = index.hasSets() ? StatefulSets.deleted(desk.ledger()) : placeholder -> false;
        index.all().forEach(entry -> entry.doomed |= isDeleted.test(entry.seen));
        Predicate<KeptEntry> isProven = Proofs.of(index.all(), checkpoint, desk);
        List<KeptEntry> all = new ArrayList<>(index.all());
        all.sort(Comparator.<KeptEntry, Boolean>comparing(
                        entry -> entry.seen.draw().isPresent())
                .thenComparing(entry -> entry.seen.created(), Comparator.reverseOrder())
                .thenComparing(entry -> entry.seen.uid()));
        for (KeptEntry entry : all) {
            if (isProven.test(entry)) {
                entry.seen.pod().ifPresent(pod -> checkpoint.prove(pod, entry.seen.uid()));
                judge(entry, desk, desk::hold);
                if (room.test(entry.seen.holdId(), entry.seen.created(), desk)) {
                    endGivenAway(entry, desk);
                }
            } else {
                unproven.add(entry.seen);
            }
        }
    }

    private void endGivenAway(KeptEntry entry, Desk desk) {
        entry.roomGivenAway = true;
        judge(entry, desk);
        entry.announceFailure(RoomGivenAway.words(entry.seen.node()), desk);
    }

    /**
     * All doors have put their holds. Reservations that Berth is not known to have written keep what is left, the older ones
     * first. Those without room wait: that their room was given away cannot be told from that they never had any.
     *
     * @return whether the doors have to settle again
     */
    boolean settleLast(Desk desk) {
        boolean put = judgeUnproven(desk);
        if (begun && !waiting.isEmpty()) {
            put |= waiting.tryDue(desk, uid -> tryAgain(find(uid), desk));
        }
        return put;
    }

    /** There may be thousands of them: no pod is decided on before they are judged, in however many turns. */
    private boolean judgeUnproven(Desk desk) {
        boolean any = false;
        boolean isTime = true;
        while (!unproven.isEmpty() && isTime) {
            unproven.poll().flatMap(index::find).ifPresent(entry -> judge(entry, desk));
            any = true;
            isTime = !desk.timeIsUp();
        }
        begun |= unproven.isEmpty();
        return any;
    }

    /** Says whether it keeps something now, or something else than before. */
    private boolean tryAgain(KeptEntry entry, Desk desk) {
        Placeholder wanted = entry.wanted();
        Optional<Hold> hold = holdOf(entry, wanted, desk);
        HoldId before = entry.seen.holdId();
        if (hold.isEmpty()) {
            // The edit asks for nothing any more, or for a node that was replaced.
            waiting.remove(entry.seen.uid());
            judge(entry, desk);
            return true;
        }
        if (NoRoom.isPossible(wanted, hold.get(), before, desk) && desk.holdIfRoom(hold.get(), before)) {
            index.put(entry, wanted);
            touchTakers(wanted);
            found(entry);
            return true;
        }
        return false;
    }

    private void found(KeptEntry entry) {
        entry.found();
        waiting.remove(entry.seen.uid());
    }

    void put(Placeholder news, Desk desk) {
        boolean known = index.find(news.uid()).isPresent();
        if (listed && !begun && !known) {
            unproven.add(news);
        }
        KeptEntry entry = index.find(news.uid()).orElseGet(() -> new KeptEntry(news));
        Placeholder placeholder = entry.lastReadable(news, desk);
        if (known && listed && keeps(entry, desk)) {
            placeholder = edited(entry, placeholder, desk);
        } else if (!entry.seen.holdId().equals(placeholder.holdId())) {
            release(entry, desk);
        }
        index.put(entry, placeholder);
        touchTakers(placeholder);
        judge(entry, desk);
    }

    private boolean keeps(KeptEntry entry, Desk desk) {
        return !entry.unheld && desk.ledger().hold(entry.seen.holdId()).isPresent();
    }

    /** The Reservation as it counts after an edit: as before it where there is no room for the edit. */
    private Placeholder edited(KeptEntry entry, Placeholder placeholder, Desk desk) {
        HoldId before = entry.seen.holdId();
        Optional<Hold> hold = holdOf(entry, placeholder, desk);
        if (hold.isPresent() && !desk.holdIfRoom(hold.get(), before)) {
            waiting.add(placeholder);
            return entry.lacksRoomFor(placeholder, desk);
        }
        if (hold.isEmpty() && !before.equals(placeholder.holdId())) {
            desk.release(before);
        }
        found(entry);
        return placeholder;
    }

    /** A Reservation that keeps nothing may have the id of a place that a pod left. */
    private static void release(KeptEntry entry, Desk desk) {
        if (!entry.unheld) {
            desk.release(entry.seen.holdId());
        }
    }

    /** Whether the node has no room for the Reservation, so that it keeps nothing. */
    boolean lacksRoom(String uid) {
        return index.find(uid).filter(entry -> entry.unheld).isPresent();
    }

    private void touchTakers(Placeholder taken) {
        taken.leftBy().ifPresent(this::touchTakers);
    }

    private void touchTakers(PodKey podKey) {
        placeChanged.accept(podKey);
        index.takersOf(podKey).forEach(reconciler::touch);
    }

    /** Somebody deleted it, or this door did: there is nothing to come back to any more. */
    Optional<Placeholder> remove(String uid, Desk desk) {
        Optional<KeptEntry> gone = index.remove(uid);
        gone.ifPresent(entry -> {
            touchTakers(entry.seen);
            reconciler.forget(uid);
            deadlines.clear(uid);
            waiting.remove(uid);
            binding.remove(uid);
            unproven.remove(uid);
            disprove(entry);
            release(entry, desk);
        });
        return gone.map(entry -> entry.seen);
    }

    /** The StatefulSet was deleted: nobody will come back to what its pods left. */
    void setDeleted(Workload.Key set, Desk desk) {
        index.ofSet(set.namespace(), set.name()).forEach(entry -> abandon(entry, desk));
    }

    /** Nobody will come back to it. */
    void abandon(String uid, Desk desk) {
        abandon(find(uid), desk);
    }

    private void abandon(KeptEntry entry, Desk desk) {
        entry.doomed = true;
        judge(entry, desk);
    }

    boolean knows(HoldId place) {
        return index.find(place).isPresent();
    }

    /** The Reservation that keeps the place. */
    Optional<Subject> subject(HoldId place) {
        return index.find(place).map(entry -> entry.seen.subject());
    }

    /** Whether the Reservation is known to stand for this pod. */
    boolean standsFor(String uid, String podUid) {
        return index.find(uid)
                .filter(entry -> entry.seen.podUid().equals(podUid))
                .isPresent();
    }

    /** The Reservation that stands for the pod, as it is wanted, as long as no pod took its place. */
    Optional<Placeholder> untakenOf(PodKey pod) {
        return index.ofPod(pod).filter(entry -> takerOf(entry).isEmpty()).map(KeptEntry::wanted);
    }

    /** Whether the place that the pod left has been written down. A Reservation without room may not be Berth's. */
    boolean knowsPod(PodKey pod) {
        return index.ofPod(pod).filter(entry -> !entry.unheld).isPresent();
    }

    /**
     * Whether there is a reservation of this name, and if so, whether it will stay for a while. One that shows as
     * terminating waits for a finalizer, and nothing says how long.
     */
    Optional<Boolean> stays(String fullName, Desk desk) {
        return index.named(fullName)
                .map(entry -> entry.seen.terminating()
                        || !isOver(entry, desk.now())
                        || keptAgain.isPrevented(entry, checkpoint::keeps, desk));
    }

    void taken(HoldId place, Desk desk) {
        index.find(place).ifPresent(entry -> judge(entry, desk));
    }

    void ended(Hold hold, Door.End why) {
        index.find(hold.id()).filter(entry -> !entry.unheld).ifPresent(entry -> {
            switch (why) {
                case DEADLINE -> entry.expire();
                case NODE_GONE -> entry.doomed = true;
                case DRAW_BROKEN -> entry.drawBroken = true;
            }
            reconciler.touch(entry.seen.uid());
        });
    }

    void nodeSeen(Node node, Desk desk) {
        index.waitingFor(node.name()).forEach(entry -> judge(entry, desk));
    }

    /** Those that wait for room there wait for another node of this name, or are over. */
    void nodeGone(Node node) {
        waiting.nodeChanged(node.name());
    }

    private void judge(KeptEntry entry, Desk desk) {
        judge(entry, desk, hold -> keepIfRoom(entry, hold, desk));
    }

    /** @param keep puts the hold, if there is one */
    private void judge(KeptEntry entry, Desk desk, Consumer<Hold> keep) {
        String uid = entry.seen.uid();
        reconciler.touch(uid);
        if (takerOf(entry).isPresent()) {
            taken.add(uid);
        }
        if (!listed || unproven.contains(uid)) {
            return;
        }
        index.house(entry);
        holdOf(entry, entry.seen, desk).ifPresentOrElse(keep, () -> {
            release(entry, desk);
            waiting.remove(uid);
        });
    }

    private void keepIfRoom(KeptEntry entry, Hold hold, Desk desk) {
        if (!desk.holdIfRoom(hold, hold.id())) {
            entry.lacksRoom(desk);
            waiting.add(entry.seen);
        } else if (entry.unheld) {
            found(entry);
        }
    }

    /** @param seen the reservation as it counts, or as an edit wants it */
    private Optional<Hold> holdOf(KeptEntry entry, Placeholder seen, Desk desk) {
        boolean mute = seen.problem().isEmpty() && !seen.occupies();
        if (mute || isOver(entry, desk.now())) {
            return Optional.empty();
        }
        if (!seen.shortcoming().isEmpty()) {
            entry.complain(seen.shortcoming(), desk);
            return Optional.empty();
        }
        Optional<Node> node = desk.ledger().node(seen.node()).map(NodeState::node);
        boolean known = !seen.nodeUid().isEmpty();
        if (known && node.filter(it -> it.uid().value().equals(seen.nodeUid())).isEmpty()) {
            entry.doomed = true;
            return Optional.empty();
        }
        if (node.isEmpty()) {
            index.unhouse(entry);
            entry.complain(
                    "spec.nodename (%s): there is no such node. The Reservation keeps nothing until the node exists."
                            .formatted(seen.node()),
                    desk);
            return Optional.empty();
        }
        return Optional.of(Places.kept(seen, node.get().uid(), seen.deadline(usual)));
    }

    private Optional<Taker> takerOf(KeptEntry entry) {
        Placeholder seen = entry.seen;
        if (seen.key().isEmpty()) {
            return Optional.empty();
        }
        ReturnKey key = new ReturnKey(seen.namespace(), seen.key());
        return takers.of(seen.holdId(), seen.node(), key).or(() -> takers.of(seen.ownHoldId(), seen.node(), key));
    }

    private boolean isOver(KeptEntry entry, Instant now) {
        return entry.isAbandoned() || entry.seen.matched() || takerOf(entry).isPresent() || isLate(entry, now);
    }

    private boolean isLate(KeptEntry entry, Instant now) {
        return entry.isLate(usual, now);
    }

    void settle(Desk desk) {
        deadlines.expired(desk.now()).forEach(reconciler::touch);
        binding.forEach(reconciler::touch);
        binding.clear();
        reconciler.forEachDue(
                desk, uid -> index.find(uid).ifPresentOrElse(entry -> next(entry, desk), () -> reconciler.forget(uid)));
    }

    int retrying() {
        return reconciler.retrying();
    }

    Optional<Instant> nextWake() {
        return Wake.earlier(waiting.nextWake(), Wake.earlier(deadlines.next(), reconciler.nextWake()));
    }

    private void next(KeptEntry entry, Desk desk) {
        Placeholder seen = entry.seen;
        if (entry.drawBroken && isOver(entry, desk.now())) {
            entry.announceFailure(Drawn.broken(seen.node(), seen.draw(), desk), desk);
        }
        if (isOver(entry, desk.now()) && !entry.lostItsRoom()) {
            disprove(entry);
        }
        Optional<ComebackWrite> sent = reconciler.reconcile(seen.uid(), desk);
        if (isBinding(entry, desk)) {
            binding.add(seen.uid());
            return;
        }
        boolean late = isLate(entry, desk.now());
        if (late && isUntaken(entry)) {
            entry.announceEnd(ExpiryMessage.of(entry, desk), desk);
        }
        if (sent.isEmpty() && desk.ledger().hold(seen.holdId()).isEmpty()) {
            // The ledger wakes nobody for what is not in it.
            Instant end = late ? keptAgain.until(seen, desk) : seen.deadline(usual);
            deadlines.set(seen.uid(), end.isAfter(desk.now()) ? end : Instant.MAX);
        }
    }

    private boolean isUntaken(KeptEntry entry) {
        return !entry.isAbandoned() && !entry.seen.matched() && takerOf(entry).isEmpty();
    }

    /** Whether its time is over and a pod that was placed there before is not bound yet. */
    private boolean isBinding(KeptEntry entry, Desk desk) {
        return isLate(entry, desk.now())
                && isUntaken(entry)
                && Takers.isBinding(entry.seen.holdId(), entry.seen.node(), desk.ledger());
    }

    private void disprove(KeptEntry entry) {
        entry.seen.pod().ifPresent(pod -> checkpoint.disprove(pod, entry.seen.uid()));
    }

    /** The pod is gone or no longer in the checkpoint: its reservation, and that of its place's taker, may go. */
    void podForgotten(PodKey podKey) {
        index.ofPod(podKey).ifPresent(entry -> reconciler.touch(entry.seen.uid()));
        touchTakers(podKey);
    }

    /** These writes ask for the object's UID, not for its version. */
    @Override
    public String version(String uid) {
        return "";
    }

    @Override
    public Optional<ComebackWrite> wanted(String uid, Desk desk) {
        KeptEntry entry = find(uid);
        Placeholder seen = entry.seen;
        if (seen.terminating() || !isOver(entry, desk.now()) || isBinding(entry, desk)) {
            return Optional.empty();
        }
        Optional<Taker> taker = takerOf(entry);
        boolean toMark = !seen.matched() && !entry.marked && !entry.doomed && !isLate(entry, desk.now());
        if (taker.isPresent() && toMark) {
            return Optional.of(new ComebackWrite.Match(seen.namespace(), seen.name(), seen.uid(), taker.get()));
        }
        return keptAgain.isPrevented(entry, checkpoint::has, desk)
                ? Optional.empty()
                : Optional.of(new ComebackWrite.Delete(seen.namespace(), seen.name(), seen.uid()));
    }

    /** Whether a process that knows of no taker would keep the place that the pod left. */
    boolean mayBeKeptAgain(PodKey podKey) {
        return keptAgain.isPossible(podKey);
    }

    @Override
    public Subject subject(ComebackWrite write) {
        return index.named(Placeholder.fullName(write.namespace(), write.name()))
                .map(entry -> entry.seen.subject())
                .orElseThrow(() -> new IllegalStateException("reservation (%s) is not known".formatted(write.name())));
    }

    @Override
    public String consequence(ComebackWrite write) {
        return "The Reservation keeps no room any more.";
    }

    /** Pods that took a place of which that is not written yet: their own record goes with them. */
    Set<PodUid> owed() {
        Set<PodUid> owed = new TreeSet<>();
        taken.removeIf(uid -> !owes(uid));
        taken.forEach(uid -> takerOf(find(uid)).ifPresent(taker -> owed.add(taker.uid())));
        return owed;
    }

    private boolean owes(String uid) {
        return index.find(uid)
                .filter(entry -> !entry.durable
                        && !entry.seen.matched()
                        && !entry.seen.terminating()
                        && takerOf(entry).isPresent())
                .isPresent();
    }

    void written(ComebackWrite.Match write, Outcome outcome, Desk desk) {
        index.find(write.uid()).ifPresent(entry -> {
            entry.marked |= outcome.kind() == Outcome.Kind.WRITTEN || outcome.kind() == Outcome.Kind.GONE;
            answered(entry, write, outcome, desk);
        });
    }

    void written(ComebackWrite.Delete write, Outcome outcome, Desk desk) {
        index.find(write.uid()).ifPresent(entry -> answered(entry, write, outcome, desk));
    }

    private void answered(KeptEntry entry, ComebackWrite write, Outcome outcome, Desk desk) {
        entry.durable |= outcome.kind() == Outcome.Kind.WRITTEN;
        reconciler.answered(entry.seen.uid(), write, outcome, desk);
    }

    private KeptEntry find(String uid) {
        return index.find(uid)
                .orElseThrow(() -> new IllegalStateException("reservation (%s) is not known".formatted(uid)));
    }
}
