package dev.berth.core.placement.shape;

import dev.berth.core.placement.table.NodeTable;
import java.util.Optional;
import java.util.OptionalLong;

/** All nodes looked at once, for a pod whose like was not seen lately: the same answers as a {@link Ranking}'s. */
final class Scan {
    private final NodeTable table;
    private final Terms terms;
    private final Buckets buckets;

    Scan(NodeTable table, Terms terms) {
        this.table = table;
        this.terms = terms;
        this.buckets = new Buckets(terms);
        terms.repair();
        ZoneCounts zoneCounts = new ZoneCounts(table, terms);
        for (int slot = 0; slot < table.bound(); slot++) {
            zoneCounts.update(slot);
            int key = terms.key(slot);
            if (key != 0) {
                Bucket bucket = buckets.get(buckets.find(terms.bucket(slot)));
                buckets.entered(bucket);
                bucket.offer(slot, key);
            }
        }
        buckets.normalise(zoneCounts::in);
    }

    Optional<Choice> best() {
        long best = buckets.bestTotal();
        return best < 0 ? Optional.empty() : Optional.of(new Choice(buckets.winner(best, table), best));
    }

    /** The total of one node; empty where it does not take the pod. */
    OptionalLong total(int slot) {
        int key = terms.key(slot);
        if (key == 0) {
            return OptionalLong.empty();
        }
        Bucket bucket = buckets.get(buckets.find(terms.bucket(slot)));
        return OptionalLong.of(bucket.shared + terms.scoreOf(key));
    }
}
