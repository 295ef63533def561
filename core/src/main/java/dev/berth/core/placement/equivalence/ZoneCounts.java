package dev.berth.core.placement.equivalence;

import dev.berth.core.placement.table.NodeSuitability;
import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.topologyspread.SpreadGroup;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How many pods that are to be kept apart are in each zone. Only nodes count to which the pod may go by its own rules: for
 * pods without such rules the group's counts are right, for others they are kept here.
 */
final class ZoneCounts {
    private final NodeTable table;
    private final NodeSuitability suitability;
    private final @Nullable SpreadGroup group;
    private final boolean hasNodeConstraints;
    private int[] counted = new int[0];
    private int[] countedIn = new int[0];
    private int[] byDomain = new int[1];

    ZoneCounts(NodeTable table, ClassScorer classScorer) {
        this.table = table;
        this.suitability = classScorer.suitability();
        this.group = classScorer.group().orElse(null);
        this.hasNodeConstraints = group != null && suitability.hasNodeConstraints();
    }

    boolean hasNodeConstraints() {
        return hasNodeConstraints;
    }

    long bytes() {
        return 8L * counted.length + 4L * byDomain.length;
    }

    void clear() {
        Arrays.fill(counted, 0);
        Arrays.fill(byDomain, 0);
    }

    /** Only where {@link #hasNodeConstraints}: looks at the node again. */
    void update(int slot) {
        if (!hasNodeConstraints || group == null) {
            return;
        }
        if (slot >= counted.length) {
            counted = Arrays.copyOf(counted, Math.max(slot + 1, table.slotBound()));
            countedIn = Arrays.copyOf(countedIn, counted.length);
        }
        int domain = table.domainOf(slot);
        if (domain >= byDomain.length) {
            byDomain = Arrays.copyOf(byDomain, domain + 4);
        }
        int now = suitability.allows(slot) ? group.countOnSlot(slot) : 0;
        byDomain[countedIn[slot]] -= counted[slot];
        byDomain[domain] += now;
        counted[slot] = now;
        countedIn[slot] = domain;
    }

    int inDomain(int domain) {
        if (group == null) {
            return 0;
        }
        if (!hasNodeConstraints) {
            return group.countInDomain(domain);
        }
        return domain < byDomain.length ? byDomain[domain] : 0;
    }
}
