package dev.berth.core.door.preemption;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.decision.Decider;
import dev.berth.core.decision.Fact;
import dev.berth.core.hold.Origin;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.Allocation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every namespace has its PodDisruptionBudgets, and each of them changes whenever one of its pods does. */
class ManyBudgetsTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final int NODES = 200;

    private final PreemptionDoor door = new PreemptionDoor(Set.of("default-scheduler"));
    private final Ledger ledger = new Ledger();
    private final Decider decider = new Decider(
            ledger,
            new Placer(ledger, ScoreWeights.DEFAULT),
            new SchedulingQueue(BackOff.DEFAULT),
            Set.of("default-scheduler"),
            List.of(door));
    private final Pod preemptor = aPod("high").asking("1 cpu").ofPriority(10).build();

    private static Budget budget(String uid, String namespace, String app, int allowed) {
        return new Budget(uid, namespace, Optional.of(LabelSelector.of(Labels.of("app", app))), allowed, Set.of());
    }

    @Test
    void aPodIsComparedOnlyWithBudgetsOfItsNamespaceThatMaySelectIt() {
        Budgets budgets = new Budgets();
        IntStream.range(0, 1_000).forEach(i -> budgets.put(budget("t" + i, "tenant-" + i, "a", 1)));
        IntStream.range(0, 1_000).forEach(i -> budgets.put(budget("d" + i, "default", "app-" + i, 1)));
        budgets.put(budget("own", "default", "a", 1));

        assertThat(budgets.candidates(aPod("p").labelled("app", "a").build()))
                .extracting(Budget::uid)
                .containsExactly("own");
    }

    @Test
    void aChangedBudgetOfAnotherNamespaceLeavesWhatWasFoundOnNodes() {
        fill();
        long scratch = cost();
        long again = cost();
        decider.learn(new PreemptionFact.BudgetSeen(budget("t", "tenant", "a", 0)), NOW);
        long afterForeign = cost();
        decider.learn(new PreemptionFact.BudgetSeen(budget("d", "default", "a", 0)), NOW);
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
            decider.learn(
                    new Fact.NodeSeen(aNode("n" + i).with("8 cpu", "110 pods").build()), NOW);
            for (int j = 0; j < 10; j++) {
                Pod pod = aPod("p" + i + "-" + j)
                        .labelled("app", "a")
                        .asking("800m cpu")
                        .on("n" + i)
                        .build();
                decider.learn(new Fact.PodSeen(pod), NOW);
            }
        }
        decider.settle(NOW);
    }

    private long cost() {
        return decider.ask(
                Origin.Door.PREEMPTION,
                NOW,
                (any, desk) -> Allocation.of(() -> assertThat(door.search(preemptor, door.known(preemptor, desk), desk)
                                .smallest())
                        .isPresent()));
    }
}
