package dev.berth.core.placement.equivalence;

import dev.berth.core.placement.table.NodeTable;
import dev.berth.core.placement.table.StaticNodeFilters;
import dev.berth.core.placement.topologyspread.VisibleSpreadGroup;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The number of pods in each zone that a pod is spread from. Only nodes count that the pod's own node constraints
 * allow. For pods without such constraints the counts of the group are used; for others they are counted here.
 */
final class ZoneCounts {
    private final NodeTable table;
    private final StaticNodeFilters staticFilters;
    private final @Nullable VisibleSpreadGroup group;
    private final boolean hasNodeConstraints;
    private int[] counted = new int[0];
    private int[] countedIn = new int[0];
    private int[] byDomain = new int[1];

    ZoneCounts(NodeTable table, ClassScorer classScorer) {
        this.table = table;
        this.staticFilters = classScorer.staticFilters();
        this.group = classScorer.group().orElse(null);
        this.hasNodeConstraints = group != null && staticFilters.hasNodeConstraints();
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

    /** Only if {@link #hasNodeConstraints}: reads the node again. */
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
        int now = staticFilters.matchesNodeAffinity(slot) ? group.countOnSlot(slot) : 0;
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
