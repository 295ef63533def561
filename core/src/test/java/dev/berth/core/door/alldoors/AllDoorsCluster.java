package dev.berth.core.door.alldoors;

import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.devices.DeviceDoor;
import dev.berth.core.door.globalreserve.GlobalReserveDoor;
import dev.berth.core.door.globalreserve.GlobalReserveSettings;
import dev.berth.core.door.globalreserve.ReserveRequest;
import dev.berth.core.door.globalreserve.ReserveResponse;
import dev.berth.core.door.godel.GodelDoor;
import dev.berth.core.door.koordinator.KoordinatorDoor;
import dev.berth.core.door.koordinator.KoordinatorSettings;
import dev.berth.core.door.nodeannotation.NodeAnnotationDoor;
import dev.berth.core.effect.Effect;
import dev.berth.core.effect.WriteResult;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.ComponentId;
import dev.berth.core.hold.Hold;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.placement.HoldUse;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.preemption.DefaultPreemption;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * One Berth with all doors open, and its API server. Berth decides in turns; what it sends is under way until it is
 * delivered, and Berth can be killed between any two of these.
 */
final class AllDoorsCluster {
    static final String SCHEDULER = "default-scheduler";
    private static final GlobalReserveSettings RESERVE =
            GlobalReserveSettings.DEFAULT.withReservationTtl(Duration.ofMinutes(2));
    /** Reserves places by the Reserve API before it binds. */
    static final String BATCH = "batch";
    /** The namespace of pods for which nothing is held. */
    static final String OTHER_TENANT = "other";
    /** Binds without asking. */
    static final String OVERCOMMITTING_SCHEDULER = "intruder";

    /** The least that is waited for a retry. */
    private static final Duration MIN_RETRY_WAIT = Duration.ofMillis(100);

    final ManualClock clock = new ManualClock();
    final AllDoorsApiServer server = new AllDoorsApiServer(clock);
    /** Where the pods of the batch scheduler may be bound, by promise. */
    final Map<PodUid, String> promised = new HashMap<>();
    /** How much a node has lost since it came. */
    final Map<NodeUid, Resources> shrunk = new HashMap<>();
    /** Pods that went and whose going a new process would be told again. */
    final List<Pod> unrecordedDeletions = new ArrayList<>();

    /** The components whose writes are in flight for long: they arrive when this ends, or maybe when Berth is killed. */
    final Set<ComponentId> slowDoors = new TreeSet<>(ComponentId.ORDER);

    /** What users were told, in words. */
    final List<String> events = new ArrayList<>();

    /** Everything that happened, for people who read a failure. */
    final List<String> log = new ArrayList<>();

    private final Random random;
    private final List<Effect> inFlight = new ArrayList<>();
    private final OvercommitmentReportChecker overcommitments = new OvercommitmentReportChecker();
    private Scheduler scheduler = decider(RESERVE);

    AllDoorsCluster(Random random) {
        this.random = random;
    }

    /** Berth with all doors. */
    static Scheduler decider(GlobalReserveSettings reserve) {
        Ledger ledger = new Ledger();
        DeviceDoor devices = new DeviceDoor(ledger);
        NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
        return aScheduler(ledger)
                .serving(SCHEDULER)
                .withDoors(
                        new KoordinatorDoor(KoordinatorSettings.of(Set.of(SCHEDULER))),
                        new GodelDoor(Duration.ofSeconds(60)),
                        new NodeAnnotationDoor(),
                        new GlobalReserveDoor(reserve),
                        devices)
                .withPlugins(nominatedNodes, new DefaultPreemption(Set.of(SCHEDULER), nominatedNodes))
                .build();
    }

    Snapshot snapshot() {
        return scheduler.ledger().snapshot();
    }

    Optional<NodeState> node(String name) {
        return scheduler.ledger().node(name);
    }

    /** Berth hears what the watches say. */
    void deliverWatchEvents() {
        server.drainWatchEvents().forEach(fact -> scheduler.apply(fact, clock.instant()));
    }

    /** Berth hears the news and decides; what it wants done is under way from here on. */
    void runTurn() {
        deliverWatchEvents();
        scheduler.advance(clock.instant());
        scheduler.reconcileComponents(clock.instant());
        List<Effect> effects = new ArrayList<>(scheduler.drainEffects());
        overcommitments.checkEvents(snapshot(), effects);
        for (Optional<List<Effect>> next = scheduler.scheduleOne(clock.instant());
                next.isPresent();
                next = scheduler.scheduleOne(clock.instant())) {
            effects.addAll(next.get());
        }
        effects.addAll(scheduler.drainEffects());
        for (Effect effect : effects) {
            if (effect instanceof Effect.Bind || effect instanceof Effect.Write) {
                inFlight.add(effect);
            } else if (effect instanceof Effect.RecordEvent event) {
                events.add("%s %s: %s".formatted(event.target(), event.kind().reason(), event.note()));
            }
        }
        if (scheduler.podsPendingDurability().isEmpty()) {
            unrecordedDeletions.clear();
        }
        check();
    }

