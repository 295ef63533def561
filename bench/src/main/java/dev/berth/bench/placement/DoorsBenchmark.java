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
import dev.berth.core.door.device.DeviceDoor;
import dev.berth.core.door.reservation.ReservationDoor;
import dev.berth.core.door.reservation.ReservationSettings;
import dev.berth.core.door.reserve.ReserveDoor;
import dev.berth.core.door.reserve.ReserveSettings;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
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
 * decided on, seen bound, and another one's end; with every door open and with none, in turns in one run. No hold is
 * there.
 */
public final class DoorsBenchmark {
    private static final int NODES = 5_000;
    private static final int BATCH = 200;
    private static final int ROUNDS = 60;
    private static final int WARM_UP = 40;
    private static final int BATCHES_A_ROUND = 20;

    private DoorsBenchmark() {}

    public static void main(String[] args) throws IOException {
        Report report =
                new Report("pods a second through the decider on one core, %,d nodes, no hold".formatted(NODES));
        report.say("%-11s %7s %12s %12s %8s".formatted("pods", "shapes", "no door", "all doors", "ratio"));
        for (Ownership ownership : Ownership.values()) {
            for (int shapes : new int[] {1, 100}) {
                report.say(line(new Scene(NODES, shapes, ownership)));
            }
        }
        report.keep(args);
    }

    private static String line(Scene scene) {
        Way closed = new Way(scene, ledger -> List.of());
        Way open = new Way(scene, DoorsBenchmark::doors);
        List<Double> without = new ArrayList<>();
        List<Double> with = new ArrayList<>();
        for (int round = 0; round < WARM_UP + ROUNDS; round++) {
            double first = closed.round();
            double second = open.round();
            if (round >= WARM_UP) {
                without.add(first);
                with.add(second);
            }
        }
        return "%-11s %,7d %,12.0f %,12.0f %8.2f"
                .formatted(
                        scene.ownership().name().toLowerCase(Locale.ROOT),
                        scene.shapes(),
                        median(without),
                        median(with),
                        median(with) / median(without));
    }

    private static List<Door> doors(Ledger ledger) {
        return List.of(
                new ReservationDoor(ReservationSettings.of(Set.of("default-scheduler"))),
                new ComebackDoor(Duration.ofSeconds(60)),
                new AnnotationDoor(),
                new ReserveDoor(ReserveSettings.DEFAULT),
                new DeviceDoor(ledger));
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }

    /** A cluster in a steady state and the decider that pods go through. */
    private static final class Way {
        private final Cluster cluster;
        private final Decider decider;
        private Instant now = Instant.EPOCH;

        Way(Scene scene, Function<Ledger, List<Door>> doors) {
            this.cluster = new Cluster(scene, 0);
            Ledger ledger = cluster.ledger();
            this.decider = new Decider(
                    ledger,
                    new Placer(ledger, ScoreWeights.DEFAULT),
                    new SchedulingQueue(BackOff.DEFAULT),
                    Set.of("default-scheduler"),
                    doors.apply(ledger));
        }

        /** Pods a second of the time that the core worked. */
        double round() {
            long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            for (int i = 0; i < BATCHES_A_ROUND; i++) {
                batch();
            }
            long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
            return 1e9 * BATCH * BATCHES_A_ROUND / nanos;
        }

        private void batch() {
            now = now.plusMillis(1);
            for (int i = 0; i < BATCH; i++) {
                decider.learn(new Fact.PodSeen(cluster.nextPod()), now);
            }
            decider.settle(now);
            for (Optional<List<Effect>> next = decider.next(now); next.isPresent(); next = decider.next(now)) {
                next.get().forEach(this::bound);
            }
            for (int i = 0; i < BATCH; i++) {
                decider.learn(new Fact.PodGone(cluster.takeOne()), now);
            }
            decider.settle(now);
            if (!decider.takeEffects().isEmpty()) {
                throw new IllegalStateException("a door writes although nothing concerns it");
            }
        }

        private void bound(Effect effect) {
            if (!(effect instanceof Effect.Bind bind)) {
                throw new IllegalStateException("a pod found no place: " + effect);
            }
            PodUid uid = bind.pod().uid();
            Pod pod = cluster.ledger().pod(uid).orElseThrow();
            decider.learn(new Fact.PodSeen(pod.on(bind.node())), now);
            cluster.joined(uid);
        }
    }
}
