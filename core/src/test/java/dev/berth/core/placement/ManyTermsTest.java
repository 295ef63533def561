package dev.berth.core.placement;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.score.ScoreWeights;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A pod is compared with all nodes or with all pods in one decision, which no turn can cut. */
class ManyTermsTest {
    private final Ledger ledger = new Ledger();
    private final Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);

    ManyTermsTest() {
        ledger.put(aNode("n1").with("4 cpu", "10 pods").build());
    }

    @Test
    void aPodWithMoreNodeTermsThanANodeIsComparedWithIsRefusedWithTheNumber() {
        assertThat(refusal(avoiding(1_001)))
                .contains(
                        "node affinity has too many terms that one node must be compared with (up to 1001, limit 1000)."
                                + " Combine terms on the same label into one In expression with several values.");
    }

    @Test
    void aSingleNodeIsNotComparedWithTooManyTermsEither() {
        List<Veto> vetoes = placer.vetoes(avoiding(1_001), ledger.node("n1").orElseThrow(), HoldUse.PREFERRED);

        assertThat(vetoes).extracting(Veto::code).containsExactly(Veto.Code.INVALID_POD);
    }

    @Test
    void aPodWithManyNodeTermsThatEachNameAValueIsPlaced() {
        List<NodeSelectorTerm> terms = IntStream.range(0, 10_000)
                .mapToObj(i -> term(Requirement.Operator.IN, i))
                .toList();
        ledger.put(aNode("n2")
                .with("4 cpu", "10 pods")
                .labelled("machine", "m9999")
                .build());

        assertThat(placer.place(withTerms(terms)))
                .isInstanceOfSatisfying(
                        Placement.Placed.class,
                        placed -> assertThat(placed.nodeName()).isEqualTo("n2"));
    }

    @Test
    void aPodAffinityTermWithTooManyExpressionsIsRefusedWithTheNumber() {
        PodAffinity affinity = new PodAffinity(
                List.of(), List.of(PodAffinityTerm.of("kubernetes.io/hostname", expressions(1_001))), List.of());

        assertThat(refusal(aPod("p").withSpec(it -> it.podAffinity(affinity)).build()))
                .contains("pod has 1001 expressions in its pod affinity terms; the maximum is 1000");
    }

    @Test
    void aSpreadConstraintWithTooManyExpressionsIsRefusedWithTheNumber() {
        TopologySpreadConstraint constraint = new TopologySpreadConstraint(
                "kubernetes.io/hostname",
                Optional.of(expressions(1_001)),
                true,
                1,
                1,
                TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT,
                List.of());

        assertThat(refusal(aPod("p")
                        .withSpec(it -> it.topologySpreadConstraints(List.of(constraint)))
                        .build()))
                .contains("pod has 1001 expressions in its topology spread constraints; the maximum is 1000");
    }

    private String refusal(Pod pod) {
        Placement placement = placer.place(pod);
        assertThat(placement).isInstanceOf(Placement.Refused.class);
        return ((Placement.Refused) placement).fitErrorMessage();
    }

    /** A pod whose terms name no value that a node must have. */
    private static Pod avoiding(int terms) {
        return withTerms(IntStream.range(0, terms)
                .mapToObj(i -> term(Requirement.Operator.NOT_IN, i))
                .toList());
    }

    private static Pod withTerms(List<NodeSelectorTerm> terms) {
        NodeAffinity affinity = new NodeAffinity(Labels.NONE, Optional.of(terms), List.of());
        return aPod("p")
                .asking("1 cpu")
                .withSpec(it -> it.nodeAffinity(affinity))
                .build();
    }

    private static NodeSelectorTerm term(Requirement.Operator operator, int machine) {
        return new NodeSelectorTerm(List.of(new Requirement("machine", operator, List.of("m" + machine))), List.of());
    }

    private static LabelSelector expressions(int number) {
        return new LabelSelector(
                Labels.NONE,
                IntStream.range(0, number)
                        .mapToObj(i -> new Requirement("app", Requirement.Operator.NOT_IN, List.of("a" + i)))
                        .toList());
    }
}
