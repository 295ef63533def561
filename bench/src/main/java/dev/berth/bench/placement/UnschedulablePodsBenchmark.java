package dev.berth.bench.placement;

import dev.berth.bench.BenchmarkReport;
import dev.berth.bench.placement.PlacementScenario.Ownership;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodSpec;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import dev.berth.core.scheduling.Scheduler;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The cost of unschedulable pods: until all of them are refused, and then the cost of each pod that is added and
 * deleted while they wait.
 */
public final class UnschedulablePodsBenchmark {
    private static final int NODES = 2_000;
    private static final int WAITING = 5_000;
    private static final int BATCH = 200;
    private static final int BATCHES = 50;
    private static final int WARM_UP = 30;

    private final SteadyStateCluster cluster = new SteadyStateCluster(
            new PlacementScenario(NODES, 1, Ownership.BARE), PlacementScenario.PODS_PER_NODE, List.of());
    private final Scheduler scheduler = new Scheduler(
            cluster.ledger(),
            new Placer(cluster.ledger(), ScoreWeights.DEFAULT),
            new SchedulingQueue(BackoffPolicy.DEFAULT),
            Set.of("default-scheduler"));
    private Instant now = Instant.EPOCH;

    public static void main(String[] args) throws IOException {
        BenchmarkReport report =
                new BenchmarkReport("%,d pods that fit no node, %,d nodes, on one core; by the time its core worked"
                        .formatted(WAITING, NODES));
        report.println("%9s %20s %24s".formatted("templates", "all rejected (s)", "pods/s next to them"));
        report.println(new UnschedulablePodsBenchmark().line(0));
        for (int templates : new int[] {1, 10, 100}) {
            report.println(new UnschedulablePodsBenchmark().line(templates));
        }
        report.saveTo(args);
    }

    private String line(int templates) {
        for (int i = 0; i < WARM_UP; i++) {
            batch();
        }
        List<Fact> tooLarge = new ArrayList<>();
        for (int i = 0; templates > 0 && i < WAITING; i++) {
            tooLarge.add(new Fact.PodUpserted(tooLarge(i, i % templates)));
        }
        long start = cpuNanos();
        tooLarge.forEach(fact -> scheduler.apply(fact, now));
        decideAll();
        double refused = (cpuNanos() - start) / 1e9;
        long before = cpuNanos();
        for (int i = 0; i < BATCHES; i++) {
            batch();
        }
        double podsPerSecond = 1e9 * BATCH * BATCHES / (cpuNanos() - before);
        return "%,9d %20.3f %,24.0f".formatted(templates, refused, podsPerSecond);
    }

    /** As large as an empty node, and no node is empty. */
    private static Pod tooLarge(int number, int template) {
        Resources requests =
                Resources.of(Map.of(ResourceName.CPU, 32_000L, ResourceName.MEMORY, 1_000_000L + template));
        return Pod.builder(new PodUid("too-large-" + number), SteadyStateCluster.NAMESPACE, "too-large-" + number)
                .labels(Labels.of("app", "too-large-" + template))
                .spec(PodSpec.builder()
                        .requests(requests)
                        .scoringRequests(requests)
                        .build())
                .build();
    }

    /** Some pods are added, placed and observed, and as many are deleted. */
    private void batch() {
        now = now.plusMillis(1);
        for (int i = 0; i < BATCH; i++) {
            scheduler.apply(new Fact.PodUpserted(cluster.nextPod()), now);
        }
        for (Effect effect : decideAll()) {
            if (effect instanceof Effect.Bind bind) {
                PodUid uid = bind.pod().uid();
                Pod pod = cluster.ledger().pod(uid).orElseThrow();
                scheduler.apply(new Fact.PodUpserted(pod.boundTo(bind.node())), now);
                cluster.addPresent(uid);
            }
        }
        for (int i = 0; i < BATCH; i++) {
            scheduler.apply(new Fact.PodDeleted(cluster.removeRandomPresent()), now);
        }
    }

    private List<Effect> decideAll() {
        List<Effect> effects = new ArrayList<>();
        for (Optional<List<Effect>> next = scheduler.scheduleOne(now);
                next.isPresent();
                next = scheduler.scheduleOne(now)) {
            effects.addAll(next.get());
        }
        return effects;
    }

    private static long cpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }
}
