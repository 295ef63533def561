package dev.berth.testkit.simulation;

import dev.berth.core.cluster.PodUid;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.testing.ManualClock;
import dev.berth.embedded.ApiServer;
import dev.berth.embedded.auth.User;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.mirror.Bell;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.Stepper;
import dev.berth.embedded.client.transport.InProcessTransport;
import dev.berth.embedded.client.transport.Transport;
import dev.berth.embedded.kubelet.KubeletSettings;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.embedded.kubelet.SimulatedKubelets;
import dev.berth.embedded.workload.WorkloadControllers;
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
 * runs by itself: {@link #settle} steps until nothing moves at this instant, {@link #advance} lets time pass. Invariants
 * of the ledger are checked after every turn of Berth's loop.
 */
public final class Simulation implements AutoCloseable {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final int HISTORY = 100_000;
    private static final int MOST_ROUNDS = 10_000;

    private final Random dice;
    private final ManualClock clock = new ManualClock(START);
    private final ApiClient client;
    private final Stepper controllers;
    private final SimulatedVolumes volumes;
    private final SimulatedKubelets kubelets;
    private final ApiServer server;
    private Faults faults;
    private final Journal journal = new Journal();
    private final List<SimulatedBerth> berths = new ArrayList<>();
    /** What dead Berths have sent and has not arrived. */
    private final List<Flight<?>> ghosts = new ArrayList<>();
    /** The version of pods after which the next Berth hears of deletions again, while none runs. */
    private Optional<String> durable = Optional.empty();
    /** How far the clock of Berth's machine is ahead of the API server's; empty where both are one clock. */
    private Optional<Duration> skew;

    private final Random dates;
    private Set<String> schedulerNames = SimulatedDoors.SCHEDULER_NAMES;

    /** Berth's machine and the API server have one clock. */
    public Simulation(long seed, NodePlan nodes, Faults faults) {
        this(seed, nodes, faults, Optional.empty());
    }

    /** Berth's machine has a clock of its own, which is this far ahead of the API server's. */
    public Simulation(long seed, NodePlan nodes, Faults faults, Duration skew) {
        this(seed, nodes, faults, Optional.of(skew));
    }

    private Simulation(long seed, NodePlan nodes, Faults faults, Optional<Duration> skew) {
        this.dice = new Random(seed);
        this.dates = new Random(~seed);
        this.skew = skew;
        this.faults = faults;
        this.server = new ApiServer(clock, new Random(dice.nextLong()), HISTORY);
        this.client = client(server, "user");
        SimulatedDoors.install(client);
        this.controllers = new WorkloadControllers(environment(server, "controllers"));
        this.volumes = new SimulatedVolumes(client(server, "volumes"), new Random(dice.nextLong()));
        this.kubelets = new SimulatedKubelets(environment(server, "kubelets"), nodes, KubeletSettings.DEFAULT);
        startBerth();
        settle();
    }

    /** Starts a Berth, be it beside one that runs already. If none runs, deletions are replayed to it. */
    public void startBerth() {
        Transport way = transport(server, "berth");
        Optional<BerthClock> own = skew.map(ahead -> new BerthClock(clock, () -> skew.orElseThrow(), dates));
        berths.add(new SimulatedBerth(
                own.map(its -> its.over(way)).orElse(way),
                new SimulatedBerth.Time(
                        clock, own.<InstantSource>map(its -> its).orElse(clock)),
                schedulerNames,
                dice,
                () -> faults,
                journal,
                durable));
        durable = Optional.empty();
    }

    /** The next Berth serves these names: those that the members which then run are configured for. */
    public void serve(Set<String> names) {
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
        durable = Optional.empty();
    }

    /** Whether the next Berth hears of the deletions since the last one was killed. */
    public boolean remembersDeletions() {
        return durable.isPresent();
    }

    /** Ends the Berth that has run for the longest, as kill -9 does: what it has sent may arrive all the same. */
    public void killBerth() {
        SimulatedBerth killed = berths.remove(0);
        ghosts.addAll(killed.kill());
        durable = berths.isEmpty() ? killed.durableVersion() : Optional.empty();
    }

    /** From now on the way to the API server is good. */
    public void calm() {
        faults = Faults.NONE;
    }

    public int berths() {
        return berths.size();
    }

    /** Registers the nodes of the plan, those too that were there before under the same names. */
    public void register(NodePlan plan) {
        kubelets.register(plan);
    }

    /** How many writes of Berths are on their way. */
    public int unfinished() {
        return berths.stream().mapToInt(SimulatedBerth::unfinished).sum();
    }

    /** Pods that were bound more than once, by whomever of the Berths. */
    public List<PodUid> boundTwice() {
        return journal.boundTwice();
    }

    /** By pod, the records of holds and devices with which a Berth bound it; those too of pods that are gone. */
    public Map<PodUid, Map<String, String>> records() {
        return journal.records();
    }

    /** The pods that Berths sent away, by the pods that they made room for. */
    public Map<PodUid, Set<PodUid>> victims() {
        return journal.victims();
    }

    /** The pods whose conditions say, or have said, why they have no place. */
    public Set<PodUid> marked() {
        return journal.marked();
    }

    /** What a person with kubectl has. */
    public ApiClient client() {
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
    public List<String> told() {
        return journal.told();
    }

    /** All events so far, those too that were lost on their way, each with what it is about. */
    public List<String> announced() {
        return journal.announced();
    }

    /** Lets everybody take some steps, in an order that the dice decide. */
    public boolean step() {
        List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3));
        Collections.shuffle(order, dice);
        boolean moved = false;
        for (int who : order) {
            moved |= switch (who) {
                case 0 -> controllers.step();
                case 1 -> kubelets.step();
                case 2 -> volumes.step();
                default -> turn();
            };
        }
        return moved;
    }

    /** Steps until nothing moves any more at this instant, and nothing is due at it. */
    public void settle() {
        int rounds = 0;
        while (step() || isDue()) {
            if (++rounds > MOST_ROUNDS) {
                throw new IllegalStateException(
                        "still moving after %d rounds at %s".formatted(rounds, clock.instant()));
            }
        }
    }

    /** Lets time pass, settling whenever something is due on the way. */
    public void advance(Duration by) {
        Instant end = clock.instant().plus(by);
        for (Optional<Instant> due = due(end); due.isPresent(); due = due(end)) {
            clock.advanceTo(due.get());
            settle();
        }
        clock.advanceTo(end);
        settle();
    }

    /** What is wrong with the ledgers: broken invariants, and where they differ from a fresh list once all is settled. */
    public List<String> faultsOfTheLedger() {
        return berths.stream().flatMap(berth -> berth.faults().stream()).toList();
    }

    @Override
    public void close() {
        controllers.close();
        kubelets.close();
    }

    /** Whoever is late with what was due before must not hide what is due later. */
    private Optional<Instant> due(Instant end) {
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
    private boolean turn() {
        boolean moved = !ghosts.isEmpty();
        for (Flight<?> ghost : List.copyOf(ghosts)) {
            if (dice.nextBoolean()) {
                ghosts.remove(ghost);
                ghost.go();
            }
        }
        for (SimulatedBerth berth : berths) {
            moved |= berth.turn();
        }
        return moved;
    }

    private Environment environment(ApiServer server, String user) {
        return new Environment(client(server, user), clock, new Random(dice.nextLong()), new Bell());
    }

    private ApiClient client(ApiServer server, String user) {
        return new ApiClient(transport(server, user));
    }

    private Transport transport(ApiServer server, String user) {
        return new InProcessTransport(server, clock, new User(user, List.of("system:masters")));
    }
}
