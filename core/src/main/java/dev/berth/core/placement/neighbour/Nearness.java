package dev.berth.core.placement.neighbour;

import dev.berth.core.placement.spread.SlotCounts;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sums over pods near to nodes, for several meanings of near. */
final class Nearness {
    private static final class Sums {
        final Column column;
        final long[] byDomain;

        Sums(Column column) {
            this.column = column;
            this.byDomain = new long[column.size()];
        }
    }

    private final List<Sums> all = new ArrayList<>(2);
    private final Map<Column, Sums> byColumn = new HashMap<>(2);
    private boolean nothing = true;

    /** Adds the weight of every pod to all nodes near to its own. */
    void add(Column column, SlotCounts pods, long weight) {
        Sums sums = sums(column);
        pods.forEach((slot, count) -> {
            int domain = column.domainOf(slot);
            if (domain != Column.NONE) {
                sums.byDomain[domain] += weight * count;
                nothing = false;
            }
        });
    }

    private Sums sums(Column column) {
        Sums known = byColumn.get(column);
        if (known != null) {
            return known;
        }
        Sums sums = new Sums(column);
        all.add(sums);
        byColumn.put(column, sums);
        return sums;
    }

    /** Whether no pod of those added is near to any node. */
    boolean isNothing() {
        return nothing;
    }

    /** Whether in some meaning there is somebody near to the node. */
    boolean isAnybodyNear(int slot) {
        for (int i = 0; i < all.size(); i++) {
            int domain = all.get(i).column.domainOf(slot);
            if (domain != Column.NONE && all.get(i).byDomain[domain] > 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether the node is somewhere in every meaning. */
    boolean isPlaced(int slot) {
        for (int i = 0; i < all.size(); i++) {
            if (all.get(i).column.domainOf(slot) == Column.NONE) {
                return false;
            }
        }
        return true;
    }

    /** Whether in every meaning there is somebody near to the node. */
    boolean isEverybodyNear(int slot) {
        for (int i = 0; i < all.size(); i++) {
            int domain = all.get(i).column.domainOf(slot);
            if (domain == Column.NONE || all.get(i).byDomain[domain] <= 0) {
                return false;
            }
        }
        return true;
    }

    /** What those near to the node sum up to, in all meanings together. */
    private long sum(int slot) {
        long sum = 0;
        for (int i = 0; i < all.size(); i++) {
            int domain = all.get(i).column.domainOf(slot);
            sum += domain == Column.NONE ? 0 : all.get(i).byDomain[domain];
        }
        return sum;
    }

    /** A score from 0 to 100 for each of these nodes: from the least sum among them to the greatest. */
    long[] scores(int[] slots, int count) {
        long[] scores = new long[count];
        if (nothing) {
            return scores;
        }
        for (int i = 0; i < count; i++) {
            scores[i] = sum(slots[i]);
        }
        long least = Arrays.stream(scores).min().orElse(0);
        long range = Arrays.stream(scores).max().orElse(0) - least;
        for (int i = 0; i < count; i++) {
            scores[i] = range == 0 ? 0 : (long) (100 * ((double) (scores[i] - least) / (double) range));
        }
        return scores;
    }
}