    /** Something that is under way reaches the API server. The watch or the answer may be the quicker one. */
    boolean deliverOneWrite() {
        List<Effect> next = deliverable();
        if (next.isEmpty()) {
            return false;
        }
        Effect effect = next.get(random.nextInt(next.size()));
        inFlight.remove(effect);
        boolean watchFirst = random.nextBoolean();
        log.add("    arrives: " + effect);
        if (effect instanceof Effect.Bind bind) {
            boolean bound = server.bind(bind);
            if (watchFirst) {
                deliverWatchEvents();
            }
            List<Effect> told =
                    bound ? scheduler.onBound(bind) : scheduler.onBindFailed(bind, Optional.empty(), clock.instant());
            told.stream().filter(Effect.Write.class::isInstance).forEach(inFlight::add);
        } else if (effect instanceof Effect.Write write) {
            WriteResult writeResult = server.write(write);
            if (watchFirst) {
                deliverWatchEvents();
            }
            scheduler.onWriteResult(write, writeResult, clock.instant());
        }
        deliverWatchEvents();
        return true;
    }

    /** What can arrive next: writes of different objects in any order, those of one object in theirs. */
    private List<Effect> deliverable() {
        Set<String> keys = new HashSet<>();
        List<Effect> next = new ArrayList<>();
        for (Effect effect : inFlight) {
            boolean first = keys.add(
                    effect instanceof Effect.Write write
                            ? write.key()
                            : "bind " + ((Effect.Bind) effect).pod().uid());
            boolean isSlow = effect instanceof Effect.Write write && slowDoors.contains(write.component());
            if (first && !isSlow) {
                next.add(effect);
            }
        }
        return next;
    }

    /** Everything that is under way and not slow arrives, and all that follows from it. */
    void runUntilIdle() {
        deliverAll();
        if (slowDoors.isEmpty() && server.denied.isEmpty()) {
            waitForRetries();
            overcommitments.checkReservations(snapshot(), server.reservations.values());
        }
    }

    private void deliverAll() {
        int rounds = 0;
        do {
            runTurn();
            while (deliverOneWrite()) {
                rounds++;
            }
            assertThat(rounds).as("writes that follow from each other").isLessThan(2_000);
            deliverWatchEvents();
            runTurn();
        } while (!deliverable().isEmpty());
    }

    /** A write that was denied a moment ago waits for its back-off, though it would be taken now. */
    private void waitForRetries() {
        for (int waits = 0; scheduler.retryingWrites() > 0; waits++) {
            assertThat(waits)
                    .as("waits for writes that are taken when they are tried again")
                    .isLessThan(200);
            Instant wake = scheduler.nextWake().orElseThrow();
            advance(
                    Duration.between(clock.instant(), wake).compareTo(MIN_RETRY_WAIT) > 0
                            ? Duration.between(clock.instant(), wake)
                            : MIN_RETRY_WAIT);
            deliverAll();
        }
    }

    void advance(Duration time) {
        log.add("pass " + time);
        clock.advance(time);
    }

    /** Another scheduler asks for places, and binds when it is promised them. */
    void reserve(List<ReserveRequest.PodAssignment> podAssignments) {
        deliverWatchEvents();
        log.add("reserve " + podAssignments);
        scheduler.callDoor(Origin.DoorId.GLOBALRESERVE, clock.instant(), (door, handle) -> {
            ((GlobalReserveDoor) door).reserve(new ReserveRequest(BATCH, podAssignments), handle, answer -> {
                if (answer.equals(ReserveResponse.SUCCESS)) {
                    podAssignments.forEach(
                            podAssignment -> promised.put(podAssignment.pod().uid(), podAssignment.nodeName()));
                }
                return true;
            });
            return true;
        });
    }

    /** The same scheduler gives back what it reserved for the pod. */
    void unreserve(Pod pod) {
        deliverWatchEvents();
        log.add("unreserve " + pod);
        promised.remove(pod.uid());
        scheduler.callDoor(
                Origin.DoorId.GLOBALRESERVE,
                clock.instant(),
                (door, handle) -> ((GlobalReserveDoor) door)
                        .unreserve(
                                new ReserveRequest(BATCH, List.of(new ReserveRequest.PodAssignment(pod, ""))), handle));
    }

