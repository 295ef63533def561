package dev.berth.bench.placement;

import dev.berth.bench.BenchmarkReport;
import dev.berth.bench.placement.PlacementScenario.Ownership;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.door.Door;
import dev.berth.core.door.devices.DeviceDoor;
import dev.berth.core.door.globalreserve.GlobalReserveDoor;
import dev.berth.core.door.globalreserve.GlobalReserveSettings;
import dev.berth.core.door.godel.GodelDoor;
import dev.berth.core.door.godel.GodelFact;
import dev.berth.core.door.godel.ReservationRequest;
import dev.berth.core.door.koordinator.KoordinatorDoor;
import dev.berth.core.door.koordinator.KoordinatorSettings;
import dev.berth.core.door.nodeannotation.NodeAnnotationDoor;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.Plugin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.preemption.DefaultPreemption;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.volumebinding.prebind.VolumeBinding;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * The cost of enabled doors for pods that do not use them: the whole path of a pod through the scheduler, from its add
 * event over its placement to its bind event, and the deletion of another pod; with all doors and with none. There are
 * no holds. The variants alternate in one run, and each ratio is of two measurements of the same turn. A third variant,
 * without doors like the first, shows the noise.
 */
public final class DoorsBenchmark {
    private static final int NODES = 5_000;
    private static final int BATCH = 200;
    private static final int TRIALS = 2;
    private static final int ROUNDS = 30;
    private static final int WARM_UP = 20;
    private static final int BATCHES_PER_ROUND = 20;

    private DoorsBenchmark() {}

    public static void main(String[] args) throws IOException {
        BenchmarkReport report = new BenchmarkReport(
                "pods a second through the decider on one core, %,d nodes, no hold".formatted(NODES));
        report.println("ratios to no door: the median of all rounds, and between which half of them are");
        report.println("%-11s %7s %10s %10s %22s %22s"
                .formatted("pods", "shapes", "no door", "all doors", "all doors", "no door again"));
        for (Ownership ownership : Ownership.values()) {
            for (int shapes : new int[] {1, 100}) {
                report.println(line(new PlacementScenario(NODES, shapes, ownership)));
            }
        }
        report.saveTo(args);
    }

    private static String line(PlacementScenario placementScenario) {
        Rounds rounds = new Rounds();
        for (int trial = 0; trial < TRIALS; trial++) {
            rounds.add(placementScenario);
        }
        return "%-11s %,7d %,10.0f %,10.0f %22s %22s"
                .formatted(
                        placementScenario.ownership().name().toLowerCase(Locale.ROOT),
                        placementScenario.shapes(),
                        Spread.of(rounds.withoutDoors).median(),
                        Spread.of(rounds.withDoors).median(),
                        Spread.of(rounds.ratios),
                        Spread.of(rounds.control));
    }

    private static List<Door> doors(Ledger ledger) {
        return List.of(
                new KoordinatorDoor(KoordinatorSettings.of(Set.of("default-scheduler"))),
                new GodelDoor(Duration.ofSeconds(60)),
                new NodeAnnotationDoor(),
                new GlobalReserveDoor(GlobalReserveSettings.DEFAULT),
                new DeviceDoor(ledger));
    }

    private static List<Plugin> plugins(Ledger ledger) {
        Profiles profiles = Profiles.forSchedulers(Set.of("default-scheduler"), Profile.DEFAULT);
        NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
        return List.of(
                new VolumeBinding(ledger, profiles, nominatedNodes),
                nominatedNodes,
                new DefaultPreemption(profiles, nominatedNodes));
    }

    /** The measurements of all rounds of one scenario. */
    private static final class Rounds {
        private final List<Double> withoutDoors = new ArrayList<>();
        private final List<Double> withDoors = new ArrayList<>();
        private final List<Double> ratios = new ArrayList<>();
        private final List<Double> control = new ArrayList<>();

