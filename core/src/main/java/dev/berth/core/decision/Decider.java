package dev.berth.core.decision;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Assumption;
import dev.berth.core.ledger.HoldState;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerView;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.PodNews;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.queue.Happening;
import dev.berth.core.queue.Remedy;
import dev.berth.core.queue.SchedulingQueue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Keeps the ledger by the facts it is told and decides which pod goes where. Pure: it has neither clock nor thread, and
 * what must be written comes back as {@link Effect}s. A placed pod is assumed at once; the watch's echo confirms it, and
 * an answer other than done takes it back ({@link #notBound}).
 */
public final class Decider {
    private final Ledger ledger;
    private final Placer placer;
    private final SchedulingQueue queue;
    private final Set<String> schedulerNames;
    private final Doors doors;
    private final Telling telling = new Telling();
    /** What doors seek places for, which no API server knows as pods. */
    private final Map<PodUid, Seeker> seekers = new HashMap<>();
    /** Binds that are on their way because somebody else wished them. */
    private final Map<PodUid, Effect.Bind> errands = new HashMap<>();
    /** What doors want written since somebody last asked. */
    private final List<Effect> fromDoors = new ArrayList<>();

    private boolean unsettled = true;

    public Decider(Ledger ledger, Placer placer, SchedulingQueue queue, Set<String> schedulerNames) {
        this(ledger, placer, queue, schedulerNames, List.of());
    }

    public Decider(
            Ledger ledger,
            Placer placer,
            SchedulingQueue queue,
            Set<String> schedulerNames,
            List<? extends Door> doors) {
        this.ledger = ledger;
        this.placer = placer;
        this.queue = queue;
        this.schedulerNames = Set.copyOf(schedulerNames);
        this.doors = new Doors(doors);
    }

    private record Seeker(Door door, Pod pod) {}

    public Ledger ledger() {
        return ledger;
    }

    public SchedulingQueue queue() {
        return queue;
    }

    /** Takes in what the API server shows. */
    public void learn(Fact fact, Instant now) {
        unsettled = true;
        if (fact instanceof Fact.PodSeen seen) {
            podSeen(seen.pod(), now);
        } else if (fact instanceof Fact.PodGone gone) {
            podGone(gone.uid(), now);
        } else if (fact instanceof Fact.NodeSeen seen) {
            nodeSeen(seen.node(), now);
        } else if (fact instanceof Fact.NodeGone gone) {
            nodeGone(gone.uid(), now);
        } else if (fact instanceof Fact.WorkloadSeen seen) {
            ledger.put(seen.workload());
        } else if (fact instanceof Fact.WorkloadGone gone) {
            ledger.remove(gone.key());
        } else if (fact instanceof Fact.NamespaceSeen seen) {
            ledger.put(seen.namespace());
        } else if (fact instanceof Fact.NamespaceGone gone) {
            ledger.removeNamespace(gone.name());
        } else if (fact instanceof Fact.HoldSeen seen) {
            holdSeen(seen.hold(), now);
        } else if (fact instanceof Fact.HoldGone gone) {
            holdGone(gone.id(), now);
        } else if (fact instanceof Fact.Together together) {
            together.facts().forEach(part -> learn(part, now));
        } else if (fact instanceof Fact.OfDoor news) {
            doors.named(news.door()).ifPresent(door -> door.learn(news, desk(door, now)));
        }
    }

    /**
     * Has a door do something that somebody asked of it.
     *
     * @throws IllegalStateException when the door is not open
     */
    public <T> T ask(Origin.Door name, Instant now, BiFunction<Door, Desk, T> question) {
        Door door =
                doors.named(name).orElseThrow(() -> new IllegalStateException("door (%s) is not open".formatted(name)));
        unsettled = true;
        return question.apply(door, desk(door, now));
    }

    /** What became of something that a door wanted written. */
    public void written(Effect.Write write, Outcome outcome, Instant now) {
        unsettled = true;
        doors.named(write.door()).ifPresent(door -> door.written(write, outcome, desk(door, now)));
    }

    /** Lets the doors write what is to be written, now that everything was listed. Costs nothing when nothing changed. */
    public void settle(Instant now) {
        boolean due = doors.nextWake().filter(wake -> !wake.isAfter(now)).isPresent();
        if (unsettled || due) {
            unsettled = false;
            tellDoors(now, Door::settle);
        }
    }

    /** The pods whose going has consequences that are not written yet: see {@link Door#owed}. */
    public Set<PodUid> owed() {
        Set<PodUid> owed = new TreeSet<>();
        doors.all().forEach(door -> owed.addAll(door.owed()));
        return owed;
    }

    /** What doors want written since this was last asked. */
    public List<Effect> takeEffects() {
        List<Effect> taken = List.copyOf(fromDoors);
        fromDoors.clear();
        return taken;
    }

    /** Lets time pass: back-offs end, and holds reach their deadline. */
    public void advance(Instant now) {
        for (Hold hold : ledger.expiredAt(now)) {
            holdGone(hold.id(), now);
            ended(hold, Door.End.DEADLINE, now);
        }
        queue.advance(now);
    }

    /** When {@link #advance} will next have something to do. */
    public Optional<Instant> nextWake() {
        return Stream.of(nextWakeWithoutDoors(), doors.nextWake())
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    /** The same as long as not everything was listed, when doors have to wait. */
    public Optional<Instant> nextWakeWithoutDoors() {
        return Stream.of(queue.nextWake(), ledger.nextDeadline())
                .flatMap(Optional::stream)
                .min(Instant::compareTo);
    }

    /** Whether something happened since the doors were last asked to {@link #settle}. */
    public boolean unsettled() {
        return unsettled;
    }

    /**
     * Decides on the most urgent pod.
     *
     * @return what to write for it, or empty when no pod is waiting to be decided on
     */
    public Optional<List<Effect>> next(Instant now) {
        return queue.take().map(uid -> {
            Seeker seeker = seekers.get(uid);
            if (seeker != null) {
                decide(seeker, now);
                return List.of();
            }
            return ledger.pod(uid).map(pod -> decide(pod, now)).orElseGet(() -> {
                queue.remove(uid);
                return List.of();
            });
        });
    }

    /**
     * Why each of the nodes does not take the pod as things are; none for those that do. What is known of the pod counts
     * before what is given.
     */
    public Map<String, List<Veto>> vetoes(Pod given, List<String> nodes) {
        Pod pod = ledger.pod(given.uid()).orElse(given);
        Map<String, List<Veto>> vetoes = new TreeMap<>();
        for (String name : nodes) {
            vetoes.put(
                    name,
                    ledger.node(name)
                            .map(node -> placer.vetoes(pod, node, HoldUse.PREFERRED))
                            .orElseGet(() -> List.of(Veto.of(Veto.Code.UNKNOWN))));
        }
        return vetoes;
    }

    /**
     * Has a pod of another scheduler bound to the node that this one chose, if the node takes it as things are: with the
     * hold that it may use there and the devices that it claims. The bind is among {@link #takeEffects}; nobody but who
     * wished it is told what became of it.
     */
    public Errand bind(PodUid uid, String node, Instant now) {
        Optional<Pod> known = ledger.pod(uid);
        Optional<NodeState> state = ledger.node(node);
        if (known.isEmpty() || state.isEmpty()) {
            return new Errand.Refused(
                    known.isEmpty()
                            ? "pod of UID %s is not known".formatted(uid)
                            : "node %s is not known".formatted(node));
        }
        Pod pod = known.get();
        Optional<String> is = nodeOf(uid);
        if (is.isPresent()) {
            return again(pod, is.get(), node);
        }
        if (schedulerNames.contains(pod.schedulerName())) {
            return new Errand.Refused(
                    "pod %s is Berth's own to place: its scheduler is %s".formatted(pod, pod.schedulerName()));
        }
        if (pod.terminating() || pod.phase().terminal()) {
            return new Errand.Refused("pod %s is on its way out".formatted(pod));
        }
        Placement placement = placer.placeOn(pod, state.get(), HoldUse.PREFERRED);
        if (placement instanceof Placement.Refused refused) {
            return new Errand.Refused(refused.summary());
        }
        Effect.Bind bind = assume(pod, (Placement.Placed) placement, now);
        errands.put(uid, bind);
        fromDoors.add(bind);
        return new Errand.Sent(bind);
    }

    private Errand again(Pod pod, String is, String wanted) {
        Effect.Bind sent = errands.get(pod.uid());
        if (!is.equals(wanted)) {
            return new Errand.Refused("pod %s is already assigned to node %s".formatted(pod, is));
        }
        return sent == null || pod.nodeName().isPresent() ? new Errand.There() : new Errand.Sent(sent);
    }

    /** The bind is written. */
    public List<Effect> bound(Effect.Bind bind) {
        if (errands.remove(bind.pod().uid(), bind)) {
            return List.of();
        }
        telling.forget(bind.pod().uid());
        return List.of(new Effect.Announce(
                bind.pod(),
                Effect.Announce.Kind.SCHEDULED,
                "Successfully assigned %s to %s".formatted(bind.pod(), bind.node())));
    }

    /**
     * The bind came to nothing: its room is free again and the pod is decided on anew after its back-off.
     *
     * @param why what to tell the pod's author, or empty where it is nobody's fault: a conflict resolves itself
     */
    public List<Effect> notBound(Effect.Bind bind, Optional<String> why, Instant now) {
        PodUid uid = bind.pod().uid();
        Optional<Pod> pod = ledger.pod(uid);
        boolean errand = errands.remove(uid, bind);
        forget(uid, now);
        queue.failed(uid, now);
        pod.ifPresent(left -> roomFreed(bind.node(), left, now));
        return !errand && pod.isPresent() && why.isPresent()
                ? telling.tell(pod.get(), Effect.MarkUnscheduled.Reason.SCHEDULER_ERROR, why.get(), now)
                : List.of();
    }

    /** What was to be told did not reach anybody and is not tried again: it is told anew when it is still true then. */
    public void untold(Effect effect) {
        if (effect instanceof Effect.MarkUnscheduled mark) {
            telling.untold(mark.pod().uid(), mark.message());
        } else if (effect instanceof Effect.Announce announcement
                && announcement.subject().isPod()) {
            telling.untold(new PodUid(announcement.subject().uid()), announcement.note());
        }
    }

    /** Whether the pod is there and neither bound nor assumed anywhere. */
    public boolean isUnplaced(PodUid uid) {
        return ledger.pod(uid).isPresent() && nodeOf(uid).isEmpty();
    }

    /** Nothing was sent: the decision is taken back as if it had not been made. */
    public void withdraw(Effect.Bind bind, Instant now) {
        Optional<Pod> pod = ledger.pod(bind.pod().uid());
        errands.remove(bind.pod().uid(), bind);
        forget(bind.pod().uid(), now);
        queue.giveBack(bind.pod().uid());
        pod.ifPresent(left -> roomFreed(bind.node(), left, now));
    }

    private List<Effect> decide(Pod pod, Instant now) {
        Placement placement = placer.place(pod);
        if (placement instanceof Placement.Placed placed) {
            return List.of(assume(pod, placed, now));
        }
        Placement.Refused refused = (Placement.Refused) placement;
        queue.refused(pod.uid(), remedy(pod.uid(), refused, HoldUse.PREFERRED), now);
        return telling.tell(pod, Effect.MarkUnscheduled.Reason.UNSCHEDULABLE, refused.summary(), now);
    }

    private Effect.Bind assume(Pod pod, Placement.Placed placed, Instant now) {
        Map<String, String> granted = granted(pod, placed, now);
        ledger.assume(pod.uid(), placed.nodeUid(), placed.hold(), Labels.of(granted));
        placed.hold().ifPresent(hold -> claimsChanged(hold, now));
        Map<String, String> record = record(placed);
        record.putAll(granted);
        return new Effect.Bind(Effect.PodRef.of(pod), placed.nodeName(), record);
    }

    private Map<String, String> granted(Pod pod, Placement.Placed placed, Instant now) {
        Map<String, String> granted = new TreeMap<>();
        tellDoors(now, (door, desk) -> granted.putAll(door.grant(pod, placed, desk)));
        return granted;
    }

    private void decide(Seeker seeker, Instant now) {
        unsettled = true;
        PodUid uid = seeker.pod.uid();
        Placement placement = placer.place(seeker.pod, HoldUse.NONE);
        if (placement instanceof Placement.Placed placed) {
            seeker.door.placed(seeker.pod, placed, desk(seeker.door, now));
        } else if (placement instanceof Placement.Refused refused) {
            queue.refused(uid, remedy(uid, refused, HoldUse.NONE), now);
            seeker.door.refused(seeker.pod, refused, desk(seeker.door, now));
        }
    }

    /** The pod is asked for when something happened: it may have changed since it was refused. */
    private Remedy remedy(PodUid uid, Placement.Refused refused, HoldUse use) {
        return new RefusalRemedy(
                uid,
                refused.hints(),
                node -> waiting(uid).map(pod -> placer.vetoes(pod, node, use)).orElse(List.of()));
    }

    private Optional<Pod> waiting(PodUid uid) {
        Seeker seeker = seekers.get(uid);
        return seeker == null ? ledger.pod(uid) : Optional.of(seeker.pod);
    }

    /** In words of ours, which are the same for every door, and in those of the door whose hold it is. */
    private Map<String, String> record(Placement.Placed placed) {
        Map<String, String> record = new TreeMap<>();
        placed.hold().flatMap(ledger::holdState).map(HoldState::hold).ifPresent(hold -> {
            record.putAll(hold.record());
            record.put(Claim.ANNOTATION, hold.id().value());
        });
        return record;
    }

    private void nodeSeen(Node node, Instant now) {
        Optional<NodeState> before = ledger.node(node.name());
        ledger.put(node).forEach(hold -> lost(hold, now));
        before.map(NodeState::node)
                .filter(older -> !older.uid().equals(node.uid()))
                .ifPresent(older -> tellDoors(now, (door, desk) -> door.nodeGone(older, desk)));
        ledger.node(node.name())
                .filter(after -> before.filter(it -> it.generation() == after.generation())
                        .isEmpty())
                .ifPresent(after -> queue.happened(new Happening.NodeChanged(before, after), now));
        tellDoors(now, (door, desk) -> door.nodeSeen(node, desk));
    }

    private void nodeGone(NodeUid uid, Instant now) {
        Optional<Node> node = ledger.node(uid).map(NodeState::node);
        ledger.removeNode(uid).forEach(hold -> lost(hold, now));
        node.ifPresent(gone -> tellDoors(now, (door, desk) -> door.nodeGone(gone, desk)));
    }

    private void lost(Hold hold, Instant now) {
        holdChanged(hold, now);
        ended(hold, Door.End.NODE_GONE, now);
    }

    private void ended(Hold hold, Door.End why, Instant now) {
        unsettled = true;
        doors.of(hold).ifPresent(door -> door.ended(hold, why, desk(door, now)));
    }

    private void podSeen(Pod pod, Instant now) {
        Optional<Pod> before = ledger.pod(pod.uid());
        Optional<String> wasOn = nodeOf(pod.uid());
        Optional<Claim> claimed = ledger.claimBy(pod.uid());
        PodNews news = ledger.put(pod);
        if (news == PodNews.STALE || news == PodNews.SAME) {
            return;
        }
        if (oursToPlace(pod)) {
            queue.offer(pod, now);
            if (before.isPresent() && !sameToPlacement(before.get(), pod)) {
                queue.reconsider(pod.uid(), now);
            }
        } else {
            queue.remove(pod.uid());
            telling.forget(pod.uid());
        }
        Optional<Claim> claims = ledger.claimBy(pod.uid());
        claimsChanged(claimed, now);
        if (!sameHold(claimed, claims)) {
            claimsChanged(claims, now);
        }
        tellDoors(now, (door, desk) -> door.podSeen(before, pod, desk));
        moved(before.orElse(pod), pod, wasOn, now);
        claimSeen(claimed, claims, now);
    }

    private static boolean sameHold(Optional<Claim> one, Optional<Claim> other) {
        return one.map(Claim::hold).equals(other.map(Claim::hold));
    }

    private void claimsChanged(Optional<Claim> claim, Instant now) {
        claim.ifPresent(it -> claimsChanged(it.hold(), now));
    }

    private void claimsChanged(HoldId id, Instant now) {
        unsettled = true;
        ledger.holdState(id)
                .map(HoldState::hold)
                .flatMap(doors::of)
                .ifPresent(door -> door.claimsChanged(id, desk(door, now)));
    }

    private void forget(PodUid uid, Instant now) {
        unsettled = true;
        Optional<Claim> claimed = ledger.claimBy(uid);
        ledger.forget(uid);
        claimsChanged(claimed, now);
    }

    /** Labels and annotations too: they decide which holds the pod may use. */
    private static boolean sameToPlacement(Pod before, Pod after) {
        return before.shape().equals(after.shape())
                && before.labels().equals(after.labels())
                && before.annotations().equals(after.annotations());
    }

    /** Tells the queue what the news means to others: room came free, or somebody took a place. */
    private void moved(Pod before, Pod pod, Optional<String> wasOn, Instant now) {
        Optional<String> isOn = nodeOf(pod.uid());
        boolean needsOther = !before.shape().requests().equals(pod.shape().requests());
        if (wasOn.isPresent() && (needsOther || !wasOn.equals(isOn))) {
            roomFreed(wasOn.get(), before, now);
        }
        if (!isOn.equals(wasOn)) {
            isOn.flatMap(ledger::node).ifPresent(node -> queue.happened(new Happening.PodArrived(node, pod), now));
        }
    }

    private void podGone(PodUid uid, Instant now) {
        Optional<String> wasOn = nodeOf(uid);
        Optional<Claim> claimed = ledger.claimBy(uid);
        Optional<Pod> pod = ledger.removePod(uid);
        queue.remove(uid);
        telling.forget(uid);
        claimsChanged(claimed, now);
        pod.ifPresent(gone -> tellDoors(now, (door, desk) -> door.podGone(gone, desk)));
        if (pod.isPresent() && wasOn.isPresent()) {
            roomFreed(wasOn.get(), pod.get(), now);
        }
    }

    /** Where the pod takes room, bound or assumed. */
    private Optional<String> nodeOf(PodUid uid) {
        return ledger.pod(uid)
                .filter(pod -> !pod.phase().terminal())
                .flatMap(pod -> pod.nodeName().or(() -> ledger.assumption(uid).map(Assumption::nodeName)));
    }

    private void holdGone(HoldId id, Instant now) {
        ledger.removeHold(id).ifPresent(hold -> holdChanged(hold, now));
    }

    /** A hold for once gives its remainder back when its claim is confirmed, and all of it when the claim is gone. */
    private void claimSeen(Optional<Claim> before, Optional<Claim> after, Instant now) {
        if (!before.equals(after)) {
            Stream.of(before, after)
                    .flatMap(Optional::stream)
                    .map(Claim::hold)
                    .distinct()
                    .flatMap(id -> ledger.hold(id).stream())
                    .forEach(hold -> holdChanged(hold, now));
        }
    }

    /** A hold that moved gives its room free where it was. */
    private void holdSeen(Hold hold, Instant now) {
        Optional<Hold> before = ledger.hold(hold.id());
        ledger.put(hold);
        before.filter(known -> !known.node().equals(hold.node())).ifPresent(known -> holdChanged(known, now));
        holdChanged(hold, now);
    }

    private void holdChanged(Hold hold, Instant now) {
        queue.happened(new Happening.HoldChanged(hold, ledger.node(hold.node())), now);
    }

    private void roomFreed(String node, Pod pod, Instant now) {
        ledger.node(node).ifPresent(state -> queue.happened(new Happening.PodLeft(state, pod), now));
    }

    private boolean oursToPlace(Pod pod) {
        return pod.nodeName().isEmpty()
                && !pod.terminating()
                && !pod.phase().terminal()
                && schedulerNames.contains(pod.schedulerName());
    }

    private void tellDoors(Instant now, BiConsumer<Door, Desk> news) {
        doors.all().forEach(door -> news.accept(door, desk(door, now)));
    }

    private Desk desk(Door door, Instant now) {
        return new DoorDesk(door, now);
    }

    private final class DoorDesk implements Desk {
        private final Door door;
        private final Instant now;

        private DoorDesk(Door door, Instant now) {
            this.door = door;
            this.now = now;
        }

        @Override
        public Instant now() {
            return now;
        }

        @Override
        public LedgerView ledger() {
            return ledger;
        }

        @Override
        public void hold(Hold hold) {
            if (hold.origin().door() != door.name()) {
                throw new IllegalArgumentException("door (%s) puts a hold of another: %s".formatted(door.name(), hold));
            }
            if (!ledger.hold(hold.id()).equals(Optional.of(hold))) {
                holdSeen(hold, now);
            }
        }

        @Override
        public void release(HoldId hold) {
            holdGone(hold, now);
        }

        @Override
        public void write(Effect effect) {
            fromDoors.add(effect);
        }

        @Override
        public void seek(Pod seeker) {
            Seeker before = seekers.put(seeker.uid(), new Seeker(door, seeker));
            queue.offer(seeker, now);
            if (before != null && !before.pod.equals(seeker)) {
                queue.reconsider(seeker.uid(), now);
            }
        }

        @Override
        public void seekAgain(PodUid seeker) {
            queue.failed(seeker, now);
        }

        @Override
        public void stopSeeking(PodUid seeker) {
            if (seekers.remove(seeker) != null) {
                queue.remove(seeker);
            }
        }

        @Override
        public void news() {
            queue.happened(new Happening.DoorNews(door.name()), now);
        }

        @Override
        public List<Veto> vetoes(Pod pod, String node, HoldUse use) {
            return ledger.node(node)
                    .map(state -> placer.vetoes(pod, state, use))
                    .orElse(List.of());
        }
    }
}
