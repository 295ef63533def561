package dev.berth.core.preemption;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.fact.Fact;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.nomination.NominatedNodeWriter;
import dev.berth.core.scheduling.Scheduler;
import dev.berth.core.testing.AllocatedBytes;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every namespace has its PodDisruptionBudgets, and each of them changes whenever one of its pods does. */
class ManyBudgetsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int NODES = 200;

    private final NominatedNodeWriter nominatedNodes = new NominatedNodeWriter();
    private final DefaultPreemption preemption = new DefaultPreemption(Set.of("default-scheduler"), nominatedNodes);
    private final Ledger ledger = new Ledger();
    private final Scheduler scheduler = aScheduler(ledger)
            .withDoors(() -> Origin.DoorId.KOORDINATOR)
            .withPlugins(nominatedNodes, preemption)
            .build();
    private final Pod preemptor = aPod("high").asking("1 cpu").ofPriority(10).build();

    private static PodDisruptionBudget budget(String uid, String namespace, String app, int allowed) {
        return new PodDisruptionBudget(
                uid, namespace, Optional.of(LabelSelector.of(Labels.of("app", app))), allowed, Set.of());
    }

    @Test
    void aPodIsComparedOnlyWithBudgetsOfItsNamespaceThatMaySelectIt() {
        PodDisruptionBudgetIndex podDisruptionBudgetIndex = new PodDisruptionBudgetIndex();
        IntStream.range(0, 1_000).forEach(i -> podDisruptionBudgetIndex.put(budget("t" + i, "tenant-" + i, "a", 1)));
        IntStream.range(0, 1_000).forEach(i -> podDisruptionBudgetIndex.put(budget("d" + i, "default", "app-" + i, 1)));
        podDisruptionBudgetIndex.put(budget("own", "default", "a", 1));

        assertThat(podDisruptionBudgetIndex.candidatesFor(
                        aPod("p").labelled("app", "a").build()))
                .extracting(PodDisruptionBudget::uid)
                .containsExactly("own");
    }

    @Test
    void aChangedBudgetOfAnotherNamespaceKeepsCachedCandidates() {
        fill();
        long scratch = cost();
        long again = cost();
        scheduler.apply(new PreemptionFact.BudgetUpserted(budget("t", "tenant", "a", 0)), NOW);
        long afterForeign = cost();
        scheduler.apply(new PreemptionFact.BudgetUpserted(budget("d", "default", "a", 0)), NOW);
        long afterOwn = cost();

        assertThat(again).as("bytes of a search, %d from scratch", scratch).isLessThan(scratch / 5);
        assertThat(afterForeign)
                .as("bytes after a budget of another namespace changed, %d from scratch", scratch)
                .isLessThan(scratch / 5);
        assertThat(afterOwn)
                .as("bytes after a budget of the pods that may go changed")
                .isGreaterThan(afterForeign * 2);
    }

    private void fill() {
        for (int i = 0; i < NODES; i++) {
            scheduler.apply(
                    new Fact.NodeUpserted(
                            aNode("n" + i).with("8 cpu", "110 pods").build()),
                    NOW);
            for (int j = 0; j < 10; j++) {
                Pod pod = aPod("p" + i + "-" + j)
                        .labelled("app", "a")
                        .asking("800m cpu")
                        .on("n" + i)
                        .build();
                scheduler.apply(new Fact.PodUpserted(pod), NOW);
            }
        }
        scheduler.reconcileComponents(NOW);
    }

    private long cost() {
        return scheduler.callDoor(
                Origin.DoorId.KOORDINATOR,
                NOW,
                (any, handle) -> AllocatedBytes.measure(() -> assertThat(preemption
                                .newVictimSearch(preemptor, preemption.findCached(preemptor, handle), handle)
                                .findBest())
                        .isPresent()));
    }
}
