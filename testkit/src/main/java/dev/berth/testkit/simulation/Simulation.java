package dev.berth.testkit.simulation;

import dev.berth.core.decision.Decider;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.ManualClock;
import dev.berth.embedded.ApiServer;
import dev.berth.embedded.auth.User;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.mirror.Bell;
import dev.berth.embedded.client.mirror.Environment;
import dev.berth.embedded.client.mirror.Stepper;
import dev.berth.embedded.client.transport.InProcessTransport;
import dev.berth.embedded.kubelet.KubeletSettings;
import dev.berth.embedded.kubelet.NodePlan;
import dev.berth.embedded.kubelet.SimulatedKubelets;
import dev.berth.embedded.workload.WorkloadControllers;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.Leadership;
import dev.berth.engine.LedgerLoop;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The embedded API server, its controllers, kubelets and Berth, stepped by hand in an order that the dice decide. Nothing
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
    private final Stepper kubelets;
    private final SimulatedFeed feed;
    private final SimulatedCluster cluster;
    private final LedgerLoop loop;
    private Snapshot last;

    public Simulation(long seed, NodePlan nodes, Faults faults) {
        this.dice = new Random(seed);
        ApiServer server = new ApiServer(clock, new Random(dice.nextLong()), HISTORY);
        this.client = client(server, "user");
        this.controllers = new WorkloadControllers(environment(server, "controllers"));
        this.kubelets = new SimulatedKubelets(environment(server, "kubelets"), nodes, KubeletSettings.DEFAULT);
        ApiClient ours = client(server, "berth");
        this.feed = new SimulatedFeed(ours);
        this.cluster = new SimulatedCluster(ours, dice, faults);
        this.loop = new LedgerLoop(decider(), cluster, Leadership.ALWAYS, clock, EngineSettings.DEFAULT);
        this.last = loop.snapshot();
        try {
            feed.start(loop);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
        settle();
    }

    /** What a person with kubectl has. */
    public ApiClient client() {
        return client;
    }

    public ManualClock clock() {
        return clock;
    }

    public Snapshot snapshot() {
        return loop.snapshot();
    }

    /** What was said on pods' conditions and in events so far. */
    public List<String> told() {
        return List.copyOf(cluster.told());
    }

    /** Lets everybody take some steps, in an order that the dice decide. */
    public boolean step() {
        List<Integer> order = new ArrayList<>(List.of(0, 1, 2));
        Collections.shuffle(order, dice);
        boolean moved = false;
        for (int who : order) {
            moved |= switch (who) {
                case 0 -> controllers.step();
                case 1 -> kubelets.step();
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

    /** What is wrong with the ledger: broken invariants, and where it differs from a fresh list once all is settled. */
    public List<String> faultsOfTheLedger() {
        List<String> words = new ArrayList<>();
        Invariants.check(snapshot()).forEach(violation -> words.add(violation.words()));
        Ledger fresh = new Ledger();
        Decider decider = decider(fresh);
        feed.list().forEach(fact -> decider.learn(fact, clock.instant()));
        if (loop.unfinished() == 0 && !fresh.facts().equals(snapshot().facts())) {
            words.add("the ledger (%s) differs from a fresh list (%s)"
                    .formatted(snapshot().facts(), fresh.facts()));
        }
        return words;
    }

    @Override
    public void close() {
        controllers.close();
        kubelets.close();
    }

    /** Whoever is late with what was due before must not hide what is due later. */
    private Optional<Instant> due(Instant end) {
        return Stream.of(controllers.nextDue(), kubelets.nextDue(), loop.nextWake())
                .flatMap(Optional::stream)
                .filter(when -> when.isAfter(clock.instant()) && !when.isAfter(end))
                .min(Instant::compareTo);
    }

    private boolean isDue() {
        return loop.nextWake().filter(when -> !when.isAfter(clock.instant())).isPresent();
    }

    private boolean turn() {
        try {
            boolean heard = feed.step(loop, 1 + dice.nextInt(8));
            boolean more = loop.turn();
            checkTurn();
            return heard || more;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private void checkTurn() {
        Snapshot now = loop.snapshot();
        List<Invariants.Violation> broken = new ArrayList<>(Invariants.check(now));
        broken.addAll(Invariants.between(last, now));
        last = now;
        if (!broken.isEmpty()) {
            throw new AssertionError("at %s: %s".formatted(clock.instant(), broken));
        }
    }

    private static Decider decider() {
        return decider(new Ledger());
    }

    private static Decider decider(Ledger ledger) {
        return new Decider(
                ledger,
                new Placer(ledger, ScoreWeights.DEFAULT),
                new SchedulingQueue(BackOff.DEFAULT),
                Set.of("default-scheduler", "berth-scheduler"));
    }

    private Environment environment(ApiServer server, String user) {
        return new Environment(client(server, user), clock, new Random(dice.nextLong()), new Bell());
    }

    private ApiClient client(ApiServer server, String user) {
        return new ApiClient(new InProcessTransport(server, clock, new User(user, List.of("system:masters"))));
    }
}