    /** Berth is killed. Of what is under way, some still arrives. */
    void kill() {
        for (Effect effect : List.copyOf(inFlight)) {
            if (random.nextBoolean()) {
                log.add("    arrives unheard: " + effect);
                if (effect instanceof Effect.Bind bind) {
                    server.bind(bind);
                } else {
                    server.write((Effect.Write) effect);
                }
            }
        }
        inFlight.clear();
        server.drainWatchEvents();
    }

    /**
     * A Berth starts, and reads the lists in any order.
     *
     * @param remembered whether the API server tells which pods were deleted meanwhile
     */
    void start(boolean remembered) {
        log.add("start, deletions are %s".formatted(remembered ? "told: " + unrecordedDeletions : "forgotten"));
        server.drainWatchEvents();
        overcommitments.onRestart();
        scheduler = decider(RESERVE);
        if (remembered) {
            for (Pod pod : List.copyOf(unrecordedDeletions)) {
                scheduler.apply(new Fact.PodUpserted(pod), clock.instant());
                scheduler.apply(new Fact.PodDeleted(pod.uid()), clock.instant());
            }
            scheduler.apply(new Fact.DeletionsReplayed(), clock.instant());
        }
        List<Fact> lists = server.list();
        Collections.shuffle(lists, random);
        lists.forEach(fact -> scheduler.apply(fact, clock.instant()));
    }

    /** What the ledger says of each node and each hold. */
    String state() {
        StringBuilder state = new StringBuilder();
        snapshot().forEachNode(node -> {
            state.append("%s: free %s, used %s%n".formatted(node.node(), node.free(), node.used()));
            node.pods()
                    .forEach(pod -> state.append(
                            "  %s %s %s%n".formatted(pod, pod.spec().requests(), pod.annotations())));
            node.holds()
                    .forEach(id -> state.append(
                            "  %s%n".formatted(snapshot().holdState(id).orElseThrow())));
        });
        return state.toString();
    }

    private void check() {
        Snapshot now = snapshot();
        assertThat(Invariants.check(now)).isEmpty();
        assertThat(Invariants.checkRebuilt(now)).isEmpty();
        assertThat(Invariants.checkPromises(now, this::toleratedOvercommitment)).isEmpty();
        assertThat(server.pods.values())
                .filteredOn(pod -> pod.namespace().equals(OTHER_TENANT))
                .as("pods of another tenant that use what is held for pods of namespace default")
                .allMatch(pod -> scheduler.ledger().claimBy(pod.uid()).isEmpty());
    }

    /** What another scheduler took without asking, what the node has lost, and what pods took that ignore Reservations. */
    private Resources toleratedOvercommitment(NodeState node) {
        Resources sum = shrunk.getOrDefault(node.node().uid(), Resources.NONE);
        for (Pod pod : node.pods()) {
            if (pod.schedulerName().equals(OVERCOMMITTING_SCHEDULER)) {
                sum = sum.plus(pod.spec().requests()).plus(Resources.of(ResourceName.PODS, 1));
            }
        }
        return sum.plus(takenOfReservations(node));
    }

    /** Pods that ignore Reservations use, or are nominated for, at most what Reservations hold. */
    private Resources takenOfReservations(NodeState node) {
        Resources taken = Resources.NONE;
        Resources reserved = Resources.NONE;
        for (Pod pod : node.pods()) {
            if (pod.spec().reservations().ignored() && pod.schedulerName().equals(SCHEDULER)) {
                taken = taken.plus(pod.spec().requests()).plus(Resources.of(ResourceName.PODS, 1));
            }
        }
        for (HoldId id : node.holds()) {
            Hold hold = scheduler.ledger().hold(id).orElseThrow();
            reserved = hold.isReservation() ? reserved.plus(hold.size()) : reserved;
            taken = isNominationOfIgnoringPod(hold) ? taken.plus(hold.size()) : taken;
        }
        return taken.min(reserved);
    }

    private boolean isNominationOfIgnoringPod(Hold hold) {
        return hold.isNomination()
                && server.pods.values().stream()
                        .anyMatch(pod -> pod.spec().reservations().ignored()
                                && hold.id().value().endsWith("/" + pod.uid().value()));
    }

    /** The pods that wait although some node would take them as things are. */
    List<String> waitingPodsThatFit() {
        Ledger ledger = Ledger.of(snapshot().facts());
        Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);
        return server.pods.values().stream()
                .filter(pod -> pod.awaitsBinding() && pod.schedulerName().equals(SCHEDULER))
                .filter(pod ->
                        pod.annotations().get(RandomAllDoorsHistory.CLAIMS).isEmpty())
                .filter(pod -> server.nodes.keySet().stream()
                        .anyMatch(node -> placer.vetoes(pod, ledger.node(node).orElseThrow(), HoldUse.PREFERRED)
                                .isEmpty()))
                .map(Pod::name)
                .toList();
    }
}
