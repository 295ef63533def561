package dev.berth.core.placement.equivalence;

import dev.berth.core.placement.interpodaffinity.InterPodConstraints;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/** A few nodes that are scored against each other, such as the nodes where the pod may use a hold. */
public final class Shortlist {
    private final ClassScorer classScorer;
    private final NodeTable table;
    private final IntUnaryOperator podsInDomain;
    private final ScoreBuckets buckets;
    private final List<ScoreBucket> bucketOf = new ArrayList<>();
    private final List<Integer> scores = new ArrayList<>();
    private final List<Integer> slots = new ArrayList<>();
    private final Optional<InterPodConstraints> interPodConstraints;

    Shortlist(
            NodeTable table,
            ClassScorer classScorer,
            IntUnaryOperator podsInDomain,
            Optional<InterPodConstraints> interPodConstraints) {
        this.interPodConstraints = interPodConstraints;
        this.table = table;
        this.classScorer = classScorer;
        this.podsInDomain = podsInDomain;
        this.buckets = new ScoreBuckets(classScorer);
    }

    /**
     * Adds a feasible node.
     *
     * @param heldResources the held resources there that the pod may use
     */
    public void add(int slot, Resources heldResources) {
        int preferenceClass = classScorer
                .staticFilters()
                .preferenceClassOf(table.stateAt(slot).orElseThrow().node());
        ScoreBucket bucket = buckets.get(buckets.findOrAdd(classScorer.bucketKey(slot, preferenceClass)));
        buckets.onNodeAdded(bucket);
        bucketOf.add(bucket);
        slots.add(slot);
        scores.add(classScorer.scoreWithHold(slot, heldResources));
    }

    /** The totals, in the order in which the nodes were added. */
    public long[] totals() {
        buckets.normalize(podsInDomain);
        long[] totals = new long[scores.size()];
        for (int i = 0; i < totals.length; i++) {
            totals[i] = bucketOf.get(i).total(scores.get(i));
        }
        interPodConstraints.ifPresent(constraints -> addInterPodScores(constraints, totals));
        return totals;
    }

    private void addInterPodScores(InterPodConstraints constraints, long[] totals) {
        int[] compared = slots.stream().mapToInt(Integer::intValue).toArray();
        long[] extras = constraints.scores(compared, compared.length, classScorer.weights());
        for (int i = 0; i < totals.length; i++) {
            totals[i] += extras[i];
        }
    }
}
