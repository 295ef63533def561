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
 * The embedded API server, its controllers, kubelets and Berth, or several, stepped by hand in an order that the dice decide. Nothing
 * runs by itself: {@link #runUntilIdle} steps until nothing moves at this instant, {@link #advance} lets time pass. Invariants
 * of the ledger are checked after every turn of Berth's loop.
 */
public final class Simulation implements AutoCloseable {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int WATCH_HISTORY = 100_000;
    private static final int MAX_ROUNDS = 10_000;

    private final Random dice;
    private final ManualClock clock = new ManualClock(START);
    private final DynamicClient client;
    private final EventLoopTask controllers;
    private final SimulatedVolumeProvisioner volumes;
    private final SimulatedKubelets kubelets;
    private final InMemoryApiServer server;
    private FaultRates faultRates;
    private final RecordedEffects recordedEffects = new RecordedEffects();
    private final List<SimulatedBerth> berths = new ArrayList<>();
    /** What dead Berths have sent and has not arrived. */
    private final List<InFlightCall<?>> orphanedCalls = new ArrayList<>();
    /** The version of pods after which the next Berth hears of deletions again, while none runs. */
    private Optional<String> resumeVersion = Optional.empty();
    /** How far the clock of Berth's machine is ahead of the API server's; empty where both are one clock. */
    private Optional<Duration> skew;

    private final Random clockRandom;
    private Set<String> schedulerNames = SimulatedDoors.SCHEDULER_NAMES;

    /** Berth's machine and the API server have one clock. */
    public Simulation(long seed, NodePool nodes, FaultRates faultRates) {
        this(seed, nodes, faultRates, Optional.empty());
    }

    /** Berth's machine has a clock of its own, which is this far ahead of the API server's. */
    public Simulation(long seed, NodePool nodes, FaultRates faultRates, Duration skew) {
        this(seed, nodes, faultRates, Optional.of(skew));
    }

    private Simulation(long seed, NodePool nodes, FaultRates faultRates, Optional<Duration> skew) {
        this.dice = new Random(seed);
        this.clockRandom = new Random(~seed);
        this.skew = skew;
        this.faultRates = faultRates;
        this.server = new InMemoryApiServer(clock, new Random(dice.nextLong()), WATCH_HISTORY);
        this.client = client(server, "user");
        SimulatedDoors.install(client);
        this.controllers = new ControllerManager(environment(server, "controllers"));
        this.volumes = new SimulatedVolumeProvisioner(client(server, "volumes"), new Random(dice.nextLong()));
        this.kubelets = new SimulatedKubelets(environment(server, "kubelets"), nodes, KubeletSettings.DEFAULT);
        startBerth();
        runUntilIdle();
    }

    /** Starts a Berth, be it beside one that runs already. If none runs, deletions are replayed to it. */
    public void startBerth() {
        Transport berthTransport = transport(server, "berth");
        Optional<SimulatedServerClock> own =
                skew.map(ahead -> new SimulatedServerClock(clock, () -> skew.orElseThrow(), clockRandom));
        berths.add(new SimulatedBerth(
                own.map(its -> its.observing(berthTransport)).orElse(berthTransport),
                new SimulatedBerth.ClockPair(
                        clock, own.<InstantSource>map(its -> its).orElse(clock)),
                schedulerNames,
                dice,
                () -> faultRates,
                recordedEffects,
                resumeVersion));
        resumeVersion = Optional.empty();
    }

    /** The next Berth serves these names: those that the members which then run are configured for. */
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

    /** The API server has forgotten the deletions since the last Berth was killed, as a restart makes it forget. */
    public void forgetDeletions() {
        resumeVersion = Optional.empty();
    }

    /** Whether the next Berth hears of the deletions since the last one was killed. */
    public boolean willReplayDeletions() {
        return resumeVersion.isPresent();
    }

    /** Ends the Berth that has run for the longest, as kill -9 does: what it has sent may arrive all the same. */
    public void killBerth() {
        SimulatedBerth killed = berths.remove(0);
        orphanedCalls.addAll(killed.kill());
        resumeVersion = berths.isEmpty() ? killed.resumeVersion() : Optional.empty();
    }

    /** From now on the way to the API server is good. */
    public void stopFaults() {
        faultRates = FaultRates.NONE;
    }

    public int berthCount() {
        return berths.size();
    }

    /** Registers the nodes of the plan, those too that were there before under the same names. */
    public void registerNodes(NodePool plan) {
        kubelets.register(plan);
    }

    /** How many writes of Berths are on their way. */
    public int unfinishedWrites() {
        return berths.stream().mapToInt(SimulatedBerth::unfinished).sum();
    }

    /** Pods that were bound more than once, by whomever of the Berths. */
    public List<PodUid> podsBoundTwice() {
        return recordedEffects.podsBoundTwice();
    }

    /** By pod, the records of holds and devices with which a Berth bound it; those too of pods that are gone. */
    public Map<PodUid, Map<String, String>> bindAnnotations() {
        return recordedEffects.bindAnnotations();
    }

    /** The pods that Berths sent away, by the pods that they made room for. */
    public Map<PodUid, Set<PodUid>> victims() {
        return recordedEffects.victims();
    }

    /** The pods whose conditions say, or have said, why they have no place. */
    public Set<PodUid> podsMarkedUnschedulable() {
        return recordedEffects.podsMarkedUnschedulable();
    }

    /** What a person with kubectl has. */
    public DynamicClient client() {
        return client;
    }

    public ManualClock clock() {
        return clock;
    }

    /** The ledger of the Berth that has run for the longest. */
    public Snapshot snapshot() {
        return berths.get(0).snapshot();
    }

    /** What was said on pods' conditions and in events so far. */
    public List<String> reportedMessages() {
        return recordedEffects.messages();
    }

    /** All events so far, those too that were lost on their way, each with what it is about. */
    public List<String> recordedEvents() {
        return recordedEffects.events();
    }

    /** Lets everybody take some steps, in an order that the dice decide. */
    public boolean step() {
        List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3));
        Collections.shuffle(order, dice);
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

    /** Steps until nothing moves any more at this instant, and nothing is due at it. */
    public void runUntilIdle() {
        int rounds = 0;
        while (step() || isDue()) {
            if (++rounds > MAX_ROUNDS) {
                throw new IllegalStateException(
                        "still moving after %d rounds at %s".formatted(rounds, clock.instant()));
            }
        }
    }

    /** Lets time pass, settling whenever something is due on the way. */
    public void advance(Duration by) {
        Instant end = clock.instant().plus(by);
        for (Optional<Instant> due = nextDue(end); due.isPresent(); due = nextDue(end)) {
            clock.advanceTo(due.get());
            runUntilIdle();
        }
        clock.advanceTo(end);
        runUntilIdle();
    }

    /** What is wrong with the ledgers: broken invariants, and where they differ from a fresh list once all is settled. */
    public List<String> ledgerProblems() {
        return berths.stream().flatMap(berth -> berth.ledgerProblems().stream()).toList();
    }

    @Override
    public void close() {
        controllers.close();
        kubelets.close();
    }

    /** Whoever is late with what was due before must not hide what is due later. */
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

    /** Those whose turn it is, and what the dead have sent. */
    private boolean stepBerths() {
        boolean moved = !orphanedCalls.isEmpty();
        for (InFlightCall<?> ghost : List.copyOf(orphanedCalls)) {
            if (dice.nextBoolean()) {
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
        return new LoopEnvironment(client(server, user), clock, new Random(dice.nextLong()), new WakeSignal());
    }

    private DynamicClient client(InMemoryApiServer server, String user) {
        return new DynamicClient(transport(server, user));
    }

    private Transport transport(InMemoryApiServer server, String user) {
        return new InProcessTransport(server, clock, new UserInfo(user, List.of("system:masters")));
    }
}
