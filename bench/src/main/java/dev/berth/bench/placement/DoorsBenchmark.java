package dev.berth.bench.placement;

import dev.berth.bench.Report;
import dev.berth.bench.placement.Scene.Ownership;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Door;
import dev.berth.core.decision.Effect;
import dev.berth.core.decision.Fact;
import dev.berth.core.door.annotation.AnnotationDoor;
import dev.berth.core.door.comeback.ComebackDoor;
import dev.berth.core.door.comeback.ComebackFact;
import dev.berth.core.door.comeback.Petition;
import dev.berth.core.door.device.DeviceDoor;
import dev.berth.core.door.preemption.PreemptionDoor;
import dev.berth.core.door.reservation.ReservationDoor;
import dev.berth.core.door.reservation.ReservationSettings;
import dev.berth.core.door.reserve.ReserveDoor;
import dev.berth.core.door.reserve.ReserveSettings;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.Profiles;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.volume.binding.VolumeDoor;
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
import java.util.function.Function;

/**
 * What open doors cost pods that have no business with them: the whole way of a pod through the decider, heard of,
 * decided on, seen bound, and another one's end; with every door open and with none. No hold is there. The ways take turns
 * in one run, each ratio is of two that were measured in the same turn, and a third way, without doors as the first, shows
 * how far apart two measurements of the same are.
 */
public final class DoorsBenchmark {
    private static final int NODES = 5_000;
    private static final int BATCH = 200;
    private static final int TRIALS = 2;
    private static final int ROUNDS = 30;
    private static final int WARM_UP = 20;
    private static final int BATCHES_A_ROUND = 20;

    private DoorsBenchmark() {}

    public static void main(String[] args) throws IOException {
        Report report =
                new Report("pods a second through the decider on one core, %,d nodes, no hold".formatted(NODES));
        report.say("ratios to no door: the median of all rounds, and between which half of them are");
        report.say("%-11s %7s %10s %10s %22s %22s"
                .formatted("pods", "shapes", "no door", "all doors", "all doors", "no door once more"));
        for (Ownership ownership : Ownership.values()) {
            for (int shapes : new int[] {1, 100}) {
                report.say(line(new Scene(NODES, shapes, ownership)));
            }
        }
        report.keep(args);
    }

    private static String line(Scene scene) {
        Rounds rounds = new Rounds();
        for (int trial = 0; trial < TRIALS; trial++) {
            rounds.add(scene);
        }
        return "%-11s %,7d %,10.0f %,10.0f %22s %22s"
                .formatted(
                        scene.ownership().name().toLowerCase(Locale.ROOT),
                        scene.shapes(),
                        Spread.of(rounds.closed).median,
                        Spread.of(rounds.open).median,
                        Spread.of(rounds.ratios),
                        Spread.of(rounds.control));
    }

    private static List<Door> doors(Ledger ledger) {
        PreemptionDoor preemption = new PreemptionDoor(Set.of("default-scheduler"));
        return List.of(
                new ReservationDoor(ReservationSettings.of(Set.of("default-scheduler"))),
                new ComebackDoor(Duration.ofSeconds(60)),
                new AnnotationDoor(),
                new ReserveDoor(ReserveSettings.DEFAULT),
                new DeviceDoor(ledger),
                preemption,
                new VolumeDoor(
                        ledger,
                        Profiles.same(Set.of("default-scheduler"), Profile.DEFAULT),
                        preemption.nominatedNodes()));
    }

    /** What was measured in all rounds of one scene. */
    private static final class Rounds {
        private final List<Double> closed = new ArrayList<>();
        private final List<Double> open = new ArrayList<>();
        private final List<Double> ratios = new ArrayList<>();
        private final List<Double> control = new ArrayList<>();