        /** On new clusters: the layout in memory must not decide. */
        void add(PlacementScenario placementScenario) {
            DeciderRun none = new DeciderRun(placementScenario, false);
            DeciderRun all = new DeciderRun(placementScenario, true);
            DeciderRun again = new DeciderRun(placementScenario, false);
            List<DeciderRun> runs = new ArrayList<>(List.of(none, all, again));
            for (int round = 0; round < WARM_UP + ROUNDS; round++) {
                // Each variant runs once, and each is the first as often as the others: all of them age alike.
                runs.forEach(DeciderRun::runRound);
                Collections.rotate(runs, 1);
                if (round >= WARM_UP) {
                    withoutDoors.add(none.podsPerSecond());
                    withDoors.add(all.podsPerSecond());
                    ratios.add(all.podsPerSecond() / none.podsPerSecond());
                    control.add(again.podsPerSecond() / none.podsPerSecond());
                }
            }
        }
    }

    /** A cluster in a steady state and the scheduler. */
    private static final class DeciderRun {
        private final SteadyStateCluster cluster;
        private final Scheduler scheduler;
        private Instant now = Instant.EPOCH;
        private long nanos;

        /** @param withDoors whether the scheduler has all doors and plugins, or none */
        DeciderRun(PlacementScenario placementScenario, boolean withDoors) {
            this.cluster = new SteadyStateCluster(placementScenario, PlacementScenario.PODS_PER_NODE, List.of());
            Ledger ledger = cluster.ledger();
            this.scheduler = new Scheduler(
                    ledger,
                    new Placer(ledger, ScoreWeights.DEFAULT),
                    new SchedulingQueue(BackoffPolicy.DEFAULT),
                    Set.of("default-scheduler"),
                    withDoors ? doors(ledger) : List.of(),
                    withDoors ? plugins(ledger) : List.of());
            if (placementScenario.ownership() == Ownership.DEPLOYMENT) {
                for (int i = 0; i < placementScenario.shapes(); i++) {
                    ReservationRequest deployment = new ReservationRequest(
                            SteadyStateCluster.NAMESPACE, "app-" + i, "deployment-uid-" + i, "", "");
                    scheduler.apply(new GodelFact.RequestUpserted(deployment), now);
                }
            }
        }

        void runRound() {
            nanos = 0;
            for (int i = 0; i < BATCHES_PER_ROUND; i++) {
                runBatch();
            }
        }

        /** The CPU time of the last round, for each pod. */
        double podsPerSecond() {
            return 1e9 * BATCH * BATCHES_PER_ROUND / nanos;
        }

        /** The creation of pods, which is the API server's part, does not count. */
        private void runBatch() {
            now = now.plusMillis(1);
            List<Fact> facts = new ArrayList<>(BATCH);
            List<Fact> leaving = new ArrayList<>(BATCH);
            List<Fact> bound = new ArrayList<>(BATCH);
            for (int i = 0; i < BATCH; i++) {
                facts.add(new Fact.PodUpserted(cluster.nextPod()));
                leaving.add(new Fact.PodDeleted(cluster.removeRandomPresent()));
            }
            timed(() -> applyFacts(facts));
            List<Effect> effects = new ArrayList<>(BATCH);
            timed(() -> decide(effects));
            effects.forEach(effect -> bound.add(new Fact.PodUpserted(bound(effect))));
            timed(() -> applyFacts(bound));
            timed(() -> applyFacts(leaving));
            if (!scheduler.drainEffects().isEmpty()) {
                throw new IllegalStateException("a door writes although no object of the door changed");
            }
        }

        private void timed(Runnable work) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            work.run();
            nanos += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        }

        private void applyFacts(List<Fact> facts) {
            facts.forEach(fact -> scheduler.apply(fact, now));
            scheduler.reconcileComponents(now);
        }

        private void decide(List<Effect> effects) {
            for (Optional<List<Effect>> next = scheduler.scheduleOne(now);
                    next.isPresent();
                    next = scheduler.scheduleOne(now)) {
                effects.addAll(next.get());
            }
        }

        private Pod bound(Effect effect) {
            if (!(effect instanceof Effect.Bind bind)) {
                throw new IllegalStateException("a pod found no place: " + effect);
            }
            PodUid uid = bind.pod().uid();
            cluster.addPresent(uid);
            return cluster.ledger().pod(uid).orElseThrow().boundTo(bind.node());
        }
    }
}
