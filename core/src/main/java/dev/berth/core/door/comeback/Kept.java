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
import dev.berth.core.door.comeback.ComebackWrite.Taker;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The reservations that the API server shows: each is a hold as long as its place is neither taken nor over, and then
 * it is marked and deleted. All of it follows from the reservation, the nodes and the records on pods.
 */
final class Kept implements Source<String, ComebackWrite> {
    private static final class Entry {
        private Placeholder seen;
        /** The API server took the mark, or says that there is no such object: what is left is to delete it. */
        private boolean marked;
        /** The API server took a write which outlives the record of the pod that took the place. */
        private boolean durable;
        /** Its author was told that its time is over. */
        private boolean endTold;
        /** Its node or its StatefulSet is gone. */
        private boolean doomed;
        /** The hold that it drew on gives less, and the node has no room for the rest. */
        private boolean drawBroken;
        /** Its room was given to other pods before this process started. */
        private boolean roomGivenAway;

        private String told = "";
        /** What is wrong since an edit; what was read before it counts. */
        private String spoiled = "";

        private Entry(Placeholder seen) {
            this.seen = seen;
        }
    }

    private final Petitions petitions;
    private final Takers takers;
    private final Duration usual;
    private final Checkpoint checkpoint;
    private final Map<String, Entry> entries = new HashMap<>();
    private final Map<String, Entry> byName = new HashMap<>();
    private final Map<HoldId, Entry> byHold = new HashMap<>();
    private final Map<String, Entry> byPod = new HashMap<>();
    /** By the pod that left a place, the reservations of pods that took that place. */
    private final Map<String, Set<String>> byTaken = new HashMap<>();
    /** By the StatefulSet whose pods left them. */
    private final Map<String, Set<String>> bySet = new HashMap<>();

    private final Reconciler<String, ComebackWrite> reconciler = new Reconciler<>(this);
    /** Those whose node has not been heard of, by its name. */
    private final Map<String, TreeSet<String>> homeless = new HashMap<>();

    /** Those whose place was taken, until that is written; some of them longer. */
    private final TreeSet<String> taken = new TreeSet<>();

    private final Timers<String> deadlines = new Timers<>();
    private Consumer<String> placeChanged = podKey -> {};
    private boolean listed;

    Kept(Petitions petitions, Takers takers, Duration usual, Checkpoint checkpoint) {
        this.petitions = petitions;
        this.takers = takers;
        this.usual = usual;
        this.checkpoint = checkpoint;
    }

    /** Has the listener told of each pod, by namespace and UID, about whose place something changed. */
    void onChange(Consumer<String> listener) {
        placeChanged = listener;
    }

    /**
     * Everything was listed: what was heard of until now can be judged. Reservations whose end could be lost with the
     * process before come last: a place that draws can be over without a word, and the room of an older place may be that
     * of a newer one.
     */
    void begin(RoomGivenAway room, Desk desk) {
        listed = true;
        Predicate<Placeholder> isDeleted = bySet.isEmpty() ? placeholder -> false : StatefulSets.deleted(desk.ledger());
        entries.values().forEach(entry -> entry.doomed |= isDeleted.test(entry.seen));
        List<Entry> all = new ArrayList<>(entries.values());
        all.sort(Comparator.<Entry, Boolean>comparing(entry -> entry.seen.draw().isPresent())
                .thenComparing(entry -> entry.seen.created(), Comparator.reverseOrder())
                .thenComparing(entry -> entry.seen.uid()));
        for (Entry entry : all) {
            judge(entry, desk);
            HoldId place = entry.seen.holdId();
            if (!isByHand(place) && room.test(place, entry.seen.created(), desk)) {
                entry.roomGivenAway = true;
                judge(entry, desk);
                announceFailure(entry, RoomGivenAway.words(entry.seen.node()), desk);
            }
        }
    }

    /** Whether a person wrote the Reservation of the hold: it stands for no pod that left. */
    boolean isByHand(HoldId place) {
        @Nullable Entry entry = byHold.get(place);
        return entry != null && entry.seen.podUid().isEmpty();
    }

