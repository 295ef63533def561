package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.topologyspread.TopologySpreadState;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The constraints of one pod that depend on existing pods: which nodes are not feasible, and the scores of nodes. Valid
 * for one decision.
 */
public final class InterPodConstraints {
    /**
     * The counts for required affinity.
     *
     * @param matchesItself whether the pod matches its own terms
     */
    record RequiredAffinity(TopologyCounts counts, boolean matchesItself) {}

    /** The counts for scores. */
    record Preferences(TopologyCounts affinity, TopologySpreadState spread) {}

    private final TopologySpreadState spread;
    private final RequiredAffinity requiredAffinity;
    private final TopologyCounts requiredAntiAffinity;
    private final TopologyCounts existingAntiAffinity;
    private final Supplier<Preferences> computePreferences;
    private @Nullable Preferences preferences;

    /**
     * @param requiredAntiAffinity the counts of pods that match this pod's required anti-affinity
     * @param existingAntiAffinity the counts of pods whose required anti-affinity matches this pod
     * @param preferences computed only if nodes are scored
     */
    InterPodConstraints(
            TopologySpreadState spread,
            RequiredAffinity requiredAffinity,
            TopologyCounts requiredAntiAffinity,
            TopologyCounts existingAntiAffinity,
            Supplier<Preferences> preferences) {
        this.spread = spread;
        this.requiredAffinity = requiredAffinity;
        this.requiredAntiAffinity = requiredAntiAffinity;
        this.existingAntiAffinity = existingAntiAffinity;
        this.computePreferences = preferences;
    }

    /** The first veto in kube-scheduler's order. */
    public Optional<Veto.Code> veto(int slot) {
        Optional<Veto.Code> spreadVeto = spread.veto(slot);
        if (spreadVeto.isPresent()) {
            return spreadVeto;
        }
        if (!satisfiesRequiredAffinity(slot)) {
            return Optional.of(Veto.Code.POD_AFFINITY);
        }
        if (requiredAntiAffinity.hasPodInAnyTopology(slot)) {
            return Optional.of(Veto.Code.POD_ANTI_AFFINITY);
        }
        return existingAntiAffinity.hasPodInAnyTopology(slot)
                ? Optional.of(Veto.Code.EXISTING_ANTI_AFFINITY)
                : Optional.empty();
    }

    /** The first pod of a series with affinity to each other matches no existing pod, so it may match itself. */
    private boolean satisfiesRequiredAffinity(int slot) {
        return requiredAffinity.counts.hasPodInEveryTopology(slot)
                || (requiredAffinity.matchesItself
                        && requiredAffinity.counts.isEmpty()
                        && requiredAffinity.counts.hasAllTopologyLabels(slot));
    }

    /** The scores of these nodes, normalized over them. */
    public long[] scores(int[] slots, int count, ScoreWeights weights) {
        if (preferences == null) {
            preferences = computePreferences.get();
        }
        long[] sums = preferences.affinity.scores(slots, count);
        long[] spreadScores = preferences.spread.scores(slots, count);
        for (int i = 0; i < count; i++) {
            sums[i] = weights.interPodAffinity() * sums[i] + weights.podTopologySpread() * spreadScores[i];
        }
        return sums;
    }
}
