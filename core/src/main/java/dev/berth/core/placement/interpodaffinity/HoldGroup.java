package dev.berth.core.placement.interpodaffinity;

import dev.berth.core.cluster.Labels;
import dev.berth.core.cluster.Pod;
import dev.berth.core.cluster.PodAffinity;
import dev.berth.core.hold.Hold;
import dev.berth.core.placement.topologyspread.SpreadCounts;
import java.util.HashMap;
import java.util.Map;

/** Holds of one owner rule whose neighbours are equal: affinity and spread count either all of them or none. */
final class HoldGroup {
    /** Everything about a neighbour that affinity and spread read, and whether its holds are those of Reservations. */
    record GroupKey(String namespace, Labels labels, PodAffinity affinity, boolean ofReservations) {
        static GroupKey of(Hold hold) {
            Pod neighbour = hold.neighbour().orElseThrow();
            return new GroupKey(
                    neighbour.namespace(), neighbour.labels(), neighbour.spec().podAffinity(), hold.isReservation());
        }
    }

    private final Pod neighbour;
    private final PodLabelSet podLabelSet;
    /** How often each neighbour has the term: a pod may have equal terms. */
    private final Map<AffinityTermIndex.WeightedTerm, Integer> terms = new HashMap<>();

    private final SpreadCounts counts = new SpreadCounts();

    HoldGroup(Pod neighbour) {
        this.neighbour = neighbour;
        this.podLabelSet = PodLabelSet.of(neighbour);
        AffinityTermIndex.forEachTerm(neighbour, term -> terms.merge(term, 1, Integer::sum));
    }

    /** A group of the same neighbours without holds. */
    HoldGroup emptyCopy() {
        return new HoldGroup(neighbour);
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
