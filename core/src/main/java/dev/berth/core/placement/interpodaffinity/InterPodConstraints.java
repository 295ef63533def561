package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.placement.filter.Veto;
import dev.berth.core.placement.score.ScoreWeights;
import dev.berth.core.placement.topologyspread.TopologySpreadState;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the pods that are there mean to one pod that is not: which nodes it cannot be on for their sake, and which it likes.
 * Good for one decision.
 */
public final class InterPodConstraints {
    /** Whom the pod must be near, and whether it would do itself where there is nobody yet. */
    record RequiredAffinity(TopologyCounts counts, boolean matchesItself) {}

    /** What makes nodes more or less liked. */
    record Preferences(TopologyCounts affinity, TopologySpreadState spread) {}

    private final TopologySpreadState spread;
    private final RequiredAffinity requiredAffinity;
    private final TopologyCounts requiredAntiAffinity;
    private final TopologyCounts existingAntiAffinity;
    private final Supplier<Preferences> computePreferences;
    private @Nullable Preferences preferences;

    /**
     * @param unwanted the pods that this one must not be near
     * @param unwanting the pods that must not have this one near
     * @param preferences what is only worked out where nodes are compared
     */
    InterPodConstraints(
            TopologySpreadState spread,
            RequiredAffinity requiredAffinity,
            TopologyCounts unwanted,
            TopologyCounts unwanting,
            Supplier<Preferences> preferences) {
        this.spread = spread;
        this.requiredAffinity = requiredAffinity;
        this.requiredAntiAffinity = unwanted;
        this.existingAntiAffinity = unwanting;
        this.computePreferences = preferences;
    }

    /** In kube-scheduler's order: the first that is against it speaks alone. */
    public Optional<Veto.Code> veto(int slot) {
        Optional<Veto.Code> uneven = spread.veto(slot);
        if (uneven.isPresent()) {
            return uneven;
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

    /** The first of a series that want to be near each other has nobody to be near to. */
    private boolean satisfiesRequiredAffinity(int slot) {
        return requiredAffinity.counts.hasPodInEveryTopology(slot)
                || (requiredAffinity.matchesItself
                        && requiredAffinity.counts.isEmpty()
                        && requiredAffinity.counts.hasAllTopologyLabels(slot));
    }

    /** What to add to the totals of these nodes, which are compared with each other and no others. */
    public long[] scores(int[] slots, int count, ScoreWeights weights) {
        if (preferences == null) {
            preferences = computePreferences.get();
        }
        long[] sums = preferences.affinity.scores(slots, count);
        long[] evenness = preferences.spread.scores(slots, count);
        for (int i = 0; i < count; i++) {
            sums[i] = weights.interPodAffinity() * sums[i] + weights.podTopologySpread() * evenness[i];
        }
        return sums;
    }
}
