package dev.berth.core.decision;

import static dev.berth.core.testing.HoldBuilder.aHold;
import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.Placer;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.queue.BackOff;
import dev.berth.core.queue.SchedulingQueue;
import dev.berth.core.queue.Standing;
import dev.berth.core.testing.Allocation;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
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
        for (int i = 0; i < NODES; i++) {
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
    void aDecisionInPiecesDoesNoMoreWorkForEachPieceThanItsPiece() {
        refuseTheFirst();
        long inOne = Allocation.of(() -> assertThat(decider.next(NOW)).isPresent());
        DecisionInPiecesTest other = new DecisionInPiecesTest();
        other.aHoldForTheWebOnEachNode();
        other.refuseTheFirst();
        long inPieces = Allocation.of(() -> {
            while (other.decider.next(NOW, NO_TIME).orElseThrow().isEmpty()) {}
        });
        assertThat(inPieces).as("bytes in pieces, %d in one", inOne).isLessThan(5 * inOne);
    }

    /** What nodes say is kept from the second pod of a template on, and is asked for again when something changed. */
    private void refuseTheFirst() {
        decider.learn(new Fact.PodSeen(named("first")), NOW);
        assertThat(decider.next(NOW)).isPresent();
        decider.learn(new Fact.PodSeen(aPod("x").asking("1m cpu").on("n0").build()), NOW);
        decider.learn(new Fact.PodSeen(named("second")), NOW);
    }

    /** A pod that names all nodes, which none takes. */
    private static Pod named(String name) {
        List<NodeTerm> terms = IntStream.range(0, NODES)
                .mapToObj(i -> new Requirement(NodeTerm.NAME_FIELD, Requirement.Operator.IN, List.of("n" + i)))
                .map(field -> new NodeTerm(List.of(), List.of(field)))
                .toList();
        NodeAffinity affinity = new NodeAffinity(Labels.NONE, Optional.of(terms), List.of());
        return aPod(name)
                .asking("4 cpu")
                .shaped(shape -> shape.affinity(affinity))
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
