package dev.berth.core.placement.shape;

import dev.berth.core.placement.neighbour.Neighbourhood;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.resource.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;

/** A few nodes compared with each other and no others, such as those where the pod may use a hold. */
public final class Shortlist {
    private final Terms terms;
    private final NodeTable table;
    private final IntUnaryOperator podsInDomain;
    private final Buckets buckets;
    private final List<Bucket> bucketOf = new ArrayList<>();
    private final List<Integer> scores = new ArrayList<>();
    private final List<Integer> slots = new ArrayList<>();
    private final Optional<Neighbourhood> neighbourhood;

    Shortlist(NodeTable table, Terms terms, IntUnaryOperator podsInDomain, Optional<Neighbourhood> neighbourhood) {
        this.neighbourhood = neighbourhood;
        this.table = table;
        this.terms = terms;
        this.podsInDomain = podsInDomain;
        this.buckets = new Buckets(terms);
    }

    /**
     * Adds a node that is known to take the pod.
     *
     * @param own what of the holds there is the pod's own
     */
    public void add(int slot, Resources own) {
        int kind = terms.suitability().kindOf(table.state(slot).orElseThrow().node());
        Bucket bucket = buckets.get(buckets.find(terms.bucket(slot, kind)));
        buckets.entered(bucket);
        bucketOf.add(bucket);
        slots.add(slot);
        scores.add(terms.scoreWith(slot, own));
    }

    /** The totals in the order in which the nodes were added. */
    public long[] totals() {
        buckets.normalise(podsInDomain);
        long[] totals = new long[scores.size()];
        for (int i = 0; i < totals.length; i++) {
            totals[i] = bucketOf.get(i).shared + scores.get(i);
        }
        neighbourhood.ifPresent(around -> addExtras(around, totals));
        return totals;
    }

    private void addExtras(Neighbourhood around, long[] totals) {
        int[] compared = slots.stream().mapToInt(Integer::intValue).toArray();
        long[] extras = around.scores(compared, compared.length, terms.weights());
        for (int i = 0; i < totals.length; i++) {
            totals[i] += extras[i];
        }
    }
}
