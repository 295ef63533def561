package dev.berth.core.placement.shape;

import dev.berth.core.placement.neighbour.Neighbourhood;
import dev.berth.core.placement.table.NodeTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** All nodes looked at once, for a pod to which it matters who else is where. */
final class CrowdedScan {
    private final NodeTable table;
    private final Terms terms;
    private final List<Bucket> bucketOf = new ArrayList<>();
    private final int[] slots;
    private final int[] keys;
    private final long[] extras;
    private int count;

    CrowdedScan(NodeTable table, Terms terms, Neighbourhood neighbourhood) {
        this.table = table;
        this.terms = terms;
        this.slots = new int[table.bound()];
        this.keys = new int[table.bound()];
        Buckets buckets = new Buckets(terms);
        terms.repair();
        ZoneCounts zoneCounts = new ZoneCounts(table, terms);
        for (int slot = 0; slot < table.bound(); slot++) {
            zoneCounts.update(slot);
            int key = terms.key(slot);
            if (key != 0 && neighbourhood.veto(slot).isEmpty()) {
                Bucket bucket = buckets.get(buckets.find(terms.bucket(slot)));
                buckets.entered(bucket);
                bucketOf.add(bucket);
                slots[count] = slot;
                keys[count++] = key;
            }
        }
        buckets.normalise(zoneCounts::in);
        extras = neighbourhood.scores(slots, count, terms.weights());
    }

    Optional<Choice> best() {
        int best = -1;
        long bestTotal = 0;
        for (int i = 0; i < count; i++) {
            long total = totalAt(i);
            if (best < 0 || total > bestTotal || (total == bestTotal && table.precedes(slots[i], slots[best]))) {
                best = i;
                bestTotal = total;
            }
        }
        return best < 0 ? Optional.empty() : Optional.of(new Choice(slots[best], bestTotal));
    }

    private long totalAt(int place) {
        return bucketOf.get(place).shared + terms.scoreOf(keys[place]) + extras[place];
    }

    /** The total of one node; empty where it does not take the pod. */
    OptionalLong total(int slot) {
        int place = Arrays.binarySearch(slots, 0, count, slot);
        return place < 0 ? OptionalLong.empty() : OptionalLong.of(totalAt(place));
    }
}
