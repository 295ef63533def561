package dev.berth.core.placement.shape;

import dev.berth.core.placement.spread.SpreadGroup;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.Suitability;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How many pods that are to be kept apart are in each zone. Only nodes count to which the pod may go by its own rules: for
 * pods without such rules the group's counts are right, for others they are kept here.
 */
final class ZoneCounts {
    private final NodeTable table;
    private final Suitability suitability;
    private final @Nullable SpreadGroup group;
    private final boolean restricted;
    private int[] counted = new int[0];
    private int[] countedIn = new int[0];
    private int[] byDomain = new int[1];

    ZoneCounts(NodeTable table, Terms terms) {
        this.table = table;
        this.suitability = terms.suitability();
        this.group = terms.group().orElse(null);
        this.restricted = group != null && suitability.restricts();
    }

    boolean restricted() {
        return restricted;
    }

    long bytes() {
        return 8L * counted.length + 4L * byDomain.length;
    }

    void clear() {
        Arrays.fill(counted, 0);
        Arrays.fill(byDomain, 0);
    }

    /** Only where {@link #restricted}: looks at the node again. */
    void update(int slot) {
        if (!restricted || group == null) {
            return;
        }
        if (slot >= counted.length) {
            counted = Arrays.copyOf(counted, Math.max(slot + 1, table.bound()));
            countedIn = Arrays.copyOf(countedIn, counted.length);
        }
        int domain = table.domainOf(slot);
        if (domain >= byDomain.length) {
            byDomain = Arrays.copyOf(byDomain, domain + 4);
        }
        int now = suitability.allows(slot) ? group.onSlot(slot) : 0;
        byDomain[countedIn[slot]] -= counted[slot];
        byDomain[domain] += now;
        counted[slot] = now;
        countedIn[slot] = domain;
    }

    int in(int domain) {
        if (group == null) {
            return 0;
        }
        if (!restricted) {
            return group.inDomain(domain);
        }
        return domain < byDomain.length ? byDomain[domain] : 0;
    }
}