    void put(Placeholder news, Desk desk) {
        Entry entry = entries.computeIfAbsent(news.uid(), uid -> new Entry(news));
        Placeholder placeholder = lastReadable(entry, news, desk);
        unfile(entry);
        if (!entry.seen.holdId().equals(placeholder.holdId())) {
            desk.release(entry.seen.holdId());
        }
        entry.seen = placeholder;
        byName.put(placeholder.fullName(), entry);
        byHold.put(placeholder.holdId(), entry);
        if (!placeholder.podUid().isEmpty()) {
            byPod.put(podKey(placeholder.namespace(), placeholder.podUid()), entry);
        }
        if (!placeholder.statefulSet().isEmpty()) {
            bySet.computeIfAbsent(
                            StatefulSets.key(placeholder.namespace(), placeholder.statefulSet()),
                            key -> new TreeSet<>())
                    .add(placeholder.uid());
        }
        placeholder
                .taken()
                .ifPresent(took -> byTaken.computeIfAbsent(takenKey(placeholder, took), key -> new TreeSet<>())
                        .add(placeholder.uid()));
        touchTakers(placeholder);
        judge(entry, desk);
    }

    /** As an object that cannot be read at all, one that is edited into something malformed stays as it was last read. */
    private static Placeholder lastReadable(Entry entry, Placeholder news, Desk desk) {
        Placeholder before = entry.seen;
        if (news.problem().isEmpty() || !before.problem().isEmpty()) {
            entry.spoiled = "";
            return news;
        }
        if (!entry.spoiled.equals(news.problem())) {
            entry.spoiled = news.problem();
            String note = "The Reservation keeps the place as before the edit until Berth restarts, and then nothing: ";
            Petitions.complain(news.subject(), note + news.problem(), desk);
        }
        String phase = news.phase().isEmpty() ? before.phase() : news.phase();
        return before.toBuilder().terminating(news.terminating()).phase(phase).build();
    }

    private static String takenKey(Placeholder placeholder, Placeholder.Took took) {
        return podKey(placeholder.namespace(), Placeholder.podOf(took.place()));
    }

    private void touchTakers(Placeholder taken) {
        touchTakers(podKey(taken.namespace(), taken.podUid()));
    }

    private void touchTakers(String podKey) {
        placeChanged.accept(podKey);
        byTaken.getOrDefault(podKey, Set.of()).forEach(reconciler::touch);
    }

    /** Somebody deleted it, or this door did: there is nothing to come back to any more. */
    Optional<Placeholder> remove(String uid, Desk desk) {
        Entry entry = entries.remove(uid);
        if (entry == null) {
            return Optional.empty();
        }
        unfile(entry);
        touchTakers(entry.seen);
        reconciler.forget(uid);
        deadlines.clear(uid);
        desk.release(entry.seen.holdId());
        return Optional.of(entry.seen);
    }

    private void unfile(Entry entry) {
        byName.remove(entry.seen.fullName(), entry);
        byHold.remove(entry.seen.holdId(), entry);
        byPod.remove(podKey(entry.seen.namespace(), entry.seen.podUid()), entry);
        house(entry);
        entry.seen.taken().ifPresent(took -> removeFrom(byTaken, takenKey(entry.seen, took), entry.seen.uid()));
        removeFrom(bySet, StatefulSets.key(entry.seen.namespace(), entry.seen.statefulSet()), entry.seen.uid());
    }

    private static void removeFrom(Map<String, Set<String>> index, String key, String uid) {
        index.computeIfPresent(key, (same, uids) -> {
            uids.remove(uid);
            return uids.isEmpty() ? null : uids;
        });
    }

    /** The StatefulSet was deleted: nobody will come back to what its pods left. */
    void setDeleted(Workload.Key set, Desk desk) {
        for (String uid : List.copyOf(bySet.getOrDefault(StatefulSets.key(set.namespace(), set.name()), Set.of()))) {
            abandon(uid, desk);
        }
    }

    /** Nobody will come back to it. */
    void abandon(String uid, Desk desk) {
        Entry entry = find(uid);
        entry.doomed = true;
        judge(entry, desk);
    }

