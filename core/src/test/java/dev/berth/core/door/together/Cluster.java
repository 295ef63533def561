package dev.berth.core.door.together;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.decision.Outcome;
import dev.berth.core.door.annotation.AnnotationDoor;
import dev.berth.core.door.comeback.ComebackDoor;
import dev.berth.core.door.device.DeviceDoor;
import dev.berth.core.door.preemption.PreemptionDoor;
import dev.berth.core.door.reservation.ReservationDoor;
import dev.berth.core.door.reservation.ReservationSettings;
import dev.berth.core.door.reserve.ReserveAnswer;
import dev.berth.core.door.reserve.ReserveDoor;
import dev.berth.core.door.reserve.ReserveRequest;
import dev.berth.core.door.reserve.ReserveSettings;
import dev.berth.core.hold.Origin;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * One Berth with all doors open, and its API server. Berth decides in turns; what it sends is under way until it is
 * delivered, and Berth can be killed between any two of these.
 */
final class Cluster {
    static final String SCHEDULER = "default-scheduler";
    private static final ReserveSettings RESERVE = ReserveSettings.DEFAULT.withHoldFor(Duration.ofMinutes(2));
    /** Reserves places by the Reserve API before it binds. */
    static final String BATCH = "batch";
    /** The namespace of pods for which nothing is held. */
    static final String OTHER_TENANT = "other";
    /** Binds without asking. */
    static final String INTRUDER = "intruder";

    /** The least that is waited for a retry. */
    private static final Duration MOMENT = Duration.ofMillis(100);

    final ManualClock clock = new ManualClock();
    final ApiServer server = new ApiServer(clock);
    /** Where the pods of the batch scheduler may be bound, by promise. */
    final Map<PodUid, String> promised = new HashMap<>();
    /** How much a node has lost since it came. */
    final Map<NodeUid, Resources> shrunk = new HashMap<>();
    /** Pods that went and whose going a new process would be told again. */
    final List<Pod> untold = new ArrayList<>();

    /** The doors whose writes are under way for long: they arrive when this ends, or maybe when Berth is killed. */
    final Set<Origin.Door> slow = EnumSet.noneOf(Origin.Door.class);

    /** What users were told, in words. */
    final List<String> events = new ArrayList<>();

    /** Everything that happened, for people who read a failure. */
    final List<String> log = new ArrayList<>();

    private final Random dice;
    private final List<Effect> underWay = new ArrayList<>();
    private final OvercommitmentReports overcommitments = new OvercommitmentReports();
    private Decider decider = decider(RESERVE);

    Cluster(Random dice) {
        this.dice = dice;
    }

