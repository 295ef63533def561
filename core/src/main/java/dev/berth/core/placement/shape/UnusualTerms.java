package dev.berth.core.placement.shape;

import dev.berth.core.cluster.PodShape;
import dev.berth.core.ledger.NodeState;
import dev.berth.core.placement.profile.Profile;
import dev.berth.core.placement.profile.ResourceScoring;
import dev.berth.core.placement.profile.ResourceScoring.Weighed;
import dev.berth.core.placement.score.ResourceScore;
import dev.berth.core.resource.ResourceName;
import dev.berth.core.resource.Resources;
import java.util.List;

/**
 * What nodes' amounts are worth to pods of one shape by other resources or strategies than the usual ones, worked out
 * plainly from a node's account.
 */
final class UnusualTerms {
    private static final long LARGEST = Long.MAX_VALUE / 400;

    private final PodShape shape;
    private final ResourceScoring scoring;
    private final int fitWeight;
    private final int balanceWeight;

    UnusualTerms(PodShape shape, Profile profile) {
        this.shape = shape;
        this.scoring = profile.resources();
        this.fitWeight = profile.weights().leastAllocated();
        boolean asks =
                scoring.balanced().stream().anyMatch(name -> shape.requests().get(name) != 0);
        this.balanceWeight = asks ? profile.weights().balancedAllocation() : 0;
    }

    /** The scores with their weights, where so much of what holds keep there is the pod's own. */
    int score(NodeState state, Resources own) {
        int fit = fitWeight == 0 ? 0 : (int) (fitWeight * fit(state, own));
        return balanceWeight == 0 ? fit : fit + balanceWeight * balanced(state, own);
    }

    private long fit(NodeState state, Resources own) {
        long sum = 0;
        long weights = 0;
        for (Weighed resource : scoring.fit()) {
            ResourceName name = resource.name();
            long asked = isAssumed(name)
                    ? shape.scoringWhenPlaced().get(name)
                    : shape.requests().get(name);
            long capacity = capacity(state, name, asked);
            if (capacity > 0) {
                Resources used = isAssumed(name) ? state.scoringUsed() : state.used();
                long score = scoring.strategy().of(taken(state, used, own, name) + Math.min(asked, LARGEST), capacity);
                if (score > 0 || !scoring.strategy().leavesOutZeros()) {
                    sum += score * resource.weight();
                    weights += resource.weight();
                }
            }
        }
        return scoring.strategy().mean(sum, weights);
    }

    private int balanced(NodeState state, Resources own) {
        List<ResourceName> names = scoring.balanced();
        double[] before = new double[names.size()];
        double[] after = new double[names.size()];
        int count = 0;
        for (ResourceName name : names) {
            long asked = shape.requests().get(name);
            long capacity = capacity(state, name, asked);
            if (capacity > 0) {
                long taken = taken(state, state.used(), own, name);
                before[count] = (double) taken / (double) capacity;
                after[count++] = (double) (taken + Math.min(asked, LARGEST)) / (double) capacity;
            }
        }
        return ResourceScore.balancedAllocation(
                ResourceScore.balance(before, count), ResourceScore.balance(after, count));
    }

    private static long taken(NodeState state, Resources used, Resources own, ResourceName name) {
        long sum =
                Math.min(used.get(name), LARGEST) + Math.min(state.outstanding().get(name), LARGEST);
        return Math.min(sum, LARGEST) - own.get(name);
    }

    /** A container that asks for none of these counts as if it did. */
    private static boolean isAssumed(ResourceName name) {
        return name.equals(ResourceName.CPU) || name.equals(ResourceName.MEMORY);
    }

    /** What the node has of it; nothing where the pod is not judged by it. */
    private static long capacity(NodeState state, ResourceName name, long asked) {
        boolean counts =
                isAssumed(name) || name.equals(ResourceName.EPHEMERAL_STORAGE) || (name.isScalar() && asked > 0);
        return counts ? Math.min(state.node().allocatable().get(name), LARGEST) : 0;
    }
}