    private void house(Entry entry) {
        homeless.computeIfPresent(entry.seen.node(), (node, uids) -> {
            uids.remove(entry.seen.uid());
            return uids.isEmpty() ? null : uids;
        });
    }

    boolean knows(HoldId place) {
        return byHold.containsKey(place);
    }

    /** The Reservation that keeps the place. */
    Optional<Subject> subject(HoldId place) {
        return Optional.ofNullable(byHold.get(place)).map(entry -> entry.seen.subject());
    }

    /** Whether the place that the pod left has been written down. */
    boolean knowsPod(String namespace, String podUid) {
        return byPod.containsKey(podKey(namespace, podUid));
    }

    /** Whether there is a reservation of this name, and if so, whether it will stay for a while. */
    Optional<Boolean> stays(String fullName, Desk desk) {
        return Optional.ofNullable(byName.get(fullName))
                .map(entry -> !isOver(entry, desk.now()) || isNeeded(entry, checkpoint::keeps, desk));
    }

    void taken(HoldId place, Desk desk) {
        Entry entry = byHold.get(place);
        if (entry != null) {
            judge(entry, desk);
        }
    }

    void ended(Hold hold, Door.End why) {
        Entry entry = byHold.get(hold.id());
        if (entry != null) {
            entry.doomed |= why == Door.End.NODE_GONE;
            entry.drawBroken |= why == Door.End.DRAW_BROKEN;
            reconciler.touch(entry.seen.uid());
        }
    }

    void nodeSeen(Node node, Desk desk) {
        for (String uid : List.copyOf(homeless.getOrDefault(node.name(), new TreeSet<>()))) {
            judge(find(uid), desk);
        }
    }

    private void judge(Entry entry, Desk desk) {
        reconciler.touch(entry.seen.uid());
        if (takerOf(entry).isPresent()) {
            taken.add(entry.seen.uid());
        }
        if (!listed) {
            return;
        }
        house(entry);
        Optional<Hold> hold = holdOf(entry, desk);
        hold.ifPresentOrElse(desk::hold, () -> desk.release(entry.seen.holdId()));
    }

    private Optional<Hold> holdOf(Entry entry, Desk desk) {
        Placeholder seen = entry.seen;
        boolean mute = seen.problem().isEmpty() && !seen.occupies();
        if (mute || isOver(entry, desk.now())) {
            return Optional.empty();
        }
        if (!seen.shortcoming().isEmpty()) {
            tell(entry, seen.shortcoming(), desk);
            return Optional.empty();
        }
        Optional<Node> node = desk.ledger().node(seen.node()).map(NodeState::node);
        boolean known = !seen.nodeUid().isEmpty();
        if (known && node.filter(it -> it.uid().value().equals(seen.nodeUid())).isEmpty()) {
            entry.doomed = true;
            return Optional.empty();
        }
        if (node.isEmpty()) {
            homeless.computeIfAbsent(seen.node(), same -> new TreeSet<>()).add(seen.uid());
            tell(entry, "spec.nodename (%s) is no node: nothing is kept before it is".formatted(seen.node()), desk);
            return Optional.empty();
        }
        return Optional.of(Places.kept(seen, node.get().uid(), seen.deadline(usual)));
    }

    private void tell(Entry entry, String words, Desk desk) {
        if (!entry.told.equals(words)) {
            entry.told = words;
            Petitions.complain(entry.seen.subject(), words, desk);
        }
    }

    private Optional<Taker> takerOf(Entry entry) {
        Placeholder seen = entry.seen;
        return seen.key().isEmpty()
                ? Optional.empty()
                : takers.of(seen.holdId(), seen.node(), new ReturnKey(seen.namespace(), seen.key()));
    }

    private boolean isOver(Entry entry, Instant now) {
        return entry.doomed
                || entry.drawBroken
                || entry.roomGivenAway
                || entry.seen.terminating()
                || entry.seen.matched()
                || takerOf(entry).isPresent()
                || isLate(entry, now);
    }