        /** On clusters built anew: how one happens to lie in memory must not decide. */
        void add(Scene scene) {
            Way none = new Way(scene, ledger -> List.of());
            Way all = new Way(scene, DoorsBenchmark::doors);
            Way again = new Way(scene, ledger -> List.of());
            List<Way> ways = new ArrayList<>(List.of(none, all, again));
            for (int round = 0; round < WARM_UP + ROUNDS; round++) {
                // Each has its turn once and each is the first as often as the others: all of them age alike.
                ways.forEach(Way::round);
                Collections.rotate(ways, 1);
                if (round >= WARM_UP) {
                    closed.add(none.podsPerSecond());
                    open.add(all.podsPerSecond());
                    ratios.add(all.podsPerSecond() / none.podsPerSecond());
                    control.add(again.podsPerSecond() / none.podsPerSecond());
                }
            }
        }
    }

    /** The middle of many values and the two between which half of them are. */
    private record Spread(double low, double median, double high) {
        static Spread of(List<Double> values) {
            List<Double> sorted = values.stream().sorted().toList();
            int size = sorted.size();
            return new Spread(sorted.get(size / 4), sorted.get(size / 2), sorted.get(size * 3 / 4));
        }

        @Override
        public String toString() {
            return "%.3f (%.3f to %.3f)".formatted(median, low, high);
        }
    }

    /** A cluster in a steady state and the decider that pods go through. */
    private static final class Way {
        private final Cluster cluster;
        private final Decider decider;
        private Instant now = Instant.EPOCH;
        private long nanos;

        Way(Scene scene, Function<Ledger, List<Door>> doors) {
            this.cluster = new Cluster(scene, 0);
            Ledger ledger = cluster.ledger();
            this.decider = new Decider(
                    ledger,
                    new Placer(ledger, ScoreWeights.DEFAULT),
                    new SchedulingQueue(BackOff.DEFAULT),
                    Set.of("default-scheduler"),
                    doors.apply(ledger));
            if (scene.ownership() == Ownership.DEPLOYMENT) {
                for (int i = 0; i < scene.shapes(); i++) {
                    Petition deployment = new Petition(Cluster.NAMESPACE, "app-" + i, "deployment-uid-" + i, "", "");
                    decider.learn(new ComebackFact.PetitionSeen(deployment), now);
                }
            }
        }

        void round() {
            nanos = 0;
            for (int i = 0; i < BATCHES_A_ROUND; i++) {
                batch();
            }
        }

        /** Of the time that the core worked on them in the last round. */
        double podsPerSecond() {
            return 1e9 * BATCH * BATCHES_A_ROUND / nanos;
        }

        /** The making of pods, which is the API server's part, does not count. */
        private void batch() {
            now = now.plusMillis(1);
            List<Fact> coming = new ArrayList<>(BATCH);
            List<Fact> leaving = new ArrayList<>(BATCH);
            List<Fact> bound = new ArrayList<>(BATCH);
            for (int i = 0; i < BATCH; i++) {
                coming.add(new Fact.PodSeen(cluster.nextPod()));
                leaving.add(new Fact.PodGone(cluster.takeOne()));
            }
            timed(() -> learn(coming));
            List<Effect> effects = new ArrayList<>(BATCH);
            timed(() -> decide(effects));
            effects.forEach(effect -> bound.add(new Fact.PodSeen(bound(effect))));
            timed(() -> learn(bound));
            timed(() -> learn(leaving));
            if (!decider.takeEffects().isEmpty()) {
                throw new IllegalStateException("a door writes although nothing concerns it");
            }
        }

        private void timed(Runnable work) {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            work.run();
            nanos += ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
        }

        private void learn(List<Fact> facts) {
            facts.forEach(fact -> decider.learn(fact, now));
            decider.settle(now);
        }

        private void decide(List<Effect> effects) {
            for (Optional<List<Effect>> next = decider.next(now); next.isPresent(); next = decider.next(now)) {
                effects.addAll(next.get());
            }
        }

        private Pod bound(Effect effect) {
            if (!(effect instanceof Effect.Bind bind)) {
                throw new IllegalStateException("a pod found no place: " + effect);
            }
            PodUid uid = bind.pod().uid();
            cluster.joined(uid);
            return cluster.ledger().pod(uid).orElseThrow().on(bind.node());
        }
    }
}
