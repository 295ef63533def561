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
import java.util.function.Supplier;

/** One Berth: what it reads, decides and writes. The invariants of its ledger are checked after every turn. */
final class SimulatedBerth {
    private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(2);

    private final Random dice;
    private final InstantSource clock;
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
            InstantSource clock,
            Random dice,
            Supplier<Faults> faults,
            Journal journal,
            Optional<String> past) {
        this.dice = dice;
        this.durable = past;
        this.clock = clock;
        this.feed = new SimulatedFeed(
                new ApiClient(transport),
                SimulatedDoors.feeds(),
                dice,
                () -> faults.get().brokenWatches());
        this.cluster = new SimulatedCluster(transport, dice, faults, journal);
        this.decider = decider(new Ledger());
        this.loop = new LedgerLoop(decider, cluster, Leadership.ALWAYS, clock, EngineSettings.DEFAULT);
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

    Optional<Instant> nextWake() {
        return loop.nextWake();
    }

    /** The version of pods up to which all that follows is written: a successor has to hear of what came after it. */
    Optional<String> durableVersion() {
        return durable;
    }

    /** Called when the loop has taken in all that the feed has read. */
    private void renewLease() {
        Instant now = clock.instant();
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
        feed.list().forEach(fact -> decider.learn(fact, clock.instant()));
        decider.settle(clock.instant());
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
            throw new AssertionError("at %s: %s".formatted(clock.instant(), broken));
        }
    }

    private static Decider decider(Ledger ledger) {
        SimulatedDoors doors = new SimulatedDoors(ledger);
        return new Decider(
                ledger,
                doors.placer(),
                new SchedulingQueue(BackOff.DEFAULT),
                SimulatedDoors.SCHEDULER_NAMES,
                doors.all());
    }
}