    private boolean isLate(Entry entry, Instant now) {
        return !entry.seen.deadline(usual).isAfter(now);
    }

    void settle(Desk desk) {
        deadlines.expired(desk.now()).forEach(reconciler::touch);
        reconciler.forEachDue(
                desk,
                uid -> Optional.ofNullable(entries.get(uid))
                        .ifPresentOrElse(entry -> next(entry, desk), () -> reconciler.forget(uid)));
    }

    Optional<Instant> nextWake() {
        return Wake.earlier(deadlines.next(), reconciler.nextWake());
    }

    private void next(Entry entry, Desk desk) {
        Placeholder seen = entry.seen;
        if (entry.drawBroken && isOver(entry, desk.now())) {
            announceFailure(entry, Drawn.broken(seen.node(), seen.draw(), desk), desk);
        }
        Optional<ComebackWrite> sent = reconciler.reconcile(seen.uid(), desk);
        boolean late = isLate(entry, desk.now());
        if (late && isUnused(entry) && !entry.endTold) {
            entry.endTold = true;
            announceEnd(seen, desk);
        }
        if (sent.isEmpty() && desk.ledger().hold(seen.holdId()).isEmpty()) {
            // The ledger wakes nobody for what is not in it.
            Instant end = late ? keptAgainUntil(seen, desk) : seen.deadline(usual);
            deadlines.set(seen.uid(), end.isAfter(desk.now()) ? end : Instant.MAX);
        }
    }

    /** Whether it kept the place to its end, and nobody came. */
    private boolean isUnused(Entry entry) {
        boolean endedBefore = entry.doomed || entry.drawBroken || entry.roomGivenAway || entry.seen.terminating();
        return !endedBefore && !entry.seen.matched() && takerOf(entry).isEmpty();
    }

    /** Until when a process that starts and finds no reservation would keep the place of a pod that is still there. */
    private Instant keptAgainUntil(Placeholder seen, Desk desk) {
        return Optional.of(seen.podUid())
                .filter(uid -> !uid.isEmpty())
                .flatMap(uid -> desk.ledger().pod(new PodUid(uid)))
                .flatMap(pod -> pod.deletion().map(at -> at.plus(petitions.lifetime(pod))))
                .orElse(Instant.MIN);
    }

    /** The pod is gone or no longer in the checkpoint: its reservation, and that of its place's taker, may go. */
    void podForgotten(String namespace, PodUid pod) {
        @Nullable Entry entry = byPod.get(podKey(namespace, pod.value()));
        if (entry != null) {
            reconciler.touch(entry.seen.uid());
        }
        touchTakers(podKey(namespace, pod.value()));
    }

    private static void announceFailure(Entry entry, String why, Desk desk) {
        String note = "the reservation ended: " + why;
        if (!entry.told.equals(note)) {
            entry.told = note;
            desk.write(new Effect.Announce(
                    entry.seen.subject(), Effect.Announce.Kind.warning("ReservationFailed", "Releasing"), note));
        }
    }

    /** These writes ask for the object's UID, not for its version. */
    @Override
    public String version(String uid) {
        return "";
    }

    @Override
    public Optional<ComebackWrite> wanted(String uid, Desk desk) {
        Entry entry = find(uid);
        Placeholder seen = entry.seen;
        if (seen.terminating() || !isOver(entry, desk.now())) {
            return Optional.empty();
        }
        Optional<Taker> taker = takerOf(entry);
        boolean toMark = !seen.matched() && !entry.marked && !entry.doomed && !isLate(entry, desk.now());
        if (taker.isPresent() && toMark) {
            return Optional.of(new ComebackWrite.Match(seen.namespace(), seen.name(), seen.uid(), taker.get()));
        }
        return isNeeded(entry, checkpoint::has, desk)
                ? Optional.empty()
                : Optional.of(new ComebackWrite.Delete(seen.namespace(), seen.name(), seen.uid()));
    }

