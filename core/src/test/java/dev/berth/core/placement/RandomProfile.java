package dev.berth.core.placement;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.NodeAffinity;
import dev.berth.core.cluster.NodeTerm;
import dev.berth.core.cluster.Requirement;
import dev.berth.core.cluster.neighbour.SpreadConstraint;
import dev.berth.core.placement.profile.PodAffinityScoring;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.ResourceScoring;
import dev.berth.core.placement.profile.ResourceScoring.Weighed;
import dev.berth.core.placement.profile.Rule;
import dev.berth.core.placement.profile.SpreadDefaults;
import dev.berth.core.placement.score.FitStrategy;
import dev.berth.core.placement.score.FitStrategy.RequestedToCapacityRatio;
import dev.berth.core.placement.score.FitStrategy.RequestedToCapacityRatio.Point;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.resource.ResourceName;
import java.util.List;
import java.util.Optional;

/** Profiles: half of them as usual, the others in some things different. */
final class RandomProfile {
    private static final ResourceName GPU = new ResourceName("example.com/gpu");
    private static final ResourceName DISK = ResourceName.EPHEMERAL_STORAGE;

    private RandomProfile() {}

    static Profile draw(RandomWorld world) {
        Profile profile = Profile.DEFAULT.withWeights(
                world.any(ScoreWeights.DEFAULT, ScoreWeights.DEFAULT, new ScoreWeights(7, 0, 100, 1, 5, 9, 3)));
        if (world.chance(50)) {
            return profile;
        }
        for (Rule rule : Rule.values()) {
            profile = world.chance(15) ? profile.without(rule) : profile;
        }
        return profile.withResources(world.chance(60) ? resources(world) : ResourceScoring.USUAL)
                .withSpread(world.chance(50) ? spread(world) : SpreadDefaults.SYSTEM)
                .withPodAffinity(new PodAffinityScoring(world.any(0, 1, 1, 10, 100), world.chance(30)))
                .withAdded(world.chance(30) ? added(world) : NodeAffinity.NONE);
    }

    private static ResourceScoring resources(RandomWorld world) {
        FitStrategy strategy = world.any(
                new FitStrategy.LeastAllocated(),
                new FitStrategy.MostAllocated(),
                new RequestedToCapacityRatio(List.of(new Point(0, 0), new Point(70, 10), new Point(100, 3))));
        List<Weighed> fit = world.any(
                ResourceScoring.USUAL.fit(),
                List.of(new Weighed(ResourceName.CPU, 5)),
                List.of(new Weighed(GPU, 3), new Weighed(ResourceName.MEMORY, 1), new Weighed(DISK, 7)));
        List<ResourceName> balanced = world.any(
                ResourceScoring.USUAL.balanced(),
                List.of(GPU, ResourceName.CPU),
                List.of(ResourceName.MEMORY, ResourceName.CPU, DISK, GPU));
        return new ResourceScoring(strategy, fit, balanced);
    }

    private static SpreadDefaults spread(RandomWorld world) {
        return SpreadDefaults.of(world.any(
                List.of(),
                List.of(constraint("topology.kubernetes.io/zone", true), constraint("kubernetes.io/hostname", false)),
                List.of(constraint("topology.kubernetes.io/zone", false))));
    }

    private static SpreadConstraint constraint(String key, boolean required) {
        return new SpreadConstraint(key, Optional.empty(), required, 2, 1, SpreadConstraint.Heed.USUAL, List.of());
    }

    private static NodeAffinity added(RandomWorld world) {
        NodeTerm fast =
                new NodeTerm(List.of(new Requirement("disk", Requirement.Operator.IN, List.of("ssd"))), List.of());
        return world.any(
                new NodeAffinity(Labels.NONE, Optional.of(List.of(fast)), List.of()),
                new NodeAffinity(Labels.NONE, Optional.empty(), List.of(new NodeAffinity.Preference(30, fast))));
    }
}
