package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.placement.topologyspread.SpreadCounts;
import java.util.HashMap;
import java.util.Map;

/** Holds of one owner rule whose neighbours are equal: affinity and spread count either all of them or none. */
final class HoldGroup {
    /** Everything about a neighbour that affinity and spread read. */
    record GroupKey(String namespace, Labels labels, PodAffinity affinity) {
        static GroupKey of(Pod neighbour) {
            return new GroupKey(
                    neighbour.namespace(), neighbour.labels(), neighbour.spec().podAffinity());
        }
    }

    private final PodLabelSet podLabelSet;
    /** How often each neighbour has the term: a pod may have equal terms. */
    private final Map<AffinityTermIndex.WeightedTerm, Integer> terms = new HashMap<>();

    private final SpreadCounts counts = new SpreadCounts();

    HoldGroup(Pod neighbour) {
        this.podLabelSet = PodLabelSet.of(neighbour);
        AffinityTermIndex.forEachTerm(neighbour, term -> terms.merge(term, 1, Integer::sum));
    }

    PodLabelSet podLabelSet() {
        return podLabelSet;
    }

    int occurrencesOf(AffinityTermIndex.WeightedTerm term) {
        return terms.getOrDefault(term, 0);
    }

    SpreadCounts counts() {
        return counts;
    }
}
