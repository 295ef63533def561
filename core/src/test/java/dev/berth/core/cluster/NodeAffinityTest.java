package dev.berth.core.cluster;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.NodeAffinity.PreferredSchedulingTerm;
import dev.berth.core.testing.RandomSeeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Node affinity of many terms is looked up; what it says is what comparing all of them one by one would say. */
class NodeAffinityTest {
    @Test
    void indexedTermsMatchTheSameNodesAsComparingEachTerm() {
        RandomSeeds.forEach(0, 300, seed -> {
            Random random = new Random(seed);
            List<NodeSelectorTerm> terms = terms(random);
            List<PreferredSchedulingTerm> preferences = terms.stream()
                    .map(term -> new PreferredSchedulingTerm(1 + random.nextInt(100), term))
                    .toList();
            NodeAffinity affinity = new NodeAffinity(Labels.NONE, Optional.of(terms), preferences);
            for (int i = 0; i < 20; i++) {
                Node node = node(random);
                assertThat(affinity.matches(node))
                        .as("seed %d: whether %s allows %s", seed, terms, node.labels())
                        .isEqualTo(terms.stream().anyMatch(term -> term.matches(node)));
                assertThat(affinity.preferenceScore(node))
                        .as("seed %d: how much %s prefer %s", seed, preferences, node.labels())
                        .isEqualTo(preferences.stream()
                                .filter(preference -> preference.term().matches(node))
                                .mapToInt(PreferredSchedulingTerm::weight)
                                .sum());
            }
        });
    }

    private static Node node(Random random) {
        return aNode("n" + random.nextInt(10))
                .labelled("a", "" + random.nextInt(12))
                .labelled("b", "" + random.nextInt(3))
                .labelled("c" + random.nextInt(4), "x")
                .build();
    }

    private static List<NodeSelectorTerm> terms(Random random) {
        return IntStream.range(0, 1 + random.nextInt(30))
                .mapToObj(i -> new NodeSelectorTerm(
                        requirements(random, List.of("a", "b", "c0", "c1")),
                        random.nextInt(4) == 0
                                ? requirements(random, List.of(NodeSelectorTerm.NAME_FIELD, "metadata.other"))
                                : List.of()))
                .toList();
    }

    private static List<Requirement> requirements(Random random, List<String> keys) {
        List<Requirement> requirements = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            Requirement.Operator[] operators = Requirement.Operator.values();
            Requirement.Operator operator =
                    random.nextBoolean() ? Requirement.Operator.IN : operators[random.nextInt(operators.length)];
            int values = switch (operator) {
                case IN, NOT_IN -> 1 + random.nextInt(12);
                case EXISTS, DOES_NOT_EXIST -> 0;
                case GT, LT -> 1;
            };
            requirements.add(new Requirement(
                    keys.get(random.nextInt(keys.size())),
                    operator,
                    IntStream.range(0, values)
                            .mapToObj(value -> (random.nextInt(4) == 0 ? "n" : "") + random.nextInt(12))
                            .toList()));
        }
        return requirements;
    }

    @Test
    void aNodeIsComparedOnlyWithTermsThatRequireItsLabelValues() {
        List<NodeSelectorTerm> terms = IntStream.range(0, 10_000)
                .mapToObj(i -> new NodeSelectorTerm(List.of(in("zone", "z"), in("machine", "m" + i)), List.of()))
                .toList();

        assertThat(new NodeAffinity(Labels.NONE, Optional.of(terms), List.of()).maxComparisons())
                .isEqualTo(2);
    }

    @Test
    void termsOnDifferentLabelsAreNotAllComparedWithANode() {
        List<NodeSelectorTerm> terms = IntStream.range(0, 10_000)
                .mapToObj(i -> new NodeSelectorTerm(List.of(in("key" + i, "v")), List.of()))
                .toList();

        assertThat(new NodeAffinity(Labels.NONE, Optional.of(terms), List.of()).maxComparisons())
                .isLessThan(100);
    }

    @Test
    void aNodeIsComparedWithEveryTermThatRequiresNoValue() {
        List<NodeSelectorTerm> terms = IntStream.range(0, 100)
                .mapToObj(i -> new NodeSelectorTerm(
                        List.of(new Requirement("machine", Requirement.Operator.NOT_IN, List.of("m" + i))), List.of()))
                .toList();

        assertThat(new NodeAffinity(Labels.NONE, Optional.of(terms), List.of()).maxComparisons())
                .isEqualTo(100);
    }

    private static Requirement in(String key, String value) {
        return new Requirement(key, Requirement.Operator.IN, List.of(value));
    }
}
