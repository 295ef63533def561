package dev.berth.testkit.simulation;

import dev.berth.core.decision.Decider;
import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerFacts;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.embedded.client.ApiClient;
import dev.berth.embedded.client.transport.Transport;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.Leadership;
import dev.berth.engine.LedgerLoop;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/** One Berth: what it reads, decides and writes. The invariants of its ledger are checked after every turn. */
final class SimulatedBerth {
    private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(2);

    /**
     * What it goes by.
     *
     * @param server the clock of the API server, which is right
     * @param own what this Berth takes for the API server's time
     */
    record Time(InstantSource server, InstantSource own) {
        /** The API server's time when this Berth's clock will show the instant. */
        private Instant whenShown(Instant shown) {
            return server.instant().plus(Duration.between(own.instant(), shown));
        }
    }

    private final Random dice;
    private final Time time;
    private final Set<String> schedulerNames;
    private final SimulatedFeed feed;
    private final SimulatedCluster cluster;
    private final Decider decider;
    private final LedgerLoop loop;
    private Snapshot last;
    /** What its Lease says: see {@link #durableVersion}. */
    private Optional<String> durable;

    private Instant renewal = Instant.MIN;

    /** @param past what the Lease of the Berth before says; empty when nothing that was before is remembered */
    SimulatedBerth(
            Transport transport,
            Time time,
            Set<String> schedulerNames,
            Random dice,
            Supplier<Faults> faults,
            Journal journal,
            Optional<String> past) {
        this.dice = dice;
        this.durable = past;
        this.time = time;
        this.schedulerNames = schedulerNames;
        this.feed = new SimulatedFeed(
                new ApiClient(transport),
                SimulatedDoors.feeds(),
                dice,
                () -> faults.get().brokenWatches());
        this.cluster = new SimulatedCluster(transport, dice, faults, journal);
        this.decider = decider(new Ledger());
        this.loop = new LedgerLoop(decider, cluster, Leadership.ALWAYS, time.own(), EngineSettings.DEFAULT);
        this.last = loop.snapshot();
        try {
            feed.start(past, loop);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    Snapshot snapshot() {
        return loop.snapshot();
    }

    /** By the API server's clock. */
    Optional<Instant> nextWake() {
        return loop.nextWake().map(time::whenShown);
    }

    /** The version of pods up to which all that follows is written: a successor has to hear of what came after it. */
    Optional<String> durableVersion() {
        return durable;
    }

    /** Called when the loop has taken in all that the feed has read. */
    private void renewLease() {
        Instant now = time.server().instant();
        if (!now.isBefore(renewal) && decider.owed().isEmpty()) {
            durable = Optional.of(feed.podsReached());
            renewal = now.plus(BETWEEN_RENEWALS);
        }
    }

    /** How many of its writes are not at their end. */
    int unfinished() {
        return loop.unfinished();
    }

    /** Says whether anything moved, or is on its way. */
    boolean turn() {
        try {
            boolean heard = feed.step(loop, 1 + dice.nextInt(8));
            boolean underway = cluster.step();
            boolean more = loop.turn();
            check();
            if (!more) {
                renewLease();
            }
            return heard || underway || more;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Ends it at once; what it has sent may arrive all the same. */
    List<Flight<?>> kill() {
        feed.close();
        return cluster.orphans();
    }

    /** What is wrong with its ledger: broken invariants, and where it differs from a fresh list once all is settled. */
    List<String> faults() {
        List<String> words = new ArrayList<>();
        Invariants.check(snapshot()).forEach(violation -> words.add(violation.words()));
        Ledger fresh = new Ledger();
        Decider decider = decider(fresh);
        Instant now = time.own().instant();
        feed.list().forEach(fact -> decider.learn(fact, now));
        decider.settle(now);
        if (loop.unfinished() == 0) {
            LedgerFacts lived = snapshot().facts().shown();
            LedgerFacts listed = fresh.facts().shown();
            words.addAll(differences("only the ledger that lived has", lived, listed));
            words.addAll(differences("only a fresh list has", listed, lived));
        }
        return words;
    }

    private static List<String> differences(String who, LedgerFacts facts, LedgerFacts others) {
        List<Object> all = new ArrayList<>();
        List.of(facts.nodes(), facts.pods(), facts.holds(), facts.workloads(), facts.assumptions(), facts.namespaces())
                .forEach(all::addAll);
        List.of(
                        others.nodes(),
                        others.pods(),
                        others.holds(),
                        others.workloads(),
                        others.assumptions(),
                        others.namespaces())
                .forEach(all::removeAll);
        return all.stream().map(fact -> "%s: %s".formatted(who, fact)).toList();
    }

    private void check() {
        Snapshot now = loop.snapshot();
        List<Invariants.Violation> broken = new ArrayList<>(Invariants.check(now));
        broken.addAll(Invariants.between(last, now));
        last = now;
        if (!broken.isEmpty()) {
            throw new AssertionError("at %s: %s".formatted(time.server().instant(), broken));
        }
    }

    private Decider decider(Ledger ledger) {
        SimulatedDoors doors = new SimulatedDoors(ledger, schedulerNames);
        return new Decider(ledger, doors.placer(), new SchedulingQueue(BackOff.DEFAULT), schedulerNames, doors.all());
    }
}