    /** Berth with all doors. */
    static Decider decider(ReserveSettings reserve) {
        Ledger ledger = new Ledger();
        DeviceDoor devices = new DeviceDoor(ledger);
        return new Decider(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT, devices.devices()),
                new SchedulingQueue(BackOff.DEFAULT),
                Set.of(SCHEDULER),
                List.of(
                        new ReservationDoor(ReservationSettings.of(Set.of(SCHEDULER))),
                        new ComebackDoor(Duration.ofSeconds(60)),
                        new AnnotationDoor(),
                        new ReserveDoor(reserve),
                        new PreemptionDoor(Set.of(SCHEDULER)),
                        devices));
    }

    Snapshot snapshot() {
        return decider.ledger().snapshot();
    }

    Optional<NodeState> node(String name) {
        return decider.ledger().node(name);
    }

    /** Berth hears what the watches say. */
    void hear() {
        server.takeShown().forEach(fact -> decider.learn(fact, clock.instant()));
    }

    /** Berth hears the news and decides; what it wants done is under way from here on. */
    void turn() {
        hear();
        decider.advance(clock.instant());
        decider.settle(clock.instant());
        List<Effect> effects = new ArrayList<>(decider.takeEffects());
        overcommitments.settled(snapshot(), effects);
        for (Optional<List<Effect>> next = decider.next(clock.instant());
                next.isPresent();
                next = decider.next(clock.instant())) {
            effects.addAll(next.get());
        }
        effects.addAll(decider.takeEffects());
        for (Effect effect : effects) {
            if (effect instanceof Effect.Bind || effect instanceof Effect.Write) {
                underWay.add(effect);
            } else if (effect instanceof Effect.Announce event) {
                events.add("%s %s: %s".formatted(event.subject(), event.kind().reason(), event.note()));
            }
        }
        if (decider.owed().isEmpty()) {
            untold.clear();
        }
        check();
    }

    /** Something that is under way reaches the API server. The watch or the answer may be the quicker one. */
    boolean deliver() {
        List<Effect> next = quick();
        if (next.isEmpty()) {
            return false;
        }
        Effect effect = next.get(dice.nextInt(next.size()));
        underWay.remove(effect);
        boolean watchFirst = dice.nextBoolean();
        log.add("    arrives: " + effect);
        if (effect instanceof Effect.Bind bind) {
            boolean bound = server.bind(bind);
            if (watchFirst) {
                hear();
            }
            List<Effect> told = bound ? decider.bound(bind) : decider.notBound(bind, Optional.empty(), clock.instant());
            told.stream().filter(Effect.Write.class::isInstance).forEach(underWay::add);
        } else if (effect instanceof Effect.Write write) {
            Outcome outcome = server.write(write);
            if (watchFirst) {
                hear();
            }
            decider.written(write, outcome, clock.instant());
        }
        hear();
        return true;
    }

    /** What can arrive next: writes of different objects in any order, those of one object in theirs. */
    private List<Effect> quick() {
        Set<String> keys = new HashSet<>();
        List<Effect> next = new ArrayList<>();
        for (Effect effect : underWay) {
            boolean first = keys.add(
                    effect instanceof Effect.Write write
                            ? write.key()
                            : "bind " + ((Effect.Bind) effect).pod().uid());
            boolean isSlow = effect instanceof Effect.Write write && slow.contains(write.door());
            if (first && !isSlow) {
                next.add(effect);
            }
        }
        return next;
    }

    /** Everything that is under way and not slow arrives, and all that follows from it. */
    void settle() {
        deliverAll();
        if (slow.isEmpty() && server.denied.isEmpty()) {
            waitForRetries();
            overcommitments.written(snapshot(), server.reservations.values());
        }
    }

    private void deliverAll() {
        int rounds = 0;
        do {
            turn();
            while (deliver()) {
                rounds++;
            }
            assertThat(rounds).as("writes that follow from each other").isLessThan(2_000);
            hear();
            turn();
        } while (!quick().isEmpty());
    }

    /** A write that was denied a moment ago waits for its back-off, though it would be taken now. */
    private void waitForRetries() {
        for (int waits = 0; decider.retrying() > 0; waits++) {
            assertThat(waits)
                    .as("waits for writes that are taken when they are tried again")
                    .isLessThan(200);
            Instant wake = decider.nextWake().orElseThrow();
            pass(
                    Duration.between(clock.instant(), wake).compareTo(MOMENT) > 0
                            ? Duration.between(clock.instant(), wake)
                            : MOMENT);
            deliverAll();
        }
    }

    void pass(Duration time) {
        log.add("pass " + time);
        clock.advance(time);
    }

    /** Another scheduler asks for places, and binds when it is promised them. */
    void reserve(List<ReserveRequest.Seat> seats) {
        hear();
        log.add("reserve " + seats);
        decider.ask(Origin.Door.RESERVE, clock.instant(), (door, desk) -> {
            ((ReserveDoor) door).reserve(new ReserveRequest(BATCH, seats), desk, answer -> {
                if (answer.equals(ReserveAnswer.DONE)) {
                    seats.forEach(seat -> promised.put(seat.pod().uid(), seat.node()));
                }
                return true;
            });
            return true;
        });
    }

    /** The same scheduler gives back what it reserved for the pod. */
    void unreserve(Pod pod) {
        hear();
        log.add("unreserve " + pod);
        promised.remove(pod.uid());
        decider.ask(
                Origin.Door.RESERVE,
                clock.instant(),
                (door, desk) -> ((ReserveDoor) door)
                        .unreserve(new ReserveRequest(BATCH, List.of(new ReserveRequest.Seat(pod, ""))), desk));
    }

    /** Berth is killed. Of what is under way, some still arrives. */
    void kill() {
        for (Effect effect : List.copyOf(underWay)) {
            if (dice.nextBoolean()) {
                log.add("    arrives unheard: " + effect);
                if (effect instanceof Effect.Bind bind) {
                    server.bind(bind);
                } else {
                    server.write((Effect.Write) effect);
                }
            }
        }
        underWay.clear();
        server.takeShown();
    }

    /**
     * A Berth starts, and reads the lists in any order.
     *
     * @param remembered whether the API server tells which pods were deleted meanwhile
     */
    void start(boolean remembered) {
        log.add("start, deletions are %s".formatted(remembered ? "told: " + untold : "forgotten"));
        server.takeShown();
        overcommitments.restarted();
        decider = decider(RESERVE);
        if (remembered) {
            for (Pod pod : List.copyOf(untold)) {
                decider.learn(new Fact.PodSeen(pod), clock.instant());
                decider.learn(new Fact.PodGone(pod.uid()), clock.instant());
            }
            decider.learn(new Fact.DeletionsReplayed(), clock.instant());
        }
        List<Fact> lists = server.list();
        Collections.shuffle(lists, dice);
        lists.forEach(fact -> decider.learn(fact, clock.instant()));
    }

    /** What the ledger says of each node and each hold. */
    String state() {
        StringBuilder state = new StringBuilder();
        snapshot().forEachNode(node -> {
            state.append("%s: free %s, used %s%n".formatted(node.node(), node.free(), node.used()));
            node.pods()
                    .forEach(pod -> state.append(
                            "  %s %s %s%n".formatted(pod, pod.shape().requests(), pod.annotations())));
            node.holds()
                    .forEach(id -> state.append(
                            "  %s%n".formatted(snapshot().holdState(id).orElseThrow())));
        });
        return state.toString();
    }

    private void check() {
        Snapshot now = snapshot();
        assertThat(Invariants.check(now)).isEmpty();
        assertThat(Invariants.rebuilt(now)).isEmpty();
        assertThat(Invariants.promises(now, this::excused)).isEmpty();
        assertThat(server.pods.values())
                .filteredOn(pod -> pod.namespace().equals(OTHER_TENANT))
                .as("pods of another tenant that use what is held for pods of namespace default")
                .allMatch(pod -> decider.ledger().claimBy(pod.uid()).isEmpty());
    }

    /** What another scheduler took without asking, and what the node has lost. */
    private Resources excused(NodeState node) {
        Resources sum = shrunk.getOrDefault(node.node().uid(), Resources.NONE);
        for (Pod pod : node.pods()) {
            if (pod.schedulerName().equals(INTRUDER)) {
                sum = sum.plus(pod.shape().requests()).plus(Resources.of(ResourceName.PODS, 1));
            }
        }
        return sum;
    }

    /** The pods that wait although some node would take them as things are. */
    List<String> forgotten() {
        Ledger ledger = Ledger.of(snapshot().facts());
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
        return server.pods.values().stream()
                .filter(pod -> pod.waits() && pod.schedulerName().equals(SCHEDULER))
                .filter(pod -> pod.annotations().get(AllDoorsHistory.CLAIMS).isEmpty())
                .filter(pod -> server.nodes.keySet().stream()
                        .anyMatch(node -> placer.vetoes(pod, ledger.node(node).orElseThrow(), HoldUse.PREFERRED)
                                .isEmpty()))
                .map(Pod::name)
                .toList();
    }
}
