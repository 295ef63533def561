package dev.berth.core.placement;

import dev.berth.core.cluster.LabelSelector;
import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Node;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.cluster.PodAffinityTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.TopologySpreadConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** What pods demand of other pods, drawn from few values so that it concerns some of them. */
final class RandomAffinities {
    private static final List<String> KEYS = List.of(Node.HOSTNAME_LABEL, Node.ZONE_LABEL, "disk", "age", "nobody");

    private final Random random;

    RandomAffinities(Random random) {
        this.random = random;
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    private <T> T one(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private String key() {
        return chance(90) ? one(KEYS.subList(0, 4)) : one(KEYS);
    }

    PodAffinity affinity() {
        List<PodAffinityTerm> near = new ArrayList<>();
        while (chance(20)) {
            near.add(term());
        }
        List<PodAffinityTerm> apart = new ArrayList<>();
        while (chance(25)) {
            apart.add(term());
        }
        List<PodAffinity.WeightedPodAffinityTerm> preferred = new ArrayList<>();
        while (chance(40)) {
            preferred.add(new PodAffinity.WeightedPodAffinityTerm(one(List.of(1, 7, 50, 100, -1, -7, -100)), term()));
        }
        return new PodAffinity(near, apart, preferred);
    }

    private PodAffinityTerm term() {
        List<String> namespaces = chance(75) ? List.of() : one(List.of(List.of("default"), RandomCluster.NAMESPACES));
        Optional<LabelSelector> selector = chance(80)
                ? Optional.empty()
                : Optional.of(one(List.of(
                        LabelSelector.EVERYTHING,
                        LabelSelector.of(Labels.of("team", "x")),
                        new LabelSelector(
                                Labels.NONE,
                                List.of(new Requirement("team", Requirement.Operator.NOT_IN, List.of("x")))))));
        return new PodAffinityTerm(key(), pods(), namespaces, selector);
    }

    private Optional<LabelSelector> pods() {
        if (chance(5)) {
            return Optional.empty();
        }
        return Optional.of(one(List.of(
                LabelSelector.of(Labels.of("app", "web")),
                LabelSelector.of(Labels.of("app", "db")),
                LabelSelector.of(Labels.of("app", "batch").with("track", "canary")),
                new LabelSelector(
                        Labels.NONE, List.of(new Requirement("app", Requirement.Operator.IN, List.of("web", "db")))),
                new LabelSelector(
                        Labels.NONE, List.of(new Requirement("track", Requirement.Operator.IN, List.of("canary")))),
                new LabelSelector(
                        Labels.NONE, List.of(new Requirement("app", Requirement.Operator.DOES_NOT_EXIST, List.of()))),
                LabelSelector.EVERYTHING)));
    }

    List<TopologySpreadConstraint> constraints() {
        List<TopologySpreadConstraint> constraints = new ArrayList<>();
        do {
            constraints.add(new TopologySpreadConstraint(
                    key(),
                    pods(),
                    chance(50),
                    one(List.of(1, 1, 2, 5)),
                    one(List.of(1, 1, 1, 2, 4)),
                    new TopologySpreadConstraint.NodeInclusionPolicy(chance(75), chance(25)),
                    chance(25) ? List.of("app", "track") : List.of()));
        } while (chance(40));
        return constraints;
    }
}
