package dev.berth.core.placement.equivalence;

import dev.berth.core.cluster.PodSpec;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.ResourceScoring;
import dev.berth.core.placement.profile.ResourceScoring.ResourceWeight;
import dev.berth.core.placement.score.ResourceScore;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.List;

/**
 * Scores resources for pods with equal specs by other resources or strategies than the default. Computed directly from
 * the state of a node.
 */
final class CustomResourceScorer {
    private static final long MAX_AMOUNT = Long.MAX_VALUE / 400;

    private final PodSpec spec;
    private final ResourceScoring scoring;
    private final int fitWeight;
    private final int balanceWeight;

    CustomResourceScorer(PodSpec spec, Profile profile) {
        this.spec = spec;
        this.scoring = profile.resourceScoring();
        this.fitWeight = profile.weights().leastAllocated();
        boolean requestsBalancedResource = scoring.balancedResources().stream()
                .anyMatch(name -> spec.requests().get(name) != 0);
        this.balanceWeight = requestsBalancedResource ? profile.weights().balancedAllocation() : 0;
    }

    /** The weighted scores, if the pod may use these held resources. */
    int score(NodeState state, Resources own) {
        int fit = fitWeight == 0 ? 0 : (int) (fitWeight * fitScore(state, own));
        return balanceWeight == 0 ? fit : fit + balanceWeight * balancedScore(state, own);
    }

    private long fitScore(NodeState state, Resources own) {
        long sum = 0;
        long weights = 0;
        for (ResourceWeight resource : scoring.fitResources()) {
            ResourceName name = resource.name();
            long requested = hasNonZeroDefault(name)
                    ? spec.scoringWhenPlaced().get(name)
                    : spec.requests().get(name);
            long capacity = capacity(state, name, requested);
            if (capacity > 0) {
                Resources used = hasNonZeroDefault(name) ? state.scoringUsed() : state.used();
                long score = scoring.strategy()
                        .score(usedAmount(state, used, own, name) + Math.min(requested, MAX_AMOUNT), capacity);
                if (score > 0 || !scoring.strategy().skipsZeroScores()) {
                    sum += score * resource.weight();
                    weights += resource.weight();
                }
            }
        }
        return scoring.strategy().weightedMean(sum, weights);
    }

    private int balancedScore(NodeState state, Resources own) {
        List<ResourceName> names = scoring.balancedResources();
        double[] before = new double[names.size()];
        double[] after = new double[names.size()];
        int count = 0;
        for (ResourceName name : names) {
            long requested = spec.requests().get(name);
            long capacity = capacity(state, name, requested);
            if (capacity > 0) {
                long taken = usedAmount(state, state.used(), own, name);
                before[count] = (double) taken / (double) capacity;
                after[count++] = (double) (taken + Math.min(requested, MAX_AMOUNT)) / (double) capacity;
            }
        }
        return ResourceScore.balancedAllocation(
                ResourceScore.balance(before, count), ResourceScore.balance(after, count));
    }

    private static long usedAmount(NodeState state, Resources used, Resources own, ResourceName name) {
        long sum = Math.min(used.get(name), MAX_AMOUNT)
                + Math.min(state.outstanding().get(name), MAX_AMOUNT);
        return Math.min(sum, MAX_AMOUNT) - own.get(name);
    }

    /** Whether a container without a request for it counts with a default amount. */
    private static boolean hasNonZeroDefault(ResourceName name) {
        return name.equals(ResourceName.CPU) || name.equals(ResourceName.MEMORY);
    }

    /** The capacity of the node; zero if the resource does not count for the pod. */
    private static long capacity(NodeState state, ResourceName name, long requested) {
        boolean counts = hasNonZeroDefault(name)
                || name.equals(ResourceName.EPHEMERAL_STORAGE)
                || (name.isScalar() && requested > 0);
        return counts ? Math.min(state.node().allocatable().get(name), MAX_AMOUNT) : 0;
    }
}