    /**
     * Whether, without the reservation, a successor of this process would keep a place again that is over or taken: that of
     * the pod that left, or that which this pod had taken itself.
     */
    private boolean isNeeded(Entry entry, Predicate<PodUid> checkpointed, Desk desk) {
        Placeholder seen = entry.seen;
        Predicate<PodUid> isThere = pod -> desk.ledger()
                .pod(pod)
                .filter(it -> it.terminating() && isKeptAgain(it, entry, desk.now()))
                .isPresent();
        Predicate<PodUid> leaves = checkpointed.or(isThere);
        return (!seen.podUid().isEmpty() && leaves.test(new PodUid(seen.podUid())))
                || seen.taken()
                        .filter(took -> isUnmarked(takenKey(seen, took))
                                || leaves.test(new PodUid(Placeholder.podOf(took.place()))))
                        .isPresent();
    }

    /** The place of a pod that finished is kept for the rest of its time only, as a process that starts counts it. */
    private boolean isKeptAgain(Pod pod, Entry entry, Instant now) {
        return (pod.phase().terminal() && pod.deletion().isPresent())
                ? !petitions.remaining(pod, now).isZero()
                : !isLate(entry, now);
    }

    /** Whether a process that knows of no taker would keep the place that the pod left. */
    boolean mayBeKeptAgain(String podKey) {
        return isUnmarked(podKey) || checkpoint.has(new PodUid(podKey.substring(podKey.indexOf('/') + 1)));
    }

    /** Whether a reservation of the pod is there and does not say that it was taken. */
    private boolean isUnmarked(String podKey) {
        @Nullable Entry entry = byPod.get(podKey);
        return entry != null && !entry.seen.matched() && !entry.seen.terminating();
    }

    @Override
    public Subject subject(ComebackWrite write) {
        return Optional.ofNullable(byName.get(Placeholder.fullName(write.namespace(), write.name())))
                .map(entry -> entry.seen.subject())
                .orElseThrow(() -> new IllegalStateException("reservation (%s) is not known".formatted(write.name())));
    }

    @Override
    public String consequence(ComebackWrite write) {
        return "The Reservation keeps no room any more.";
    }

    private void announceEnd(Placeholder seen, Desk desk) {
        desk.write(new Effect.Announce(
                seen.subject(),
                Effect.Announce.Kind.normal("TimeOut", "Releasing"),
                "nobody came back to node %s in time: its room is free again".formatted(seen.node())));
    }

    /** Pods that took a place of which that is not written yet: their own record goes with them. */
    Set<PodUid> owed() {
        Set<PodUid> owed = new TreeSet<>();
        taken.removeIf(uid -> !owes(uid));
        taken.forEach(uid -> takerOf(find(uid)).ifPresent(taker -> owed.add(taker.uid())));
        return owed;
    }

    private boolean owes(String uid) {
        @Nullable Entry entry = entries.get(uid);
        return entry != null
                && !entry.durable
                && !entry.seen.matched()
                && !entry.seen.terminating()
                && takerOf(entry).isPresent();
    }

    void written(ComebackWrite.Match write, Outcome outcome, Desk desk) {
        @Nullable Entry entry = entries.get(write.uid());
        if (entry != null) {
            entry.marked |= outcome.kind() == Outcome.Kind.WRITTEN || outcome.kind() == Outcome.Kind.GONE;
            answered(entry, write, outcome, desk);
        }
    }

    void written(ComebackWrite.Delete write, Outcome outcome, Desk desk) {
        @Nullable Entry entry = entries.get(write.uid());
        if (entry != null) {
            answered(entry, write, outcome, desk);
        }
    }

    private void answered(Entry entry, ComebackWrite write, Outcome outcome, Desk desk) {
        entry.durable |= outcome.kind() == Outcome.Kind.WRITTEN;
        reconciler.answered(entry.seen.uid(), write, outcome, desk);
    }

    private Entry find(String uid) {
        @Nullable Entry entry = entries.get(uid);
        if (entry == null) {
            throw new IllegalStateException("reservation (%s) is not known".formatted(uid));
        }
        return entry;
    }

    static String podKey(String namespace, String podUid) {
        return namespace + "/" + podUid;
    }
}
