package dev.berth.testkit.simulation;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.testing.ManualClock;
import dev.berth.sandbox.apiserver.InMemoryApiServer;
import dev.berth.sandbox.authentication.UserInfo;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.eventloop.EventLoopTask;
import dev.berth.sandbox.client.eventloop.LoopEnvironment;
import dev.berth.sandbox.client.eventloop.WakeSignal;
import dev.berth.sandbox.client.transport.InProcessTransport;
import dev.berth.sandbox.client.transport.Transport;
import dev.berth.sandbox.controller.ControllerManager;
import dev.berth.sandbox.kubelet.KubeletSettings;
import dev.berth.sandbox.kubelet.NodePool;
import dev.berth.sandbox.kubelet.SimulatedKubelets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The sandbox API server, its controllers, kubelets and one or more Berths, stepped manually in a random order. Nothing
 * runs by itself: {@link #runUntilIdle} steps until nothing changes at this instant, and {@link #advance} moves the
 * time. Invariants of the ledger are checked after every turn of Berth's loop.
 */
public final class Simulation implements AutoCloseable {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int WATCH_HISTORY = 100_000;
    private static final int MAX_ROUNDS = 10_000;

    private final Random random;
    private final ManualClock clock = new ManualClock(START);
    private final DynamicClient client;
    private final EventLoopTask controllers;
    private final SimulatedVolumeProvisioner volumes;
    private final SimulatedKubelets kubelets;
    private final InMemoryApiServer server;
    private FaultRates faultRates;
    private final RecordedEffects recordedEffects = new RecordedEffects();
    private final List<SimulatedBerth> berths = new ArrayList<>();
    /** Calls of killed Berths that have not arrived. */
    private final List<InFlightCall<?>> orphanedCalls = new ArrayList<>();
    /** The pod resourceVersion after which deletions are replayed to the next Berth, while none runs. */
    private Optional<String> resumeVersion = Optional.empty();
    /** How far the clock of Berth's machine is ahead of the API server's; empty if they share one clock. */
    private Optional<Duration> skew;

    private final Random clockRandom;
    private Set<String> schedulerNames = SimulatedDoors.SCHEDULER_NAMES;

    /** Berth's machine and the API server share one clock. */
    public Simulation(long seed, NodePool nodes, FaultRates faultRates) {
        this(seed, nodes, faultRates, Optional.empty());
    }

    /** Berth's machine has a clock of its own, which is this far ahead of the API server's. */
    public Simulation(long seed, NodePool nodes, FaultRates faultRates, Duration skew) {
        this(seed, nodes, faultRates, Optional.of(skew));
    }

    private Simulation(long seed, NodePool nodes, FaultRates faultRates, Optional<Duration> skew) {
        this.random = new Random(seed);
        this.clockRandom = new Random(~seed);
        this.skew = skew;
        this.faultRates = faultRates;
        this.server = new InMemoryApiServer(clock, new Random(random.nextLong()), WATCH_HISTORY);
        this.client = client(server, "user");
        SimulatedDoors.install(client);
        this.controllers = new ControllerManager(environment(server, "controllers"));
        this.volumes = new SimulatedVolumeProvisioner(client(server, "volumes"), new Random(random.nextLong()));
        this.kubelets = new SimulatedKubelets(environment(server, "kubelets"), nodes, KubeletSettings.DEFAULT);
        startBerth();
        runUntilIdle();
    }

    /** Starts a Berth, maybe while another one runs. If none runs, deletions are replayed to it. */
    public void startBerth() {
        Transport berthTransport = transport(server, "berth");
        Optional<SimulatedServerClock> own =
                skew.map(ahead -> new SimulatedServerClock(clock, () -> skew.orElseThrow(), clockRandom));
        berths.add(new SimulatedBerth(
                own.map(its -> its.observing(berthTransport)).orElse(berthTransport),
                new SimulatedBerth.ClockPair(
                        clock, own.<InstantSource>map(its -> its).orElse(clock)),
                schedulerNames,
                random,
                () -> faultRates,
                recordedEffects,
                resumeVersion));
        resumeVersion = Optional.empty();
    }

    /** The next Berth serves these names: those of the members that run then. */
    public void setSchedulerNames(Set<String> names) {
        schedulerNames = Set.copyOf(names);
    }

    /** The clock of Berth's machine is set: it is this far ahead of the API server's from now on. */
    public void setMachineClock(Duration ahead) {
        if (skew.isEmpty()) {
            throw new IllegalStateException("Berth's machine and the API server have one clock");
        }
        skew = Optional.of(ahead);
    }

    /** The API server forgets the deletions since the last Berth was killed, as after a restart. */
    public void removeDeletions() {
        resumeVersion = Optional.empty();
    }

    /** Whether the deletions since the last Berth was killed are replayed to the next Berth. */
    public boolean willReplayDeletions() {
        return resumeVersion.isPresent();
    }

    /** Kills the oldest Berth, as kill -9 does: its writes in flight may still arrive. */
    public void killBerth() {
        SimulatedBerth killed = berths.remove(0);
        orphanedCalls.addAll(killed.kill());
        resumeVersion = berths.isEmpty() ? killed.resumeVersion() : Optional.empty();
    }

    /** From now on requests to the API server do not fail. */
    public void stopFaults() {
        faultRates = FaultRates.NONE;
    }

    public int berthCount() {
        return berths.size();
    }

    /** Registers the nodes of the plan, including those that existed before under the same names. */
    public void registerNodes(NodePool plan) {
        kubelets.register(plan);
    }

    /** The number of writes of Berths in flight. */
    public int unfinishedWrites() {
        return berths.stream().mapToInt(SimulatedBerth::unfinished).sum();
    }

    /** Pods that were bound more than once, by any of the Berths. */
    public List<PodUid> podsBoundTwice() {
        return recordedEffects.podsBoundTwice();
    }

    /** By pod, the records of holds and devices with which a Berth bound it, including deleted pods. */
    public Map<PodUid, Map<String, String>> bindAnnotations() {
        return recordedEffects.bindAnnotations();
    }

    /** The victims of Berths, by preemptor. */
    public Map<PodUid, Set<PodUid>> victims() {
        return recordedEffects.victims();
    }

    /** The pods that have or had a condition that they are unschedulable. */
    public Set<PodUid> podsMarkedUnschedulable() {
        return recordedEffects.podsMarkedUnschedulable();
    }

    /** A client like a user's kubectl. */
    public DynamicClient client() {
        return client;
    }

    public ManualClock clock() {
        return clock;
    }

    /** The ledger of the oldest Berth. */
    public Snapshot snapshot() {
        return berths.get(0).snapshot();
    }

    /** The messages of conditions and events so far. */
    public List<String> reportedMessages() {
        return recordedEffects.messages();
    }

    /** All events so far with their objects, including lost ones. */
    public List<String> recordedEvents() {
        return recordedEffects.events();
    }

    /** Lets all participants take some steps, in a random order. */
    public boolean step() {
        List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3));
        Collections.shuffle(order, random);
        boolean moved = false;
        for (int actor : order) {
            moved |= switch (actor) {
                case 0 -> controllers.step();
                case 1 -> kubelets.step();
                case 2 -> volumes.step();
                default -> stepBerths();
            };
        }
        return moved;
    }

    /** Steps until nothing changes any more at this instant, and nothing is due. */
    public void runUntilIdle() {
        int rounds = 0;
        while (step() || isDue()) {
            if (++rounds > MAX_ROUNDS) {
                throw new IllegalStateException(
                        "still moving after %d rounds at %s".formatted(rounds, clock.instant()));
            }
        }
    }

    /** Moves the time, and runs until idle whenever something is due. */
    public void advance(Duration by) {
        Instant end = clock.instant().plus(by);
        for (Optional<Instant> due = nextDue(end); due.isPresent(); due = nextDue(end)) {
            clock.advanceTo(due.get());
            runUntilIdle();
        }
        clock.advanceTo(end);
        runUntilIdle();
    }

    /** The problems of the ledgers: violated invariants, and differences from a fresh list once everything is idle. */
    public List<String> ledgerProblems() {
        return berths.stream().flatMap(berth -> berth.ledgerProblems().stream()).toList();
    }

    @Override
    public void close() {
        controllers.close();
        kubelets.close();
    }

    /** A participant that is late must not hide what is due later. */
    private Optional<Instant> nextDue(Instant end) {
        Stream<Optional<Instant>> wakes = berths.stream().map(SimulatedBerth::nextWake);
        return Stream.concat(Stream.of(controllers.nextDue(), kubelets.nextDue()), wakes)
                .flatMap(Optional::stream)
                .filter(when -> when.isAfter(clock.instant()) && !when.isAfter(end))
                .min(Instant::compareTo);
    }

    private boolean isDue() {
        return berths.stream()
                .flatMap(berth -> berth.nextWake().stream())
                .anyMatch(when -> !when.isAfter(clock.instant()));
    }

    /** The participants of this step, and the calls of killed Berths. */
    private boolean stepBerths() {
        boolean moved = !orphanedCalls.isEmpty();
        for (InFlightCall<?> ghost : List.copyOf(orphanedCalls)) {
            if (random.nextBoolean()) {
                orphanedCalls.remove(ghost);
                ghost.advance();
            }
        }
        for (SimulatedBerth berth : berths) {
            moved |= berth.step();
        }
        return moved;
    }

    private LoopEnvironment environment(InMemoryApiServer server, String user) {
        return new LoopEnvironment(client(server, user), clock, new Random(random.nextLong()), new WakeSignal());
    }

    private DynamicClient client(InMemoryApiServer server, String user) {
        return new DynamicClient(transport(server, user));
    }

    private Transport transport(InMemoryApiServer server, String user) {
        return new InProcessTransport(server, clock, new UserInfo(user, List.of("system:masters")));
    }
}
