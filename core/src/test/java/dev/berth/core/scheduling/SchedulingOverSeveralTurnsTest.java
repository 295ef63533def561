package dev.berth.core.scheduling;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static dev.berth.core.testing.SchedulerBuilder.aScheduler;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.effect.Effect;
import dev.berth.core.fact.Fact;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.queue.BackoffPolicy;
import dev.berth.core.queue.QueueState;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.testing.AllocatedBytes;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pod that has holds on many nodes takes more time than a turn has. */
class SchedulingOverSeveralTurnsTest {
    private static final int NODES = 50;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final TimeBudget NO_TIME = () -> true;

    private final Ledger ledger = new Ledger();
    private final SchedulingQueue queue = new SchedulingQueue(BackoffPolicy.DEFAULT);
    private final Scheduler scheduler =
            aScheduler(ledger).serving("berth-scheduler").withQueue(queue).build();

    @BeforeEach
    void holdForWebPodsOnEachNode() {
        nodes(NODES);
    }

    private void nodes(int count) {
        for (int i = 0; i < count; i++) {
            scheduler.apply(
                    new Fact.NodeUpserted(aNode("n" + i)
                            .with("2 cpu", "8Gi memory", "10 pods")
                            .build()),
                    NOW);
            scheduler.apply(
                    new Fact.HoldUpserted(aHold("hold-" + i)
                            .on("n" + i)
                            .keeping("1 cpu", "1 pods")
                            .forPodsLabelled("app", "web")
                            .build()),
                    NOW);
        }
    }

    private Pod web(String name, String cpu) {
        return aPod(name)
                .labelled("app", "web")
                .asking(cpu)
                .with(pod -> pod.schedulerName("berth-scheduler"))
                .build();
    }

    private List<Effect> scheduleOverSeveralTurns(Pod pod) {
        int pieces = 0;
        List<Effect> effects = scheduler.scheduleOne(NOW, NO_TIME).orElseThrow();
        while (effects.isEmpty()) {
            assertThat(queue.stateOf(pod.uid())).contains(QueueState.ACTIVE);
            assertThat(++pieces).as("each piece asks one node more").isLessThan(3 * NODES);
            effects = scheduler.scheduleOne(NOW, NO_TIME).orElseThrow();
        }
        assertThat(pieces).as("pieces").isGreaterThanOrEqualTo(NODES - 1);
        return effects;
    }

    @Test
    void anUnschedulablePodIsEvaluatedOverSeveralTurnsAndStaysFirstInTheQueue() {
        Pod large = web("large", "4 cpu");
        scheduler.apply(new Fact.PodUpserted(large), NOW);

        List<Effect> effects = scheduleOverSeveralTurns(large);

        assertThat(effects)
                .anySatisfy(effect -> assertThat(effect)
                        .isInstanceOfSatisfying(
                                Effect.MarkUnscheduled.class,
                                mark -> assertThat(mark.message())
                                        .startsWith("0/50 nodes are available: 50 Insufficient cpu")));
        assertThat(queue.attemptCount(large.uid())).as("attempts").isEqualTo(1);
        assertThat(queue.stateOf(large.uid())).contains(QueueState.UNSCHEDULABLE);
    }

    @Test
    void aPodWithHoldsOnManyNodesIsPlacedOverSeveralTurns() {
        Pod small = web("small", "1 cpu");
        scheduler.apply(new Fact.PodUpserted(small), NOW);

        assertThat(scheduleOverSeveralTurns(small)).singleElement().isInstanceOf(Effect.Bind.class);
        assertThat(ledger.claimBy(small.uid())).as("the hold that it uses").isPresent();
    }

    @Test
    void aPodIsScheduledAlthoughNodesChangeAsFastAsTheyAreEvaluated() {
        Pod large = web("large", "4 cpu");
        scheduler.apply(new Fact.PodUpserted(large), NOW);
        int pieces = 0;
        while (scheduler.scheduleOne(NOW, NO_TIME).orElseThrow().isEmpty()) {
            assertThat(++pieces).as("pieces").isLessThan(1_000);
            for (int i = 0; i < NODES; i++) {
                scheduler.apply(
                        new Fact.PodUpserted(aPod("p%d-%d".formatted(pieces, i))
                                .asking("1m cpu")
                                .on("n" + i)
                                .build()),
                        NOW);
            }
        }
        assertThat(queue.stateOf(large.uid())).contains(QueueState.UNSCHEDULABLE);
    }

    @Test
    void theCostOverSeveralTurnsIsLinearInTheNodes() {
        bytesForUnschedulableOverSeveralTurns(NODES);
        long few = bytesForUnschedulableOverSeveralTurns(NODES);
        long many = bytesForUnschedulableOverSeveralTurns(8 * NODES);
        assertThat(many)
                .as("bytes for eight times as many nodes, %d for few", few)
                .isLessThan(20 * few);
    }

    private static long bytesForUnschedulableOverSeveralTurns(int nodes) {
        SchedulingOverSeveralTurnsTest scene = new SchedulingOverSeveralTurnsTest();
        scene.nodes(nodes);
        scene.makeFirstUnschedulable();
        // After 200 pieces a decision is made in one: time is up after every fourth node.
        int[] asked = {0};
        return AllocatedBytes.measure(() -> {
            while (scene.scheduler
                    .scheduleOne(NOW, () -> ++asked[0] % 4 == 0)
                    .orElseThrow()
                    .isEmpty()) {}
        });
    }

    /** Vetoes are cached from the second pod of a template on, and computed again after a change. */
    private void makeFirstUnschedulable() {
        scheduler.apply(new Fact.PodUpserted(demanding("first")), NOW);
        assertThat(scheduler.scheduleOne(NOW)).isPresent();
        scheduler.apply(new Fact.PodUpserted(aPod("x").asking("1m cpu").on("n0").build()), NOW);
        scheduler.apply(new Fact.PodUpserted(demanding("second")), NOW);
    }

    /** A pod without a cached ranking: all nodes are checked in one piece. */
    private static Pod demanding(String name) {
        return aPod(name)
                .asking("4 cpu")
                .withSpec(spec -> spec.requiredFeatures(List.of("feature")))
                .with(pod -> pod.schedulerName("berth-scheduler"))
                .build();
    }

    @Test
    void aPodOfHigherPriorityThatArrivesMeanwhileIsScheduledFirst() {
        scheduler.apply(new Fact.PodUpserted(web("large", "4 cpu")), NOW);
        assertThat(scheduler.scheduleOne(NOW, NO_TIME)).contains(List.of());
        scheduler.apply(
                new Fact.PodUpserted(aPod("urgent")
                        .asking("1 cpu")
                        .with(pod -> pod.schedulerName("berth-scheduler").priority(1_000))
                        .build()),
                NOW);

        assertThat(scheduler.scheduleOne(NOW, NO_TIME).orElseThrow())
                .singleElement()
                .isInstanceOfSatisfying(
                        Effect.Bind.class, bind -> assertThat(bind.pod().name()).isEqualTo("urgent"));
    }
}
