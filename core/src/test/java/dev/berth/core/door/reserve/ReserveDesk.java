package dev.berth.core.door.reserve;

import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.decision.Pace;
import dev.berth.core.door.reserve.ReserveRequest.Seat;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.ManualClock;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Berth with this door alone, and an API server that keeps Hold objects: what is written is kept at {@link #write} and
 * seen at {@link #echo}; {@link #restart} forgets all but what the API server keeps.
 */
final class ReserveDesk {
    static final String BATCH = "batch";
    /** The API server knows no later time. */
    static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

    final ManualClock clock = new ManualClock();
    final Map<String, HoldFact.Seen> objects = new TreeMap<>();
    final List<String> events = new ArrayList<>();
    final List<String> logged = new ArrayList<>();
    /** Objects that somebody edited into something malformed. */
    private final Map<String, HoldFact.Malformed> malformed = new TreeMap<>();

    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<PodUid, Pod> pods = new TreeMap<>();
    private final Deque<HoldWrite> unwritten = new ArrayDeque<>();
    private final Deque<Fact> unseen = new ArrayDeque<>();
    private final ReserveSettings settings;
    private Decider decider;
    private int created;
    private Optional<Outcome> refusal = Optional.empty();
    private Pace pace = Pace.UNBOUNDED;
    private int turns = 1;

    ReserveDesk() {
        this(ReserveSettings.DEFAULT);
    }

    ReserveDesk(ReserveSettings settings) {
        this.settings = settings;
        this.decider = decider();
    }

    private Decider decider() {
        Ledger ledger = new Ledger();
        return new Decider(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackOff.DEFAULT),
                Set.of("berth-scheduler"),
                List.of(new ReserveDoor(settings, logged::add)));
    }

    /** What a caller of the door has heard so far. */
    static final class Call {
        private final List<ReserveAnswer> heard = new ArrayList<>();

        Optional<ReserveAnswer> answer() {
            return heard.stream().findFirst();
        }
    }

    static Seat seat(Pod pod, String node) {
        return new Seat(pod, node);
    }

    static ReserveRequest group(Seat... seats) {
        return groupBy(BATCH, seats);
    }

    static ReserveRequest groupBy(String scheduler, Seat... seats) {
        return new ReserveRequest(scheduler, List.of(seats));
    }

    /** Decides, and lets nothing out. */
    Call ask(ReserveRequest request) {
        Call call = new Call();
        decider.ask(Origin.Door.RESERVE, clock.instant(), (door, desk) -> {
            ((ReserveDoor) door).reserve(request, desk, call.heard::add);
            return true;
        });
        settle();
        return call;
    }

    /** Decides for somebody who will not wait for the answer. */
    void askAndLeave(ReserveRequest request) {
        decider.ask(Origin.Door.RESERVE, clock.instant(), (door, desk) -> {
            ((ReserveDoor) door).reserve(request, desk, answer -> false);
            return true;
        });
        settle();
    }

    ReserveAnswer reserve(Seat... seats) {
        return reserve(group(seats));
    }

    ReserveAnswer reserve(ReserveRequest request) {
        Call call = ask(request);
        write();
        echo();
        return call.answer().orElseThrow();
    }

    ReserveAnswer unreserve(Seat... seats) {
        return unreserve(group(seats));
    }

    ReserveAnswer unreserve(ReserveRequest request) {
        ReserveAnswer answer = unreserveUnsent(request);
        goOn();
        return answer;
    }

    /** Decides, and lets nothing out. */
    ReserveAnswer unreserveUnsent(Seat... seats) {
        return unreserveUnsent(group(seats));
    }

    private ReserveAnswer unreserveUnsent(ReserveRequest request) {
        ReserveAnswer answer = decider.ask(
                Origin.Door.RESERVE, clock.instant(), (door, desk) -> ((ReserveDoor) door).unreserve(request, desk));
        settle();
        return answer;
    }

    void add(Node node) {
        nodes.put(node.name(), node);
        learn(new Fact.NodeSeen(node));
    }

    void remove(Node node) {
        nodes.remove(node.name());
        learn(new Fact.NodeGone(node.uid()));
    }

    /** The node is deleted while no Berth runs. */
    void forget(Node node) {
        nodes.remove(node.name());
    }

    void add(Pod pod) {
        pods.put(pod.uid(), pod);
        learn(new Fact.PodSeen(pod));
    }

    /** The pod is bound while no Berth runs. */
    void boundMeanwhile(Pod pod) {
        pods.put(pod.uid(), pod);
    }

    void remove(Pod pod) {
        pods.remove(pod.uid());
        learn(new Fact.PodGone(pod.uid()));
    }

    /** Berth's own scheduler decides on its next pod. */
    List<Effect> schedule() {
        return decider.next(clock.instant()).orElse(List.of());
    }

    void learn(Fact fact) {
        decider.learn(fact, clock.instant());
        settle();
    }

    /** Somebody edits the object into something that Berth cannot read; the next process reads the same. */
    void edit(String name, String problem) {
        HoldFact.Seen there = Optional.ofNullable(objects.get(name)).orElseThrow();
        HoldFact.Malformed edited = new HoldFact.Malformed(name, there.uid(), problem);
        malformed.put(name, edited);
        learn(edited);
    }

    /** Time has passed. */
    void tick() {
        wake();
        goOn();
    }

    /** Time has passed, and nothing is let out. */
    void wake() {
        decider.advance(clock.instant());
        settle();
    }

    Optional<Instant> nextWake() {
        return decider.nextWake();
    }

    void goOn() {
        settle();
        write();
        echo();
    }

    /** A new process reads what the API server has: Hold objects first, or last. */
    void restart(boolean holdsFirst) {
        decider = decider();
        unwritten.clear();
        unseen.clear();
        if (holdsFirst) {
            objects.values().forEach(this::list);
        }
        pods.values().forEach(pod -> decider.learn(new Fact.PodSeen(pod), clock.instant()));
        nodes.values().forEach(node -> decider.learn(new Fact.NodeSeen(node), clock.instant()));
        if (!holdsFirst) {
            objects.values().forEach(this::list);
        }
        tick();
    }

    private void list(HoldFact.Seen object) {
        Optional<HoldFact> edited = Optional.ofNullable(malformed.get(object.name()));
        decider.learn(edited.orElse(object), clock.instant());
    }

    /** The API server takes what is on its way. */
    void write() {
        for (HoldWrite write = unwritten.poll(); write != null; write = unwritten.poll()) {
            answer(write, keep(write));
        }
    }

    /** The API server takes the next write. */
    void writeNext() {
        HoldWrite write = unwritten.remove();
        answer(write, keep(write));
    }

    /** From now on each write is answered so and nothing is kept, until {@link #takeWrites}; conflicts spare creations. */
    void refuseWrites(Outcome.Kind kind) {
        refusal = Optional.of(new Outcome(kind, "not today"));
    }

    /** Writes are taken again. */
    void takeWrites() {
        refusal = Optional.empty();
    }

    boolean refusesWrites() {
        return refusal.isPresent();
    }

    /** What is on its way, in words. */
    List<String> onTheirWay() {
        return unwritten.stream().map(write -> write.getClass().getSimpleName()).toList();
    }

    /** The API server answers the next write so, and keeps nothing. */
    void answerNext(Outcome.Kind kind, String message) {
        answer(unwritten.remove(), new Outcome(kind, message));
    }

    /** The next write is kept, and Berth dies before it hears of it. */
    void writeUnheard() {
        keep(unwritten.remove());
    }

    /** The next write is kept, its answer is lost, and it is sent again, when this happens. */
    void writeUnheard(Runnable then) {
        HoldWrite write = unwritten.remove();
        keep(write);
        unwritten.add(write);
        then.run();
    }

    private void answer(HoldWrite write, Outcome outcome) {
        decider.written(write, outcome, clock.instant());
        settle();
    }

    private Outcome keep(HoldWrite write) {
        boolean spared = write instanceof HoldWrite.Create
                && refusal.filter(it -> it.kind() == Outcome.Kind.CONFLICT).isPresent();
        if (refusal.isPresent() && !spared) {
            return refusal.get();
        }
        HoldFact.Seen there = objects.get(write.name());
        if (write instanceof HoldWrite.Create create) {
            if (there != null) {
                return new Outcome(Outcome.Kind.CONFLICT, "already exists");
            }
            if (create.spec().made().isAfter(LAST)) {
                return new Outcome(Outcome.Kind.DENIED, "spec.made must be of type date-time");
            }
            show(new HoldFact.Seen(create.name(), "uid-" + created++, create.spec()));
        } else if (there == null) {
            return new Outcome(Outcome.Kind.GONE, "not found");
        } else if (write instanceof HoldWrite.Shrink shrink) {
            show(new HoldFact.Seen(there.name(), there.uid(), shrink.spec()));
        } else {
            objects.remove(there.name());
            malformed.remove(there.name());
            unseen.add(new HoldFact.Gone(there.uid()));
        }
        return Outcome.WRITTEN;
    }

    private void show(HoldFact.Seen object) {
        objects.put(object.name(), object);
        malformed.remove(object.name());
        unseen.add(object);
    }

    void echo() {
        for (Fact fact = unseen.poll(); fact != null; fact = unseen.poll()) {
            learn(fact);
        }
        write();
    }

    /** From now on a turn has time for one object of the door and no more, until {@link #haveTime}. */
    void haveNoTime() {
        pace = () -> true;
        turns = 1;
    }

    /** Turns have time again, and what was left is done. */
    void haveTime() {
        pace = Pace.UNBOUNDED;
        settle();
    }

    /** From now on what one turn would do takes as many turns as it has objects. */
    void takeManyTurns() {
        pace = () -> true;
        turns = Integer.MAX_VALUE;
    }

    private void settle() {
        boolean done = false;
        for (int turn = 0; !done && turn < turns; turn++) {
            done = decider.settle(clock.instant(), pace);
        }
        for (Effect effect : decider.takeEffects()) {
            if (effect instanceof HoldWrite write) {
                unwritten.removeIf(older -> older.key().equals(write.key()));
                unwritten.add(write);
            } else if (effect instanceof Effect.Announce announcement) {
                events.add("%s: %s".formatted(announcement.subject(), announcement.note()));
            }
        }
    }

    Ledger ledger() {
        return decider.ledger();
    }

    Resources free(String node) {
        return ledger().node(node).orElseThrow().free();
    }

    /** All holds, as {@code pod on node}; with {@code by scheduler} where that is not the usual one. */
    List<String> kept() {
        return ledger().facts().holds().stream()
                .map(hold -> hold.id().value().split("/", 4))
                .map(id -> id[1] + " on " + id[2] + (id[3].equals(BATCH) ? "" : " by " + id[3]))
                .toList();
    }
}
