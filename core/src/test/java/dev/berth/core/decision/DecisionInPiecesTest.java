package dev.berth.core.decision;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Pod;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.queue.Standing;
import dev.berth.core.testing.Allocation;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A pod that has holds on many nodes takes more time than a turn has. */
class DecisionInPiecesTest {
    private static final int NODES = 50;
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
    private static final Pace NO_TIME = () -> true;

    private final Ledger ledger = new Ledger();
    private final SchedulingQueue queue = new SchedulingQueue(BackOff.DEFAULT);
    private final Decider decider =
            new Decider(ledger, new Placer(ledger, ScoreWeights.DEFAULT), queue, Set.of("berth-scheduler"));

    @BeforeEach
    void aHoldForTheWebOnEachNode() {
        nodes(NODES);
    }

    private void nodes(int count) {
        for (int i = 0; i < count; i++) {
            decider.learn(
                    new Fact.NodeSeen(aNode("n" + i)
                            .with("2 cpu", "8Gi memory", "10 pods")
                            .build()),
                    NOW);
            decider.learn(
                    new Fact.HoldSeen(aHold("hold-" + i)
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

    private List<Effect> decidedInPieces(Pod pod) {
        int pieces = 0;
        List<Effect> effects = decider.next(NOW, NO_TIME).orElseThrow();
        while (effects.isEmpty()) {
            assertThat(queue.standing(pod.uid())).contains(Standing.ACTIVE);
            assertThat(++pieces).as("each piece asks one node more").isLessThan(3 * NODES);
            effects = decider.next(NOW, NO_TIME).orElseThrow();
        }
        assertThat(pieces).as("pieces").isGreaterThanOrEqualTo(NODES - 1);
        return effects;
    }

    @Test
    void aPodThatManyNodesRefuseIsRefusedInPiecesAndStaysNextMeanwhile() {
        Pod large = web("large", "4 cpu");
        decider.learn(new Fact.PodSeen(large), NOW);

        List<Effect> effects = decidedInPieces(large);

        assertThat(effects)
                .anySatisfy(effect -> assertThat(effect)
                        .isInstanceOfSatisfying(
                                Effect.MarkUnscheduled.class,
                                mark -> assertThat(mark.message())
                                        .startsWith("0/50 nodes are available: 50 Insufficient cpu")));
        assertThat(queue.attempts(large.uid())).as("attempts").isEqualTo(1);
        assertThat(queue.standing(large.uid())).contains(Standing.WAITING);
    }

    @Test
    void aPodThatMayUseHoldsOnManyNodesIsPlacedInPieces() {
        Pod small = web("small", "1 cpu");
        decider.learn(new Fact.PodSeen(small), NOW);

        assertThat(decidedInPieces(small)).singleElement().isInstanceOf(Effect.Bind.class);
        assertThat(ledger.claimBy(small.uid())).as("the hold that it uses").isPresent();
    }

    @Test
    void aPodIsDecidedOnThoughNodesChangeAsFastAsTheyAreAsked() {
        Pod large = web("large", "4 cpu");
        decider.learn(new Fact.PodSeen(large), NOW);
        int pieces = 0;
        while (decider.next(NOW, NO_TIME).orElseThrow().isEmpty()) {
            assertThat(++pieces).as("pieces").isLessThan(1_000);
            for (int i = 0; i < NODES; i++) {
                decider.learn(
                        new Fact.PodSeen(aPod("p%d-%d".formatted(pieces, i))
                                .asking("1m cpu")
                                .on("n" + i)
                                .build()),
                        NOW);
            }
        }
        assertThat(queue.standing(large.uid())).contains(Standing.WAITING);
    }

    @Test
    void theWorkForARefusalInPiecesGrowsWithTheNodesAndNotWithTheirSquare() {
        refusedInPieces(NODES);
        long few = refusedInPieces(NODES);
        long many = refusedInPieces(8 * NODES);
        assertThat(many)
                .as("bytes for eight times as many nodes, %d for few", few)
                .isLessThan(20 * few);
    }

    private static long refusedInPieces(int nodes) {
        DecisionInPiecesTest scene = new DecisionInPiecesTest();
        scene.nodes(nodes);
        scene.refuseTheFirst();
        // After 200 pieces a decision is made in one: time is up after every fourth node.
        int[] asked = {0};
        return Allocation.of(() -> {
            while (scene.decider
                    .next(NOW, () -> ++asked[0] % 4 == 0)
                    .orElseThrow()
                    .isEmpty()) {}
        });
    }

    /** What nodes say is kept from the second pod of a template on, and is asked for again when something changed. */
    private void refuseTheFirst() {
        decider.learn(new Fact.PodSeen(demanding("first")), NOW);
        assertThat(decider.next(NOW)).isPresent();
        decider.learn(new Fact.PodSeen(aPod("x").asking("1m cpu").on("n0").build()), NOW);
        decider.learn(new Fact.PodSeen(demanding("second")), NOW);
    }

    /** A pod for which no order of nodes is kept: whether a node has room for it is asked of all nodes in one piece. */
    private static Pod demanding(String name) {
        return aPod(name)
                .asking("4 cpu")
                .shaped(shape -> shape.features(List.of("feature")))
                .with(pod -> pod.schedulerName("berth-scheduler"))
                .build();
    }

    @Test
    void aPodOfMorePriorityThatComesMeanwhileIsDecidedOnFirst() {
        decider.learn(new Fact.PodSeen(web("large", "4 cpu")), NOW);
        assertThat(decider.next(NOW, NO_TIME)).contains(List.of());
        decider.learn(
                new Fact.PodSeen(aPod("urgent")
                        .asking("1 cpu")
                        .with(pod -> pod.schedulerName("berth-scheduler").priority(1_000))
                        .build()),
                NOW);

        assertThat(decider.next(NOW, NO_TIME).orElseThrow())
                .singleElement()
                .isInstanceOfSatisfying(
                        Effect.Bind.class, bind -> assertThat(bind.pod().name()).isEqualTo("urgent"));
    }
}
