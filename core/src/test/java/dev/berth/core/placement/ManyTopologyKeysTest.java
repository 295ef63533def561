package dev.berth.core.placement;

import static dev.berth.core.testing.NodeBuilder.aNode;
import static dev.berth.core.testing.PodBuilder.aPod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.PodUid;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.ledger.Ledger;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.testing.AllocatedBytes;
import dev.berth.core.testing.PodBuilder;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tenants may write any number of pod affinity terms with any topology keys; only keys that nodes carry may cost anything. */
class ManyTopologyKeysTest {
    private static final int SMALL = 50;
    private static final int LARGE = 2_000;

    private final Ledger ledger = new Ledger();
    private final Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);

    private static final class World {
        final Ledger ledger = new Ledger();
        final Placer placer = new Placer(ledger, ScoreWeights.DEFAULT);

        World(int nodes) {
            IntStream.range(0, nodes)
                    .forEach(i -> ledger.put(aNode("n" + i)
                            .with("4 cpu", "100 pods")
                            .labelled(Node.HOSTNAME_LABEL, "n" + i)
                            .build()));
            placer.place(plain("first").build());
        }

        long cost(PodBuilder pod) {
            ledger.put(pod.build());
            return AllocatedBytes.measure(
                    () -> assertThat(placer.place(pod.build())).isInstanceOf(Placement.Placed.class));
        }
    }

    private static PodBuilder plain(String name) {
        return aPod(name).asking("1m cpu").labelled("app", "web");
    }

    private static PodAffinityTerm everybodyNear(String key) {
        return new PodAffinityTerm(
                key, Optional.of(LabelSelector.EVERYTHING), List.of(), Optional.of(LabelSelector.EVERYTHING));
    }

    private static PodBuilder withPreferredTerms(String name, int terms, IntFunction<PodAffinityTerm> term) {
        List<PodAffinity.WeightedPodAffinityTerm> preferred = IntStream.range(0, terms)
                .mapToObj(i -> new PodAffinity.WeightedPodAffinityTerm(1, term.apply(i)))
                .toList();
        return plain(name).withSpec(it -> it.podAffinity(new PodAffinity(List.of(), List.of(), preferred)));
    }

    private static PodBuilder unknownKeys(String name, int terms) {
        return withPreferredTerms(name, terms, i -> everybodyNear("unknown/k" + i));
    }

    @Test
    void topologyKeysThatNoNodeCarriesCostTheSameOnAFewNodesAndOnMany() {
        World small = new World(SMALL);
        World large = new World(LARGE);
        long few = small.cost(unknownKeys("p", 1_000)) - small.cost(unknownKeys("q", 1));
        long many = large.cost(unknownKeys("p", 1_000)) - large.cost(unknownKeys("q", 1));

        assertThat(many)
                .as(
                        "bytes that 999 keys cost on %d nodes; on %d nodes %d. One pod could exhaust the heap",
                        LARGE, SMALL, few)
                .isLessThan(2 * few + 100_000);
    }

    @Test
    void aBoundPodWithManyUnknownTopologyKeysCostsPodsOfOtherNamespacesNothing() {
        World plain = new World(LARGE);
        World beside = new World(LARGE);
        beside.ledger.put(unknownKeys("tenant/p", 5_000).on("n1").build());
        plain.cost(plain("other/first"));
        beside.cost(plain("other/first"));

        long alone = plain.cost(plain("other/p").labelled("pod", "p"));
        long near = beside.cost(plain("other/p").labelled("pod", "p"));

        assertThat(near)
                .as("bytes for a pod of another namespace; %d without the bound pod", alone)
                .isLessThan(2 * alone);
    }

    @Test
    void theCostOfAPodWithManyTermsThatSelectAllPodsIsLinearInItsTerms() {
        long few = selectingEverybody(100);
        long many = selectingEverybody(1_000);

        assertThat(many).as("bytes for 1000 terms, %d for 100", few).isLessThan(20 * few);
    }

    private static long selectingEverybody(int terms) {
        World world = new World(500);
        IntStream.range(0, 500)
                .forEach(i -> world.ledger.put(
                        plain("there" + i).labelled("pod", "p" + i).on("n" + i).build()));
        IntFunction<PodAffinityTerm> term = i -> PodAffinityTerm.of(
                Node.HOSTNAME_LABEL,
                new LabelSelector(
                        Labels.NONE,
                        List.of(new Requirement("k" + i, Requirement.Operator.DOES_NOT_EXIST, List.of()))));
        world.cost(withPreferredTerms("warm", 1, term));
        return world.cost(withPreferredTerms("p", terms, i -> term.apply(i + 1)));
    }

    @Test
    void aPodWithMoreTermsThanBerthDecidesOnIsRefusedWithTheNumber() {
        ledger.put(aNode("n1").with("4 cpu", "10 pods").build());
        Placement placement = placer.place(unknownKeys("p", 1_001).build());

        assertThat(placement).isInstanceOf(Placement.Refused.class);
        assertThat(((Placement.Refused) placement).fitErrorMessage())
                .contains("pod has 1001 pod affinity terms; the maximum is 1000");
    }

    @Test
    void antiAffinityOfABoundPodCountsAsSoonAsANodeCarriesItsTopologyKey() {
        PodAffinityTerm term = everybodyNear("rack");
        ledger.put(aNode("n1").with("4 cpu", "10 pods").build());
        ledger.put(plain("alone")
                .withSpec(it -> it.podAffinity(new PodAffinity(List.of(), List.of(term), List.of())))
                .on("n1")
                .build());
        assertThat(placer.place(plain("p").build())).isInstanceOf(Placement.Placed.class);

        ledger.put(aNode("n1").with("4 cpu", "10 pods").labelled("rack", "r1").build());
        assertThat(placer.place(plain("p").build()))
                .as("a pod beside one that must be alone in its rack")
                .isInstanceOf(Placement.Refused.class);

        ledger.put(aNode("n1").with("4 cpu", "10 pods").build());
        assertThat(placer.place(plain("p").build())).isInstanceOf(Placement.Placed.class);
    }

    @Test
    void requiredAffinityOverAKeyThatNoNodeCarriesWaitsUntilANodeCarriesIt() {
        PodAffinityTerm term = PodAffinityTerm.of("rack", LabelSelector.of(Labels.of("app", "web")));
        PodBuilder pod =
                plain("p").withSpec(it -> it.podAffinity(new PodAffinity(List.of(term), List.of(), List.of())));
        ledger.put(aNode("n1").with("4 cpu", "10 pods").build());
        assertThat(placer.place(pod.build())).isInstanceOf(Placement.Refused.class);

        ledger.put(aNode("n1").with("4 cpu", "10 pods").labelled("rack", "r1").build());
        assertThat(placer.place(pod.build())).isInstanceOf(Placement.Placed.class);
    }

    @Test
    void aSpreadConstraintOverAKeyThatNoNodeCarriesNamesTheMissingLabel() {
        ledger.put(aNode("n1").with("4 cpu", "10 pods").inZone("a").build());
        Placement placement = placer.place(plain("p")
                .withSpec(it ->
                        it.topologySpreadConstraints(List.of(spread(Node.ZONE_LABEL, true), spread("rack", true))))
                .build());
        assertThat(((Placement.Refused) placement).fitErrorMessage()).contains("missing required label");

        assertThat(placer.place(plain("p")
                        .withSpec(it -> it.topologySpreadConstraints(
                                List.of(spread(Node.ZONE_LABEL, false), spread("rack", false))))
                        .build()))
                .isInstanceOf(Placement.Placed.class);
    }

    private static TopologySpreadConstraint spread(String key, boolean required) {
        return new TopologySpreadConstraint(
                key,
                Optional.of(LabelSelector.of(Labels.of("app", "web"))),
                required,
                1,
                1,
                TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT,
                List.of());
    }

    @Test
    void affinityIsCorrectAfterManyNodeLabelsComeAndGo() {
        PodAffinityTerm term = everybodyNear("rack");
        ledger.put(plain("alone")
                .withSpec(it -> it.podAffinity(new PodAffinity(List.of(), List.of(term), List.of())))
                .on("n0")
                .build());
        for (int i = 0; i < 200; i++) {
            ledger.put(aNode("n0")
                    .with("4 cpu", "10 pods")
                    .labelled("k" + i, "v")
                    .labelled("rack", "r" + i)
                    .build());
            ledger.put(aNode("n1")
                    .with("4 cpu", "10 pods")
                    .labelled("rack", "r" + (i / 2 * 2))
                    .build());
            Placement placement = placer.place(
                    withPreferredTerms("p", 1, one -> everybodyNear("k7")).build());
            assertThat(placement instanceof Placement.Placed)
                    .as("n1 is %s the rack of the pod that must be alone", i % 2 == 0 ? "in" : "beside")
                    .isEqualTo(i % 2 != 0);
        }
        ledger.removePod(new PodUid("alone"));
        assertThat(placer.place(plain("p").build())).isInstanceOf(Placement.Placed.class);
    }
}
