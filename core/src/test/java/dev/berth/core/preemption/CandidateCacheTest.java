package dev.berth.core.preemption;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Namespace;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.NodeUid;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.fact.Fact;
import dev.berth.core.framework.Handle;
import dev.berth.core.hold.HoldId;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.HoldBuilder;
import dev.berth.core.testing.PodBuilder;
import dev.berth.core.testing.RandomSeeds;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The cached result of an equivalent pod is used exactly if a search from scratch finds the same. */
class CandidateCacheTest {
    private static final int HISTORIES = 40;
    private static final int STEPS = 60;
    private static final int HOLDS = 40;
    private static final int PREEMPTORS = 8;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Set<String> NAMES = Set.of("default-scheduler");

    private Random random = new Random(0);
    private NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
    private DefaultPreemption preemption = new DefaultPreemption(NAMES, nominatedNodes);
    private Scheduler scheduler = scheduler();
    private int pods;
    private int shared;

    @Test
    void aSearchWithTheCacheFindsTheSameAsOneWithout() {
        RandomSeeds.forEach(RandomSeeds.fresh(), HISTORIES, seed -> {
            random = new Random(seed);
            nominatedNodes = new NominatedNodeWriter();
            preemption = new DefaultPreemption(NAMES, nominatedNodes);
            scheduler = scheduler();
            for (int n = 0; n < 5; n++) {
                scheduler.apply(new Fact.NodeUpserted(node("n" + n)), NOW);
            }
            for (int step = 0; step < STEPS; step++) {
                change();
                for (int equivalent = 0; equivalent < 3; equivalent++) {
                    compare(preemptor(equivalent), seed);
                }
            }
        });
        RandomSeeds.checkOverAll(
                () -> assertThat(shared).as("searches that could be shared").isGreaterThan(HISTORIES * STEPS));
    }

    private void compare(Pod pod, long history) {
        List<Object> both = scheduler.callDoor(Origin.DoorId.KOORDINATOR, NOW, (any, handle) -> {
            Optional<CandidateCache.CachedCandidates> cachedCandidates = preemption.findCached(pod, handle);
            shared += cachedCandidates.isPresent() ? 1 : 0;
            return List.of(result(pod, cachedCandidates, handle), result(pod, Optional.empty(), handle));
        });
        assertThat(both.get(0)).as("seed %d: %s", history, pod).isEqualTo(both.get(1));
    }

    private String result(Pod pod, Optional<CandidateCache.CachedCandidates> cachedCandidates, Handle handle) {
        VictimSearch search = preemption.newVictimSearch(pod, cachedCandidates, handle);
        return search.findBest() + " " + search.message();
    }

    private void change() {
        switch (random.nextInt(11)) {
            case 0 -> scheduler.apply(new Fact.NodeUpserted(node("n" + random.nextInt(6))), NOW);
            case 1 -> scheduler.apply(new Fact.NodeDeleted(new NodeUid("n" + random.nextInt(6))), NOW);
            case 2 -> scheduler.apply(new Fact.PodDeleted(new PodUid("p" + random.nextInt(pods + 1))), NOW);
            case 3 -> budget();
            case 4, 9, 10 -> hold();
            case 5 -> {
                Labels labels = Labels.of("side", "s" + random.nextInt(2));
                scheduler.apply(new Fact.NamespaceUpserted(new Namespace("default", labels)), NOW);
            }
            case 6 -> evict();
            default -> scheduler.apply(new Fact.PodUpserted(running()), NOW);
        }
        scheduler.reconcileComponents(NOW);
    }

    /** Places or preempts a pod, and holds the nominated node. */
    private void evict() {
        scheduler.apply(new Fact.PodUpserted(preemptor(random.nextInt(4))), NOW);
        scheduler.scheduleOne(NOW);
    }

    private void budget() {
        String namespace = random.nextBoolean() ? "default" : "other";
        if (random.nextInt(3) == 0) {
            scheduler.apply(new PreemptionFact.BudgetDeleted("b-" + namespace), NOW);
            return;
        }
        Optional<LabelSelector> selector = Optional.of(LabelSelector.of(Labels.of("app", "web")));
        scheduler.apply(
                new PreemptionFact.BudgetUpserted(
                        new PodDisruptionBudget("b-" + namespace, namespace, selector, random.nextInt(3), Set.of())),
                NOW);
    }

    private void hold() {
        String id = "h" + random.nextInt(HOLDS);
        if (random.nextInt(4) == 0) {
            scheduler.apply(new Fact.HoldDeleted(new HoldId(id)), NOW);
            return;
        }
        HoldBuilder hold = aHold(id).on("n" + random.nextInt(6)).keeping(random.nextInt(3) * 500 + 500 + "m cpu");
        if (random.nextInt(4) == 0) {
            hold.forPod("default/x" + random.nextInt(PREEMPTORS));
        } else {
            hold.forPodsLabelled("app", List.of("web", "db", "kept").get(random.nextInt(3)));
        }
        scheduler.apply(new Fact.HoldUpserted((random.nextBoolean() ? hold.allocateOnce() : hold).build()), NOW);
    }

    private Node node(String name) {
        return aNode(name)
                .with(random.nextInt(3) + 2 + " cpu")
                .inZone("z" + random.nextInt(2))
                .build();
    }

    /** New, or another version of one that is there. */
    private Pod running() {
        int number = random.nextInt(3) == 0 ? random.nextInt(pods + 1) : ++pods;
        PodBuilder pod = aPod((number % 3 == 0 ? "other/p" : "p") + number)
                .asking(random.nextInt(3) * 500 + 500 + "m cpu")
                .ofPriority(random.nextInt(4))
                .labelled("app", List.of("web", "db", "kept").get(random.nextInt(3)))
                .on("n" + number % 6)
                .with(it -> it.startTime(Optional.of(NOW.minusSeconds(random.nextInt(3)))));
        if (random.nextInt(3) == 0) {
            pod.using("h" + random.nextInt(HOLDS));
        }
        if (random.nextInt(6) == 0) {
            PodAffinityTerm term = new PodAffinityTerm(
                    "topology.kubernetes.io/zone",
                    Optional.of(LabelSelector.of(Labels.of("app", "web"))),
                    List.of(),
                    Optional.of(LabelSelector.of(Labels.of("side", "s0"))));
            pod.withSpec(spec -> spec.podAffinity(new PodAffinity(List.of(), List.of(term), List.of())));
        }
        return pod.build();
    }

    private Pod preemptor(int equivalent) {
        List<String> apps = new ArrayList<>(List.of("web", "db", "kept", "web"));
        return aPod("x" + random.nextInt(PREEMPTORS))
                .asking(equivalent + 1 + " cpu")
                .labelled("app", apps.get(equivalent))
                .ofPriority(2 + equivalent % 3)
                .build();
    }

    private Scheduler scheduler() {
        Ledger ledger = new Ledger();
        return aScheduler(ledger)
                .serving(NAMES)
                .withDoors(() -> Origin.DoorId.KOORDINATOR)
                .withPlugins(nominatedNodes, preemption)
                .build();
    }
}
