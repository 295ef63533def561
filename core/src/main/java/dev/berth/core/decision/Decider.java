package dev.berth.core.decision;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Workload;
import dev.berth.core.hold.Claim;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.Origin;
import dev.berth.core.hold.Records;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.PodNews;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placement;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.filter.Hint;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.queue.Happening;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.queue.Wake;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Keeps the ledger by the facts it is told and decides which pod goes where. Pure: it has neither clock nor thread, and
 * what must be written comes back as {@link Effect}s. A placed pod is assumed at once; the watch's echo confirms it, and
 * an answer other than done takes it back ({@link #notBound}).
 */
public final class Decider {
    private static final Set<Hint> HELPED_BY_OTHER_LABELS =
            Set.of(Hint.NEIGHBOURS_CHANGED, Hint.HOLD_ADDED, Hint.HOLD_GONE, Hint.DEVICES_CHANGED);

    private static final int EXPIRED_AT_ONCE = 1_024;

    private final Ledger ledger;
    private final Placer placer;
    private final SchedulingQueue queue;
    private final Set<String> schedulerNames;
    private final Office office;
    private final Seekers seekers;
    private final Refusals refusals;
    private final Errands errands;
    private final HeldBack heldBack;
    private final Doors doors;
    private final Telling telling = new Telling();
    private final DecisionPieces pieces = new DecisionPieces();
    private final UnusedReservations unusedReservations;
    private AttemptObserver observer = AttemptObserver.NONE;

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
        this.office = new Office(ledger, placer, queue, this.schedulerNames);
        this.unusedReservations = new UnusedReservations(office.unusableHolds());
        this.seekers = new Seekers(office);
        this.errands = new Errands(office, this.schedulerNames);
        this.heldBack = new HeldBack(office, new HeldBack.Failure() {
            @Override
            public List<Effect> notBound(Effect.Bind bind, Optional<String> why, Instant now) {
                return Decider.this.notBound(bind, why, now);
            }

            @Override
            public void interrupted(PodUid pod, Instant now) {
                Decider.this.doors.interrupted(pod, now);
            }
        });
        this.doors = new Doors(doors, office, seekers, heldBack);
        this.refusals = new Refusals(office, seekers, this.doors);
    }

    /** Has somebody hear how attempts end; nobody but the latest hears. */
    public void observedBy(AttemptObserver whom) {
        observer = whom;
    }

    public Ledger ledger() {
        return ledger;
    }

    public SchedulingQueue queue() {
        return queue;
    }

    /** Takes in what the API server shows. */
    public void learn(Fact fact, Instant now) {
        doors.unsettle();
        if (fact instanceof Fact.PodSeen seen) {
            podSeen(seen.pod(), now);
        } else if (fact instanceof Fact.PodGone gone) {
            podGone(gone.uid(), now);
        } else if (fact instanceof Fact.DeletionsReplayed) {
            doors.deletionsReplayed();
        } else if (fact instanceof Fact.NodeSeen seen) {
            nodeSeen(seen.node(), now);
        } else if (fact instanceof Fact.NodeGone gone) {
            nodeGone(gone.uid(), now);
        } else if (fact instanceof Fact.WorkloadSeen seen) {
            workloadSeen(seen.workload(), now);
        } else if (fact instanceof Fact.WorkloadGone gone) {
            ledger.remove(gone.key());
            doors.workloadGone(gone.key(), now);
        } else if (fact instanceof Fact.NamespaceSeen seen) {
            namespacesChanged(ledger.put(seen.namespace()), now);
        } else if (fact instanceof Fact.NamespaceGone gone) {
            namespacesChanged(ledger.removeNamespace(gone.name()), now);
        } else if (fact instanceof Fact.HoldSeen seen) {
            office.put(seen.hold(), now);
        } else if (fact instanceof Fact.HoldGone gone) {
            office.remove(gone.id(), now);
        } else if (fact instanceof Fact.Together together) {
            together.facts().forEach(part -> learn(part, now));
        } else if (fact instanceof Fact.Unreadable unreadable) {
            office.write(new Effect.Announce(
                    unreadable.subject(), Effect.Announce.Kind.warning("Unreadable", "Reading"), unreadable.problem()));
        } else if (fact instanceof Fact.OfDoor news) {
            doors.named(news.door(), now).ifPresent(desk -> desk.door().learn(news, desk));
        }
    }

    private void workloadSeen(Workload workload, Instant now) {
        if (ledger.put(workload)) {
            doors.workloadSeen(workload, now);
        }
    }

    /**
     * Has a door do something that somebody asked of it.
     *
     * @throws IllegalStateException when the door is not open
     */
    public <T> T ask(Origin.Door name, Instant now, BiFunction<Door, Desk, T> question) {
        DoorDesk desk = doors.named(name, now)
                .orElseThrow(() -> new IllegalStateException("door (%s) is not open".formatted(name)));
        doors.unsettle();
        return question.apply(desk.door(), desk);
    }

    /** What became of something that a door wanted written. */
    public void written(Effect.Write write, Outcome outcome, Instant now) {
        doors.unsettle();
        doors.named(write.door(), now).ifPresent(desk -> desk.door().written(write, outcome, desk));
    }

    /** Lets the doors write what is to be written, now that everything was listed. Costs nothing when nothing changed. */
    public void settle(Instant now) {
        settle(now, Pace.UNBOUNDED);
    }

    /**
     * The same as far as there is time: what is left makes it {@link #unsettled}.
     *
     * @return whether all of it was done
     */
    public boolean settle(Instant now, Pace pace) {
        for (Hold hold : ledger.brokenDraws()) {
            office.remove(hold.id(), now);
            doors.ended(hold, Door.End.DRAW_BROKEN, now);
        }
        return doors.settle(now, pace);
    }

    /** The pods whose going has consequences that are not written yet: see {@link Door#owed}. */
    public Set<PodUid> owed() {
        return doors.owed();
    }

    /** What doors want written since this was last asked. */
    public List<Effect> takeEffects() {
        return office.takeEffects();
    }

    /** Lets time pass: back-offs end, and holds reach their deadline. */
    public void advance(Instant now) {
        advance(now, Pace.UNBOUNDED);
    }

    /** The same as far as there is time: holds that are left over are due at once. */
    public void advance(Instant now, Pace pace) {
        int most = pace == Pace.UNBOUNDED ? Integer.MAX_VALUE : EXPIRED_AT_ONCE;
        for (Hold hold : ledger.expiredAt(now, most)) {
            office.remove(hold.id(), now);
            doors.ended(hold, Door.End.DEADLINE, now);
            if (pace.timeIsUp()) {
                break;
            }
        }
        office.blockers().due(now).forEach(pod -> queue.reconsider(pod, now));
        queue.advance(now);
    }

    /** When {@link #advance} will next have something to do. */
    public Optional<Instant> nextWake() {
        return Wake.earlier(nextWakeWithoutDoors(), doors.nextWake());
    }

    /** The same as long as not everything was listed, when doors have to wait. */
    public Optional<Instant> nextWakeWithoutDoors() {
        return Wake.earlier(office.blockers().nextWake(), Wake.earlier(queue.nextWake(), ledger.nextDeadline()));
    }

    /** How many writes of the doors failed and wait for another try. */
    public int retrying() {
        return doors.retrying();
    }

    /** How many objects of the doors say something malformed. Only Reservations are counted. */
    public int invalid() {
        return doors.invalid();
    }

    /** Whether something happened since the doors were last asked to {@link #settle}. */
    public boolean unsettled() {
        return doors.unsettled();
    }

    /**
     * Decides on the most urgent pod.
     *
     * @return what to write for it, or empty when no pod is waiting to be decided on
     */
    public Optional<List<Effect>> next(Instant now) {
        return next(now, Pace.UNBOUNDED);
    }

    /** The same; a pod that takes more time stays next, and its decision goes on where it stopped. */
    public Optional<List<Effect>> next(Instant now, Pace pace) {
        return queue.take(now).map(uid -> {
            if (seekers.has(uid)) {
                doors.unsettle();
                seekers.decide(uid, refusals, now);
                return List.of();
            }
            return ledger.pod(uid).map(pod -> decide(pod, now, pace)).orElseGet(() -> {
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
        List<NodeState> known =
                nodes.stream().flatMap(name -> ledger.node(name).stream()).toList();
        Map<String, List<Veto>> vetoes = placer.vetoes(pod, known, HoldUse.PREFERRED);
        nodes.forEach(name -> vetoes.computeIfAbsent(name, unknown -> List.of(Veto.of(Veto.Code.UNKNOWN))));
        return vetoes;
    }

    /**
     * Has a pod of another scheduler bound to the node that this one chose, if the node takes it as things are: with the
     * hold that it may use there and the devices that it claims. The bind is among {@link #takeEffects}; nobody but who
     * wished it is told what became of it.
     */
    public Errand bind(PodUid uid, String node, Instant now) {
        return errands.bind(uid, node, (pod, placed) -> assume(pod, placed, now));
    }

    /** The bind is written. */
    public List<Effect> bound(Effect.Bind bind) {
        if (errands.over(bind)) {
            return List.of();
        }
        forgetMessage(bind.pod().uid());
        Effect scheduled = new Effect.Announce(
                bind.pod(),
                Effect.Announce.Kind.SCHEDULED,
                "Successfully assigned %s to %s".formatted(bind.pod(), bind.node()));
        return unusedReservations
                .bound(bind.pod())
                .map(notUsed -> List.of(scheduled, notUsed))
                .orElseGet(() -> List.of(scheduled));
    }

    /**
     * The bind came to nothing: its room is free again and the pod is decided on anew after its back-off.
     *
     * @param why what to tell the pod's author, or empty where it is nobody's fault: a conflict resolves itself
     */
    public List<Effect> notBound(Effect.Bind bind, Optional<String> why, Instant now) {
        PodUid uid = bind.pod().uid();
        Optional<Pod> pod = ledger.pod(uid);
        boolean errand = errands.over(bind);
        if (!errand) {
            queue.attempt(uid).ifPresent(attempt -> observer.failed(bind.pod(), attempt));
        }
        unusedReservations.forget(uid);
        forget(uid, now);
        queue.failed(uid, now);
        pod.ifPresent(left -> office.roomFreed(bind.node(), left, now));
        return !errand && pod.isPresent() && why.isPresent()
                ? telling.tell(pod.get(), Effect.MarkUnscheduled.Reason.SCHEDULER_ERROR, why.get(), now)
                : List.of();
    }

    /** What was to be told did not reach anybody and is not tried again: it is told anew when it is still true then. */
    public void untold(Effect effect) {
        if (effect instanceof Effect.MarkUnscheduled mark) {
            telling.untold(mark.pod().uid(), mark.message());
        } else if (effect instanceof Effect.Announce announcement) {
            if (announcement.subject().isPod()) {
                telling.eventUntold(new PodUid(announcement.subject().uid()), announcement.note());
            }
            office.overcommittedNodes().untold(announcement);
        }
    }

    /** Whether the pod is there and neither bound nor assumed anywhere. */
    public boolean isUnplaced(PodUid uid) {
        return ledger.pod(uid).isPresent() && ledger.placeOf(uid).isEmpty();
    }

    /** Nothing was sent: the decision is taken back as if it had not been made. */
    public void withdraw(Effect.Bind bind, Instant now) {
        Optional<Pod> pod = ledger.pod(bind.pod().uid());
        errands.over(bind);
        unusedReservations.forget(bind.pod().uid());
        forget(bind.pod().uid(), now);
        queue.giveBack(bind.pod().uid());
        pod.ifPresent(left -> office.roomFreed(bind.node(), left, now));
    }

    private List<Effect> decide(Pod pod, Instant now, Pace pace) {
        Placement placement = placer.placeWithin(pod, HoldUse.PREFERRED, pieces.next(pod.uid(), pace)::timeIsUp);
        if (placement == Placement.Unfinished.INSTANCE) {
            queue.giveBack(pod.uid());
            return List.of();
        }
        pieces.finished();
        if (placement instanceof Placement.Placed placed) {
            unusedReservations.placed(pod, placed);
            Effect.Bind bind = assume(pod, placed, now);
            if (doors.holdBack(pod, placed, now)) {
                heldBack.add(bind);
                return List.of();
            }
            return List.of(bind);
        }
        Placement.Refused refused = (Placement.Refused) placement;
        Help help = doors.unplaced(pod, refused, now);
        Set<Hint> hints = EnumSet.copyOf(refused.hints());
        hints.addAll(help.later());
        refusals.await(pod, hints, HoldUse.PREFERRED, now);
        observer.refused(pod, refused);
        return telling.tell(pod, Effect.MarkUnscheduled.Reason.UNSCHEDULABLE, office.message(pod, refused, help), now);
    }

    private Effect.Bind assume(Pod pod, Placement.Placed placed, Instant now) {
        Map<String, String> promised = ClaimRecord.of(ledger, placed.hold());
        promised.putAll(doors.grant(pod, placed, now));
        ledger.assume(pod.uid(), placed.nodeUid(), placed.hold(), Labels.of(promised));
        placed.hold().ifPresent(hold -> doors.claimsChanged(hold, now));
        arrived(placed.nodeName(), pod, now);
        Map<String, String> record = new TreeMap<>(Records.erasing(pod));
        record.putAll(promised);
        return new Effect.Bind(Effect.PodRef.of(pod), placed.nodeName(), record);
    }

    private void nodeSeen(Node node, Instant now) {
        Optional<NodeState> before = ledger.node(node.name());
        ledger.put(node).forEach(hold -> lost(hold, now));
        before.map(NodeState::node)
                .filter(older -> !older.uid().equals(node.uid()))
                .ifPresent(older -> doors.nodeGone(older, now));
        ledger.node(node.name())
                .filter(after -> before.filter(it -> it.generation() == after.generation())
                        .isEmpty())
                .ifPresent(after -> queue.happened(new Happening.NodeChanged(before, after), now));
        doors.nodeSeen(node, now);
    }

    private void nodeGone(NodeUid uid, Instant now) {
        Optional<Node> node = ledger.node(uid).map(NodeState::node);
        ledger.removeNode(uid).forEach(hold -> lost(hold, now));
        node.ifPresent(gone -> doors.nodeGone(gone, now));
        node.ifPresent(gone -> queue.happened(new Happening.NodeGone(gone), now));
    }

    private void namespacesChanged(boolean news, Instant now) {
        if (news) {
            queue.happened(new Happening.NamespacesChanged(), now);
        }
    }

    private void lost(Hold hold, Instant now) {
        office.removed(hold, now);
        doors.ended(hold, Door.End.NODE_GONE, now);
    }

    private void podSeen(Pod pod, Instant now) {
        Optional<Pod> before = ledger.pod(pod.uid());
        Optional<String> wasOn = ledger.placeOf(pod.uid());
        Optional<Claim> claimed = ledger.claimBy(pod.uid());
        PodNews news = ledger.put(pod);
        if (news == PodNews.STALE || news == PodNews.SAME) {
            return;
        }
        if (oursToPlace(pod)) {
            queue.offer(pod, now);
            before.ifPresent(known -> reconsider(known, pod, now));
        } else {
            queue.remove(pod.uid());
            forgetMessage(pod.uid());
        }
        Optional<Claim> claims = ledger.claimBy(pod.uid());
        doors.claimsChanged(claimed, now);
        if (!sameHold(claimed, claims)) {
            doors.claimsChanged(claims, now);
        }
        office.falseRecords().podSeen(pod);
        doors.podSeen(before, pod.phase().terminal() ? withRecord(pod, claimed) : pod, now);
        moved(before.orElse(pod), pod, wasOn, now);
        if (!sameHold(claimed, claims)) {
            claimMoved(claimed, claims, now);
        }
    }

    private void forgetMessage(PodUid pod) {
        telling.forget(pod);
        office.blockers().forget(pod);
    }

    private static boolean sameHold(Optional<Claim> one, Optional<Claim> other) {
        return one.map(Claim::hold).equals(other.map(Claim::hold));
    }

    private void forget(PodUid uid, Instant now) {
        doors.unsettle();
        Optional<Claim> claimed = ledger.claimBy(uid);
        ledger.forget(uid);
        doors.claimsChanged(claimed, now);
    }

    /** Labels, annotations and the controller decide which holds and devices the pod may use, and what others are to it. */
    private void reconsider(Pod before, Pod after, Instant now) {
        if (!before.shape().equals(after.shape())) {
            queue.reconsider(after.uid(), now);
        } else if (!before.labels().equals(after.labels())
                || !before.annotations().equals(after.annotations())
                || !before.controller().equals(after.controller())) {
            queue.reconsider(after.uid(), HELPED_BY_OTHER_LABELS, now);
        }
    }

    /** Tells the queue what the news means to others: room came free, or somebody took a place. */
    private void moved(Pod before, Pod pod, Optional<String> wasOn, Instant now) {
        Optional<String> isOn = ledger.placeOf(pod.uid());
        boolean needsOther = !before.shape().requests().equals(pod.shape().requests());
        if (wasOn.isPresent() && (needsOther || !wasOn.equals(isOn))) {
            office.roomFreed(wasOn.get(), before, now);
        }
        if (!isOn.equals(wasOn)) {
            isOn.ifPresent(node -> arrived(node, pod, now));
        } else if (isOn.isPresent() && !sameToOthers(before, pod)) {
            queue.happened(new Happening.PodChanged(before, pod), now);
        }
    }

    private void arrived(String node, Pod pod, Instant now) {
        ledger.node(node).ifPresent(state -> queue.happened(new Happening.PodArrived(state, pod), now));
    }

    private static boolean sameToOthers(Pod before, Pod after) {
        return before.labels().equals(after.labels()) && before.terminating() == after.terminating();
    }

    private void podGone(PodUid uid, Instant now) {
        Optional<String> wasOn = ledger.placeOf(uid);
        Optional<Claim> claimed = ledger.claimBy(uid);
        Optional<Pod> pod = ledger.removePod(uid);
        queue.remove(uid);
        forgetMessage(uid);
        unusedReservations.forget(uid);
        doors.claimsChanged(claimed, now);
        pod.ifPresent(office.falseRecords()::podGone);
        pod.ifPresent(gone -> doors.podGone(believed(gone, claimed), now));
        if (pod.isPresent() && wasOn.isPresent()) {
            office.roomFreed(wasOn.get(), pod.get(), now);
        }
    }

    /** The pod that is gone, without a record that its hold did not believe. */
    private Pod believed(Pod gone, Optional<Claim> claimed) {
        boolean isFalse = claimed.isEmpty()
                && !gone.phase().terminal()
                && Claim.recordedOn(gone).flatMap(ledger::hold).isPresent();
        return isFalse ? Claim.withoutRecord(gone) : withRecord(gone, claimed);
    }

    /** Doors read from the record what a pod used that ended; its author may have edited that. */
    private static Pod withRecord(Pod ended, Optional<Claim> claimed) {
        return claimed.map(claim -> Claim.rewrite(ended, claim.hold())).orElse(ended);
    }

    /** A hold that has lost a claim takes another pod. */
    private void claimMoved(Optional<Claim> before, Optional<Claim> after, Instant now) {
        Stream.of(before, after)
                .flatMap(Optional::stream)
                .map(Claim::hold)
                .flatMap(id -> ledger.hold(id).stream())
                .forEach(hold -> office.holdChanged(hold, now));
    }

    private boolean oursToPlace(Pod pod) {
        return pod.waits() && schedulerNames.contains(pod.schedulerName());
    }
}
