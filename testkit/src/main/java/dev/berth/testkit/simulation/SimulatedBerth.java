package dev.berth.testkit.simulation;

import dev.berth.core.invariant.Invariants;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.ledger.LedgerFacts;
import dev.berth.core.ledger.Snapshot;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.engine.EngineSettings;
import dev.berth.engine.Leadership;
import dev.berth.engine.LedgerLoop;
import dev.berth.sandbox.client.DynamicClient;
import dev.berth.sandbox.client.transport.Transport;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/**
 * One Berth with its informers, its scheduler and its writers. The invariants of its ledger are checked after every
 * turn.
 */
final class SimulatedBerth {
    private static final Duration BETWEEN_RENEWALS = Duration.ofSeconds(2);

    /**
     * The clocks of a Berth.
     *
     * @param server the API server's clock, which is right
     * @param own this Berth's estimate of it
     */
    record ClockPair(InstantSource server, InstantSource own) {
        /** The API server's time at which this Berth's clock will show the instant. */
        private Instant whenShown(Instant shown) {
            return server.instant().plus(Duration.between(own.instant(), shown));
        }
    }

    private final Random random;
    private final ClockPair clockPair;
    private final Set<String> schedulerNames;
    private final SimulatedFeed feed;
    private final SimulatedCluster cluster;
    private final Scheduler scheduler;
    private final LedgerLoop loop;
    private Snapshot lastSnapshot;
    /** The resume version in its Lease: see {@link #resumeVersion}. */
    private Optional<String> resumeVersion;

    private Instant nextRenewal = Instant.MIN;

    /** @param resumeVersion from the Lease of the Berth before; empty if there is none */
    SimulatedBerth(
            Transport transport,
            ClockPair clockPair,
            Set<String> schedulerNames,
            Random random,
            Supplier<FaultRates> faultRates,
            RecordedEffects recordedEffects,
            Optional<String> resumeVersion) {
        this.random = random;
        this.resumeVersion = resumeVersion;
        this.clockPair = clockPair;
        this.schedulerNames = schedulerNames;
        this.feed = new SimulatedFeed(
                new DynamicClient(transport),
                SimulatedDoors.informers(),
                random,
                () -> faultRates.get().brokenWatches());
        this.cluster = new SimulatedCluster(transport, random, faultRates, recordedEffects);
        this.scheduler = decider(new Ledger());
        this.loop = new LedgerLoop(scheduler, cluster, Leadership.ALWAYS, clockPair.own(), EngineSettings.DEFAULT);
        this.lastSnapshot = loop.snapshot();
        try {
            feed.start(resumeVersion, loop);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    Snapshot snapshot() {
        return loop.snapshot();
    }

    /** By the API server's clock. */
    Optional<Instant> nextWake() {
        return loop.nextWake().map(clockPair::whenShown);
    }

    /** The pod resourceVersion up to which all consequences are written: a successor must resume there. */
    Optional<String> resumeVersion() {
        return resumeVersion;
    }

    /** Called when the loop has applied everything that the feed has read. */
    private void renewLease() {
        Instant now = clockPair.server().instant();
        if (!now.isBefore(nextRenewal) && scheduler.podsPendingDurability().isEmpty()) {
            resumeVersion = Optional.of(feed.podsReached());
            nextRenewal = now.plus(BETWEEN_RENEWALS);
        }
    }

    /** The number of its unfinished writes. */
    int unfinished() {
        return loop.pendingWrites();
    }

    /** Returns whether anything changed, or is in flight. */
    boolean step() {
        try {
            boolean hasRead = feed.step(loop, 1 + random.nextInt(8));
            boolean underway = cluster.step();
            boolean more = loop.turn();
            checkInvariants();
            if (!more) {
                renewLease();
            }
            return hasRead || underway || more;
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** Kills it; writes in flight may still arrive. */
    List<InFlightCall<?>> kill() {
        feed.close();
        return cluster.orphanedCalls();
    }

    /** The problems of its ledger: violated invariants, and differences from a fresh list once everything is idle. */
    List<String> ledgerProblems() {
        List<String> words = new ArrayList<>();
        Invariants.check(snapshot()).forEach(violation -> words.add(violation.message()));
        Ledger fresh = new Ledger();
        Scheduler scheduler = decider(fresh);
        Instant now = clockPair.own().instant();
        feed.list().forEach(fact -> scheduler.apply(fact, now));
        scheduler.reconcileComponents(now);
        if (loop.pendingWrites() == 0) {
            LedgerFacts lived = snapshot().facts().withoutConfirmed();
            LedgerFacts listed = fresh.facts().withoutConfirmed();
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

    private void checkInvariants() {
        Snapshot now = loop.snapshot();
        List<Invariants.Violation> broken = new ArrayList<>(Invariants.check(now));
        broken.addAll(Invariants.checkTransition(lastSnapshot, now));
        lastSnapshot = now;
        if (!broken.isEmpty()) {
            throw new AssertionError("at %s: %s".formatted(clockPair.server().instant(), broken));
        }
    }

    private Scheduler decider(Ledger ledger) {
        SimulatedDoors doors = new SimulatedDoors(ledger, schedulerNames);
        return new Scheduler(
                ledger,
                doors.placer(),
                new SchedulingQueue(BackoffPolicy.DEFAULT),
                schedulerNames,
                doors.all(),
                doors.plugins());
    }
}
