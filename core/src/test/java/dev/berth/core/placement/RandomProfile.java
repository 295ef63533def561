package dev.berth.core.placement;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeSelectorTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.TopologySpreadConstraint;
import dev.berth.core.placement.profile.FilterPluginName;
import dev.berth.core.placement.profile.InterPodAffinityArgs;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.ResourceScoring;
import dev.berth.core.placement.profile.ResourceScoring.ResourceWeight;
import dev.berth.core.placement.profile.SpreadDefaults;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.score.ScoringStrategy;
import dev.berth.core.placement.score.ScoringStrategy.RequestedToCapacityRatio;
import dev.berth.core.placement.score.ScoringStrategy.RequestedToCapacityRatio.UtilizationShapePoint;
import dev.berth.core.resource.ResourceName;
import java.util.List;
import java.util.Optional;

/** Profiles: half of them as usual, the others in some things different. */
final class RandomProfile {
    private static final ResourceName GPU = new ResourceName("example.com/gpu");
    private static final ResourceName DISK = ResourceName.EPHEMERAL_STORAGE;

    private RandomProfile() {}

    static Profile draw(RandomCluster world) {
        Profile profile = Profile.DEFAULT.withWeights(
                world.any(ScoreWeights.DEFAULT, ScoreWeights.DEFAULT, new ScoreWeights(7, 0, 100, 1, 5, 9, 3)));
        if (world.chance(50)) {
            return profile;
        }
        for (FilterPluginName filterPluginName : FilterPluginName.values()) {
            profile = world.chance(15) ? profile.withoutFilter(filterPluginName) : profile;
        }
        return profile.withResourceScoring(world.chance(60) ? resources(world) : ResourceScoring.DEFAULT)
                .withSpreadDefaults(world.chance(50) ? spread(world) : SpreadDefaults.SYSTEM)
                .withInterPodAffinity(new InterPodAffinityArgs(world.any(0, 1, 1, 10, 100), world.chance(30)))
                .withAddedAffinity(world.chance(30) ? added(world) : NodeAffinity.NONE);
    }

    private static ResourceScoring resources(RandomCluster world) {
        ScoringStrategy strategy = world.any(
                new ScoringStrategy.LeastAllocated(),
                new ScoringStrategy.MostAllocated(),
                new RequestedToCapacityRatio(List.of(
                        new UtilizationShapePoint(0, 0),
                        new UtilizationShapePoint(70, 10),
                        new UtilizationShapePoint(100, 3))));
        List<ResourceWeight> fit = world.any(
                ResourceScoring.DEFAULT.fitResources(),
                List.of(new ResourceWeight(ResourceName.CPU, 5)),
                List.of(
                        new ResourceWeight(GPU, 3),
                        new ResourceWeight(ResourceName.MEMORY, 1),
                        new ResourceWeight(DISK, 7)));
        List<ResourceName> balanced = world.any(
                ResourceScoring.DEFAULT.balancedResources(),
                List.of(GPU, ResourceName.CPU),
                List.of(ResourceName.MEMORY, ResourceName.CPU, DISK, GPU));
        return new ResourceScoring(strategy, fit, balanced);
    }

    private static SpreadDefaults spread(RandomCluster world) {
        return SpreadDefaults.of(world.any(
                List.of(),
                List.of(constraint("topology.kubernetes.io/zone", true), constraint("kubernetes.io/hostname", false)),
                List.of(constraint("topology.kubernetes.io/zone", false))));
    }

    private static TopologySpreadConstraint constraint(String key, boolean required) {
        return new TopologySpreadConstraint(
                key, Optional.empty(), required, 2, 1, TopologySpreadConstraint.NodeInclusionPolicy.DEFAULT, List.of());
    }

    private static NodeAffinity added(RandomCluster world) {
        NodeSelectorTerm fast = new NodeSelectorTerm(
                List.of(new Requirement("disk", Requirement.Operator.IN, List.of("ssd"))), List.of());
        return world.any(
                new NodeAffinity(Labels.NONE, Optional.of(List.of(fast)), List.of()),
                new NodeAffinity(
                        Labels.NONE, Optional.empty(), List.of(new NodeAffinity.PreferredSchedulingTerm(30, fast))));
    }
}
